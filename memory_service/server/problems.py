"""Errors as RFC 9457 problem documents: every one names the field it is about."""

from __future__ import annotations

from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.routing import compile_path
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from memory_service.errors import DatabaseUnavailable, InvalidInput, MemoryServiceError
from memory_service.logs import unexpected

log = structlog.get_logger()

PLACES = ("body", "query", "path")
MAX_ERRORS = 20
"""Of thousands of errors the first few say it all."""


def problem(
    status: int, detail: str, errors: Sequence[dict[str, str]] = (), headers: dict[str, str] | None = None
) -> JSONResponse:
    """A problem document; `errors` lists {field, problem}."""
    content: dict[str, Any] = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": printable(detail),
    }
    if errors:
        content["errors"] = [{key: printable(value) for key, value in e.items()} for e in errors]
    return JSONResponse(content, status, headers, media_type="application/problem+json")


def printable(text: str) -> str:
    """A caller's own lone surrogates must not break the answer that complains about them."""
    return text.encode("utf-8", "replace").decode()


def install(app: FastAPI) -> None:
    """Make every error of this app a problem document."""

    @app.exception_handler(MemoryServiceError)
    async def domain(_: Request, error: MemoryServiceError) -> JSONResponse:
        errors = [{"field": error.field, "problem": error.problem}] if isinstance(error, InvalidInput) else []
        headers = {"Retry-After": "1"} if isinstance(error, DatabaseUnavailable) else None
        return problem(error.status, str(error), errors, headers)

    @app.exception_handler(RequestValidationError)
    async def invalid(_: Request, error: RequestValidationError) -> JSONResponse:
        errors = [
            {"field": field_name(e["loc"]), "problem": str(e["msg"]).removeprefix("Value error, ")}
            for e in error.errors()[:MAX_ERRORS]
        ]
        return problem(422, "; ".join(f"{e['field']}: {e['problem']}" for e in errors[:5]), errors)

    @app.exception_handler(HTTPException)
    async def http(request: Request, error: HTTPException) -> JSONResponse:
        headers = dict(error.headers or {})
        if error.status_code == 405 and (methods := allowed(app, request.url.path)):
            headers["Allow"] = ", ".join(sorted(methods))
        return problem(error.status_code, str(error.detail), headers=headers)

    app.add_middleware(Unexpected)
    _ = (domain, invalid, http)


def allowed(app: FastAPI, path: str) -> set[str]:
    """The methods that the OpenAPI document has for a path; Starlette names those of the first route to it."""
    return {
        method.upper()
        for template, calls in app.openapi()["paths"].items()
        if compile_path(template)[0].match(path)
        for method in calls
    }


class Unexpected:
    """Answers 500 for our own mistakes. Left to the server they would be logged with messages and values, which
    may hold memory text; here only the kind of error and the places in the code are."""

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
                answer = problem(500, "the service made a mistake; it is in the service's log")
                await answer(scope, receive, send)


def field_name(location: Sequence[int | str]) -> str:
    """`messages[0].content` from pydantic's location."""
    parts = list(location[1:]) if location and location[0] in PLACES else list(location)
    name = ""
    for part in parts:
        name += f"[{part}]" if isinstance(part, int) else f".{part}" if name else str(part)
    return name or "body"
