"""Middleware that gives each request an id, in the answer's X-Request-Id and in every log line of the request."""

from __future__ import annotations

import re

from starlette.types import ASGIApp, Message, Receive, Scope, Send
from structlog.contextvars import bound_contextvars
from uuid_utils.compat import uuid7

HEADER = b"x-request-id"
ACCEPTED = re.compile(rb"[A-Za-z0-9._:+/=-]{1,128}")
"""Ids of other systems: UUIDs, ULIDs, trace ids, base64. Others are replaced, since the id is written to logs."""


class RequestId:
    """Takes the id from the request's X-Request-Id if it has one that is ACCEPTED, else makes one."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        given = [value for name, value in scope["headers"] if name == HEADER]
        accepted = len(given) == 1 and ACCEPTED.fullmatch(given[0])
        request_id = given[0] if accepted else str(uuid7()).encode()

        async def named(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], (HEADER, request_id)]
            await send(message)

        with bound_contextvars(request_id=request_id.decode()):
            await self._app(scope, receive, named)
        return None
