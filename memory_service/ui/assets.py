"""Stylesheets and scripts, with the hash of their content in their address, so that browsers may keep them."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from fastapi import APIRouter, Response

from memory_service.errors import NotFound
from memory_service.ui.route import PageRoute

FOLDER = Path(__file__).parent
TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
CACHE = "public, max-age=31536000, immutable"

assets = APIRouter(prefix="/ui", route_class=PageRoute)


@dataclass(frozen=True, slots=True)
class Asset:
    content: bytes
    media_type: str
    digest: str


@cache
def all_assets() -> dict[str, Asset]:
    """The files of static/ and vendor/ by name."""
    return {
        file.name: Asset(content, TYPES[file.suffix], hashlib.sha256(content).hexdigest()[:16])
        for folder in ("static", "vendor")
        for file in sorted((FOLDER / folder).iterdir())
        if file.suffix in TYPES and (content := file.read_bytes())
    }


def address_of(name: str) -> str:
    """The address of a file, which changes with its content."""
    return f"/ui/static/{name}?v={all_assets()[name].digest}"


@assets.get("/static/{name}")
async def asset(name: str, v: str = "") -> Response:
    found = all_assets().get(name)
    if found is None:
        raise NotFound("there is no such file")
    return Response(found.content, media_type=found.media_type, headers={"Cache-Control": CACHE})
