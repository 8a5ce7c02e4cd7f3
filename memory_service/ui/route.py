"""Routes of pages: session, Origin check, headers, and errors as pages."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import RedirectResponse
from fastapi.routing import APIRoute

from memory_service.errors import InvalidInput, MemoryServiceError, Unauthorized
from memory_service.server.problems import field_name
from memory_service.server.rate_limits import RateLimits
from memory_service.store.database import read_only
from memory_service.ui.origin_check import check_origin
from memory_service.ui.rendering import error_answer, is_page
from memory_service.ui.session import grant_of_session

POLICY = "; ".join(
    (
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'", "connect-src 'self'",
        "form-action 'self'", "frame-ancestors 'none'", "base-uri 'none'",
    )
)  # fmt: skip
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",  # with no-referrer, browsers send no Origin with forms
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
UNSTORED = "no-store"
OPEN = ("/ui/sign-in", "/ui/static/{name}")
"""Paths that need no session."""

Endpoint = Callable[..., Coroutine[Any, Any, Response]]


class PageRoute(APIRoute):
    """A route that needs a session where the service has API keys. It answers errors as pages."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()
        known = {parameter.alias for parameter in self.dependant.query_params}
        needs_session = self.path not in OPEN

        async def answer(request: Request) -> Response:
            try:
                if request.method == "POST":
                    check_origin(request)
                request.state.grant = None
                if needs_session:
                    await admit(request)
                for name in request.query_params:
                    if name not in known:
                        raise InvalidInput(name, "is not a parameter of this page")
                grant = request.state.grant
                reset = read_only.set(grant is not None and grant.role == "read")
                try:
                    response = await handle(request)
                finally:
                    read_only.reset(reset)
            except Unauthorized as error:
                response = (
                    to_sign_in(request)
                    if is_page(request)
                    else error_answer(request, error.status, str(error))
                )
            except MemoryServiceError as error:
                response = error_answer(request, error.status, str(error))
            except RequestValidationError as error:
                problems = "; ".join(f"{field_name(one['loc'])}: {one['msg']}" for one in error.errors()[:5])
                response = error_answer(request, HTTPStatus.UNPROCESSABLE_ENTITY, problems)
            response.headers.update(HEADERS)
            response.headers.setdefault("Cache-Control", UNSTORED)
            return response

        return answer


async def admit(request: Request) -> None:
    """Set the rights of the request and count it. Errors: Unauthorized, RateLimited, DatabaseUnavailable."""
    grant = request.state.grant = await grant_of_session(request)
    rate_limits: RateLimits = request.app.state.rate_limits
    if grant is not None:
        await rate_limits.take(grant, "requests", 1)


def to_sign_in(request: Request) -> Response:
    """To the form for the key, and from there to the page that was requested."""
    place = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    after = f"?{urlencode({'next': place})}" if request.method == "GET" and place != "/ui" else ""
    return RedirectResponse(f"/ui/sign-in{after}", HTTPStatus.SEE_OTHER)


def view(router: APIRouter, path: str, *, csv: bool = False) -> Callable[[Endpoint], Endpoint]:
    """Register an endpoint as a page, and under the same path with .json, and with .csv for a table."""

    def registered(endpoint: Endpoint) -> Endpoint:
        for suffix in (".json", *((".csv",) if csv else ()), ""):
            router.add_api_route(path + suffix, endpoint, methods=["GET"], response_model=None)
        return endpoint

    return registered
