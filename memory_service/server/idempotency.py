"""The header Idempotency-Key: a repeated request gets the first answer and has no second effect.

The answer is stored in the transaction of the effect, so that a process that dies leaves both or neither.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, cast
from uuid import UUID

from fastapi import Depends, Header, Request, Response

from memory_service.errors import InvalidInput
from memory_service.intake.commit import check_id
from memory_service.store.idempotency import RepeatableRequest, StoredAnswer
from memory_service.validation import BANK_ID

if TYPE_CHECKING:
    from memory_service.keys import Grant
    from memory_service.memory import Memory

HEADER = "Idempotency-Key"
MAX_KEY_CHARS = 255
KEY = re.compile(rf"[!-~]{{1,{MAX_KEY_CHARS}}}")
REPLAYED = "Idempotent-Replayed"
SUBJECTS = ("memory_id", "fact_id", "clarification_id")
DESCRIPTION = "a request that is repeated with the same key within 24 hours gets the first answer"


async def documented_header(
    idempotency_key: Annotated[
        str | None,
        Header(alias=HEADER, description=DESCRIPTION, json_schema_extra={"pattern": f"^{KEY.pattern}$"}),
    ] = None,
) -> None:
    """Adds the header to the OpenAPI document of a route and marks the route as repeatable."""


REPEATABLE = Depends(documented_header)


class AnsweredBefore(Exception):
    """Ends the processing of a repeated request; `answer` is the stored one."""

    def __init__(self, answer: StoredAnswer) -> None:
        self.answer = answer


class DeferredResponse(Response):
    """A response that `finish` replaces once the request's transaction is committed."""

    def __init__(self, response: Response, finish: Callable[[], Awaitable[Response]]) -> None:
        super().__init__(response.body, response.status_code, media_type=response.media_type)
        self.finish = finish


async def answer_once(
    request: Request, memory: Memory, handle: Callable[[Request], Awaitable[Response]], body: object
) -> Response:
    """The stored answer of a repeated request, else that of `handle`, which is stored if it is a success."""
    repeatable = await repeatable_request(request, body)
    if repeatable is None:
        return await handle(request)

    async def claim() -> None:
        known = await memory.store.idempotency.claim(repeatable)
        if known is not None:
            raise AnsweredBefore(known)

    async def handle_once() -> Response:
        response = await handle(request)
        if response.status_code < 300:
            answer = StoredAnswer(response.status_code, bytes(response.body).decode())
            subject = getattr(request.state, "subject", repeatable.subject)
            await memory.store.idempotency.store(replace(repeatable, subject=subject), answer)
        return response

    request.state.claim = claim  # called by memory_for once it has checked the key's rights
    try:
        return await memory.store.database.in_transaction(handle_once, bank=repeatable.bank_id)
    except AnsweredBefore as repeated:
        known = repeated.answer
        return Response(known.body, known.status, {REPLAYED: "true"}, "application/json")


async def repeatable_request(request: Request, body: object) -> RepeatableRequest | None:
    """None without the header, or without the bank, which routing or the body's validation then refuses.

    Errors: InvalidInput for a malformed key.
    """
    key = key_of(request)
    fields = cast("dict[str, object]", body) if isinstance(body, dict) else {}
    bank_id = request.path_params.get("bank_id") or fields.get("bank_id")
    if key is None or not isinstance(bank_id, str) or not BANK_ID.fullmatch(bank_id):
        return None
    grant: Grant | None = request.state.grant
    content = f"{request.method} {request.url.path}\n".encode() + (
        b"" if body is None else await request.body()
    )
    subject = next((request.path_params[name] for name in SUBJECTS if name in request.path_params), None)
    return RepeatableRequest(
        bank_id,
        "" if grant is None else grant.key_id,
        key,
        hashlib.sha256(content).digest(),
        uuid_or_none(subject),
    )


def set_subject(request: Request, subject: UUID) -> None:
    """Name the record that the answer is about where the path does not: the answer is deleted with it."""
    request.state.subject = subject


def key_of(request: Request) -> str | None:
    """The request's key, with or without the quotation marks of a structured header. Errors: InvalidInput."""
    given = request.headers.getlist(HEADER)
    if not given:
        return None
    if len(given) > 1:
        raise InvalidInput(HEADER, "is given more than once")
    key = given[0].strip()
    if len(key) > 1 and key[0] == key[-1] == '"':
        key = key[1:-1]
    if not KEY.fullmatch(key):
        raise InvalidInput(
            HEADER, f"must have 1 to {MAX_KEY_CHARS} printable ASCII characters without spaces"
        )
    check_id(key, HEADER)
    return key


def uuid_or_none(text: str | None) -> UUID | None:
    try:
        return None if text is None else UUID(text)
    except ValueError:
        return None
