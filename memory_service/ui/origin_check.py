"""The Origin check of acts and costly pages: a browser names where a request is from, and no page can change that."""

from __future__ import annotations

from urllib.parse import urlsplit

from fastapi import Request

from memory_service.errors import Forbidden

SAME_ORIGIN, BY_ADDRESS = "same-origin", "none"


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


def check_opened_here(request: Request) -> None:
    """Errors: Forbidden where a page of another site or port makes the request: without API keys any page could."""
    if not {SAME_ORIGIN, BY_ADDRESS}.issuperset(request.headers.getlist("sec-fetch-site")):
        raise Forbidden("this page is opened from a page of this service, or by its address")


def is_origin_of(origin: str, host: str | None) -> bool:
    """Whether an Origin has this host and port."""
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(host) and parts.netloc.lower() == str(host).lower()
