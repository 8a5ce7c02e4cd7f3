"""Fields of submitted forms, without a parser for files."""

from __future__ import annotations

from urllib.parse import parse_qsl

from fastapi import Request

from memory_service.errors import InvalidInput
from memory_service.server.strict_json import NotJsonType, StrictRequest

FORM = "application/x-www-form-urlencoded"
MAX_FIELDS = 50


class NotForm(NotJsonType):
    """The Content-Type is not that of a form."""

    def __init__(self) -> None:
        InvalidInput.__init__(self, "content-type", f"must be {FORM}")


async def form_fields(request: Request) -> dict[str, str]:
    """The fields of a form by name, the last of each. Errors: InvalidInput, BodyTooLarge."""
    body = await StrictRequest(request.scope, request.receive).body()
    if body and request.headers.get("content-type", "").partition(";")[0].strip().lower() != FORM:
        raise NotForm
    try:
        return dict(
            parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=MAX_FIELDS, errors="strict")
        )
    except ValueError:
        raise InvalidInput("body", "is not a form in UTF-8") from None
