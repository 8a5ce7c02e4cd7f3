"""The answer to an act: the page that shows its result."""

from __future__ import annotations

from http import HTTPStatus

from fastapi import Response
from fastapi.responses import RedirectResponse

from memory_service.ui.rendering import link


def done(*place: object, act: str) -> Response:
    """To the page at `place`, which names the act."""
    return RedirectResponse(link(*place, act=act), HTTPStatus.SEE_OTHER)
