"""The Origin check of acts: a browser names the page that sends a form, and no page can change that."""

from __future__ import annotations

from urllib.parse import urlsplit

from fastapi import Request

from memory_service.errors import Forbidden

SAME_ORIGIN = "same-origin"


def check_origin(request: Request) -> None:
    """Errors: Forbidden unless the request comes from a page of this service.

    A page on another port of this machine is another origin, though its requests carry the same cookies. Behind a proxy
    that changes Host, Sec-Fetch-Site decides, which browsers send to HTTPS and loopback addresses.
    """
    fetched = request.headers.getlist("sec-fetch-site")
    if fetched:
        allowed = fetched == [SAME_ORIGIN]
    else:
        origins = request.headers.getlist("origin")
        allowed = len(origins) == 1 and is_origin_of(origins[0], request.headers.get("host"))
    if not allowed:
        raise Forbidden("this form was not sent by a page of this service")


def is_origin_of(origin: str, host: str | None) -> bool:
    """Whether an Origin has this host and port."""
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(host) and parts.netloc.lower() == str(host).lower()
