"""The form for the API key, and its exchange for a session."""

from __future__ import annotations

from http import HTTPStatus

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from memory_service.errors import Unauthorized
from memory_service.ui.forms import form_fields
from memory_service.ui.rendering import page
from memory_service.ui.route import PageRoute
from memory_service.ui.session import place_after, sign_in, sign_out

sessions = APIRouter(prefix="/ui", route_class=PageRoute)


@sessions.get("/sign-in")
async def form(request: Request, next: str | None = None) -> Response:  # noqa: A002 - name of the parameter
    return page(request, "sign_in.html", {"after": place_after(next), "problem": None})


@sessions.post("/sign-in")
async def exchange(request: Request) -> Response:
    fields = await form_fields(request)
    after = place_after(fields.get("next"))
    answer = RedirectResponse(after, HTTPStatus.SEE_OTHER)
    try:
        await sign_in(request, answer, fields.get("key", "").strip())
    except Unauthorized as error:
        values = {"after": after, "problem": str(error)}
        return page(request, "sign_in.html", values, HTTPStatus.UNAUTHORIZED)
    return answer


@sessions.post("/sign-out")
async def end(request: Request) -> Response:
    answer = RedirectResponse("/ui/sign-in", HTTPStatus.SEE_OTHER)
    sign_out(request, answer)
    return answer
