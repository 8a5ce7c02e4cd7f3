"""Sessions: a cookie that is exchanged for an API key. Nothing is stored; it ends with its key, or after 12 hours."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fastapi import Request, Response

from memory_service import access_tokens
from memory_service.errors import Conflict, Unauthorized
from memory_service.server.dependencies import authenticate

if TYPE_CHECKING:
    from memory_service.keys import Grant
    from memory_service.server.authentication import Authenticator

COOKIE = "memory_session"
PATH = "/ui"
NEXT = re.compile(r"/ui(?:/(?!\.|%2e)[^/\\\x00-\x20]*)*", re.IGNORECASE)
"""Places to continue at after signing in: pages only. Segments such as ".." would leave /ui in a browser."""


async def grant_of_session(request: Request) -> Grant | None:
    """The rights of the request's session, or of its Authorization header; None while no key is needed.

    Errors: Unauthorized, DatabaseUnavailable.
    """
    if "authorization" in request.headers:
        return await authenticate(request)
    authenticator: Authenticator = request.app.state.authenticator
    return await authenticator.session_grant(request.cookies.get(COOKIE))


async def sign_in(request: Request, response: Response, key: str) -> None:
    """Set the cookie of a session with the rights of this API key.

    Errors: Unauthorized; Conflict for a key that cannot sign, or while no key is needed; DatabaseUnavailable.
    """
    authenticator: Authenticator = request.app.state.authenticator
    if access_tokens.looks_like_token(key):
        raise Unauthorized("an access token cannot sign in; use the API key")
    grant = await authenticator.grant(f"Bearer {key}")
    if grant is None:
        raise Conflict("the service has no API keys: the pages are open")
    stored = await request.app.state.memory.store.keys.read(grant.key_id)
    if stored is None or stored.token_public_key is None:
        raise Conflict("the API key is of a release without access tokens; rotate it")
    response.set_cookie(
        COOKIE, access_tokens.sign_session(key, grant), path=PATH, httponly=True, samesite="strict",
        secure=is_encrypted(request),
    )  # fmt: skip


def sign_out(request: Request, response: Response) -> None:
    """Remove the cookie."""
    response.delete_cookie(COOKIE, path=PATH, httponly=True, samesite="strict", secure=is_encrypted(request))


def is_encrypted(request: Request) -> bool:
    """Whether the browser reaches the service by HTTPS, which a proxy may end."""
    return request.url.scheme == "https" or request.headers.get("origin", "").startswith("https://")


def place_after(text: str | None) -> str:
    """The page to continue at; the first one for an address that is none of these pages."""
    return text if text and NEXT.fullmatch(text) else PATH
