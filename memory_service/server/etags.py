"""ETags: conditional reads (If-None-Match) and conditional changes (If-Match), RFC 9110."""

from __future__ import annotations

import hashlib
import re
from typing import Annotated, Any

from fastapi import Header, Response

NOT_MODIFIED: dict[int | str, dict[str, Any]] = {304: {"description": "The answer has not changed."}}
_TAG = re.compile(r'(W/)?"([^"]*)"')

IfMatch = Annotated[
    str | None,
    Header(alias="If-Match", description="ETags of the memory as last read; 412 if it has changed since"),
]
IfNoneMatch = Annotated[
    str | None, Header(alias="If-None-Match", description="ETags of earlier answers; 304 if one is current")
]


def etag_of(body: bytes) -> str:
    """An ETag of an answer's bytes."""
    return hashlib.sha256(body).hexdigest()[:16]


def strong_tags(if_match: str | None) -> list[str] | None:
    """The ETags that a change is conditional on; None for none, or for any (`*`). Weak ones match nothing."""
    if if_match is None or if_match.strip() == "*":
        return None
    return [tag for weak, tag in _TAG.findall(if_match) if not weak]


def answer_if_changed(
    if_none_match: str | None, response: Response, etag: str, *, weak: bool = False
) -> Response:
    """The response with its ETag, or 304 without a body if the client has the answer with this ETag."""
    known = if_none_match or ""
    headers = {"ETag": f'{"W/" if weak else ""}"{etag}"', "Cache-Control": "private, no-cache"}
    if known.strip() == "*" or any(tag == etag for _, tag in _TAG.findall(known)):
        return Response(status_code=304, headers=headers)
    response.headers.update(headers)
    return response
