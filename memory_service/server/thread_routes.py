"""HTTP routes of the emotional thread."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Query

from memory_service.methods import MemoryMethods as M
from memory_service.results import EmotionalThread, Page
from memory_service.server.dependencies import ReadMemory, Reviewer, WriteMemory
from memory_service.server.idempotency import REPEATABLE
from memory_service.server.method_routes import read_route
from memory_service.server.schemas import Time
from memory_service.server.strict_json import StrictRoute

threads = APIRouter(prefix="/v1/banks/{bank_id}/emotional-thread", route_class=StrictRoute)


@dataclass(frozen=True, slots=True)
class OpenThread:
    emotional_thread: EmotionalThread | None
    """null: none is open."""


@threads.get("", response_model=OpenThread)
async def emotional_thread(
    memory: ReadMemory,
    bank_id: str,
    as_of: Annotated[Time | None, Query(description="the thread at this time; default: now")] = None,
) -> Any:
    """The mood that is carried on, or null."""
    return OpenThread(await memory.emotional_thread(bank_id, as_of=as_of))


read_route(
    threads, "/history", M.list_emotional_threads, Page[EmotionalThread],
    "List all threads, open and ended, the one that began last first.",
)  # fmt: skip


@threads.post("/end", response_model=OpenThread, dependencies=[REPEATABLE])
async def end_emotional_thread(memory: WriteMemory, bank_id: str, actor: Reviewer) -> Any:
    """End the open thread: no context shows it any more, and the next mood begins another one. The answer is the thread
    that was ended; null if none was open."""
    return OpenThread(await memory.end_emotional_thread(bank_id, actor=actor))
