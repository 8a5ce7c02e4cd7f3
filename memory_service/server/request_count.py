"""Middleware that counts requests by route, method and status, and times the acknowledgement of messages."""

from __future__ import annotations

import time

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from memory_service.metrics import ACKNOWLEDGE, HTTP_REQUESTS, Counts

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
OTHER = "other"
"""Label of paths without a route and of unknown methods: they are text of the caller."""
MESSAGES = "/v1/banks/{bank_id}/messages"


class RequestCount:
    """Counts a request when its answer begins."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        began = time.perf_counter()

        async def counted(message: Message) -> None:
            if message["type"] == "http.response.start":
                count(scope, message["status"], time.perf_counter() - began)
            await send(message)

        return await self._app(scope, receive, counted)


def count(scope: Scope, status: int, seconds: float) -> None:
    """Count an answer. The route is a template such as /v1/banks/{bank_id}, never a path."""
    counts: Counts = scope["app"].state.memory.store.counts
    route = getattr(scope.get("route"), "path", OTHER)
    method = scope["method"] if scope["method"] in METHODS else OTHER
    counts.count(HTTP_REQUESTS, route, method, str(status))
    if route == MESSAGES and status == 202:
        counts.observe(ACKNOWLEDGE, seconds)
