"""HTTP route of the changes feed, with long polling."""

from __future__ import annotations

import asyncio
import time
from typing import Any

from fastapi import APIRouter, Request

from memory_service.api.reads import MAX_CHANGES_WAIT
from memory_service.results import Change, Page
from memory_service.server.dependencies import ReadMemory, authenticate
from memory_service.server.strict_json import StrictRoute
from memory_service.validation import check_number

RECHECK_SECONDS = 0.5
"""How often a request that waits checks its key, its client and whether the process ends."""

changes = APIRouter(prefix="/v1/banks/{bank_id}/changes", route_class=StrictRoute)


@changes.get("", response_model=Page[Change])
async def list_changes(
    request: Request,
    memory: ReadMemory,
    bank_id: str,
    limit: int = 50,
    cursor: str | None = None,
    wait_seconds: float = 0,
) -> Any:
    """What happened to the memories of a bank, oldest first, each event once.

    Without events after `cursor` the answer waits for one, at most `wait_seconds` (0 to 30). `next_cursor` leads
    to later events, also after the last one.
    """
    check_number(wait_seconds, "wait_seconds", 0, MAX_CHANGES_WAIT)
    end = time.monotonic() + wait_seconds
    while True:
        left = max(0.0, end - time.monotonic())
        page = await memory.list_changes(
            bank_id, limit=limit, cursor=cursor, wait_seconds=min(left, RECHECK_SECONDS)
        )
        if wait_seconds > 0:
            await authenticate(request)  # a key that is revoked meanwhile ends the wait, and gets no events
        if page.items or left <= RECHECK_SECONDS or stops(request) or await request.is_disconnected():
            return page


def stops(request: Request) -> bool:
    """Whether the process is about to end."""
    stopping: asyncio.Event | None = getattr(request.app.state, "stopping", None)
    return stopping is not None and stopping.is_set()
