"""Middleware that makes the spans of a request children of the caller's span (W3C Trace Context)."""

from __future__ import annotations

from opentelemetry import context, propagate
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send


class TraceContext:
    """Takes the parent span from the headers `traceparent` and `tracestate`."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not any(name == b"traceparent" for name, _ in scope["headers"]):
            return await self._app(scope, receive, send)
        token = context.attach(propagate.extract(Headers(scope=scope)))
        try:
            await self._app(scope, receive, send)
        finally:
            context.detach(token)
        return None
