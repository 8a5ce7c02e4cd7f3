"""Errors as RFC 9457 problem documents, which name the invalid fields."""

from __future__ import annotations

import math
from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from pydantic_core import to_json
from starlette.exceptions import HTTPException
from starlette.routing import compile_path
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from memory_service.errors import (
    DatabaseUnavailable,
    InvalidInput,
    MemoryServiceError,
    RateLimited,
    RequestInProgress,
    StaleVersion,
    TryLater,
    Unauthorized,
)
from memory_service.logs import unexpected
from memory_service.server.rate_limits import Allowance

log = structlog.get_logger()

PLACES = ("body", "query", "path")
MAX_ERRORS = 20
"""Maximum number of entries in `errors` for an invalid body."""


def problem(
    status: int,
    detail: str,
    errors: Sequence[dict[str, str]] = (),
    headers: dict[str, str] | None = None,
    **members: object,
) -> Response:
    """A problem document; `errors` lists {field, problem}, `members` are further ones."""
    content: dict[str, Any] = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": printable(detail),
    }
    if errors:
        content["errors"] = [{key: printable(value) for key, value in e.items()} for e in errors]
    return Response(to_json(content | members), status, headers, media_type="application/problem+json")


def printable(text: str) -> str:
    """The text with lone surrogates replaced: a request can contain them, UTF-8 cannot."""
    return text.encode("utf-8", "replace").decode()


def install(app: FastAPI) -> None:
    """Answer each error of this app with a problem document."""

    @app.exception_handler(MemoryServiceError)
    async def domain(request: Request, error: MemoryServiceError) -> Response:
        errors = [{"field": error.field, "problem": error.problem}] if isinstance(error, InvalidInput) else []
        headers = {"Retry-After": "1"} if isinstance(error, DatabaseUnavailable | RequestInProgress) else None
        if isinstance(error, TryLater):
            headers = {"Retry-After": str(max(1, math.ceil(error.retry_after)))}
        if isinstance(error, RateLimited):
            headers = {**(headers or {}), **Allowance(error.per_minute, error.remaining).headers()}
        if isinstance(error, Unauthorized):
            headers = {"WWW-Authenticate": getattr(request.state, "challenge", "Bearer")}
        if isinstance(error, StaleVersion):
            return problem(error.status, str(error), session=error.session)
        return problem(error.status, str(error), errors, headers)

    @app.exception_handler(RequestValidationError)
    async def invalid(_: Request, error: RequestValidationError) -> Response:
        errors = [
            {"field": field_name(e["loc"]), "problem": str(e["msg"]).removeprefix("Value error, ")}
            for e in error.errors()[:MAX_ERRORS]
        ]
        return problem(422, "; ".join(f"{e['field']}: {e['problem']}" for e in errors[:5]), errors)

    @app.exception_handler(HTTPException)
    async def http(request: Request, error: HTTPException) -> Response:
        headers = dict(error.headers or {})
        if error.status_code == 405 and (methods := allowed(app, request.url.path)):
            headers["Allow"] = ", ".join(sorted(methods))
        return problem(error.status_code, str(error.detail), headers=headers)

    app.add_middleware(Unexpected)
    _ = (domain, invalid, http)


def allowed(app: FastAPI, path: str) -> set[str]:
    """The methods that the OpenAPI document lists for a path. (Starlette lists those of the first matching route.)"""
    return {
        method.upper()
        for template, calls in app.openapi()["paths"].items()
        if compile_path(template)[0].match(path)
        for method in calls
    }


class Unexpected:
    """Answers 500 to unexpected exceptions and logs their type and code positions.

    uvicorn would log messages and values, which may contain memory text.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        answering = False

        async def watched(message: Message) -> None:
            nonlocal answering
            answering = True
            await send(message)

        try:
            await self._app(scope, receive, watched)
        except Exception as error:
            log.error("unexpected error", path=scope.get("path"), **unexpected(error))  # noqa: TRY400
            if not answering:
                answer = problem(500, "internal error; details are in the service's log")
                await answer(scope, receive, send)


def field_name(location: Sequence[int | str]) -> str:
    """pydantic's error location as a field name such as `messages[0].content`."""
    parts = list(location[1:]) if location and location[0] in PLACES else list(location)
    name = ""
    for part in parts:
        name += f"[{part}]" if isinstance(part, int) else f".{part}" if name else str(part)
    return name or "body"
