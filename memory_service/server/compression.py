"""Middleware that compresses long answers for clients that accept gzip."""

from __future__ import annotations

from starlette.middleware.gzip import GZipMiddleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MIN_BYTES = 4096
"""Shorter answers, contexts among them, are sent as they are: on one machine compressing takes longer than sending."""
LEVEL = 4
CONDITIONS = (b"if-match", b"if-none-match")
SUFFIX = b'-gzip"'


class Compression:
    """Compresses with gzip, and gives the compressed answer another ETag: a strong ETag names exact bytes."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = GZipMiddleware(app, MIN_BYTES, LEVEL)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        headers = [
            (name, value.replace(SUFFIX, b'"') if name in CONDITIONS else value)
            for name, value in scope["headers"]
        ]

        async def named(message: Message) -> None:
            if (
                message["type"] == "http.response.start"
                and (b"content-encoding", b"gzip") in message["headers"]
            ):
                message["headers"] = [
                    (name, value.removesuffix(b'"') + SUFFIX if name == b"etag" else value)
                    for name, value in message["headers"]
                ]
            await send(message)

        await self._app({**scope, "headers": headers}, receive, named)
        return None
