"""The HTTP door (DESIGN §8): thin routes onto one Memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, cast
from uuid import UUID

from fastapi import APIRouter, FastAPI, Query, Request, Response
from fastapi.responses import HTMLResponse

from memory_service import __version__
from memory_service.memory import Memory
from memory_service.requests import NewMessage
from memory_service.running_service import identity_of
from memory_service.serialization import committed_json, recall_json
from memory_service.server import openapi, problems
from memory_service.server.dependencies import Door
from memory_service.server.docs_page import docs_page
from memory_service.server.fact_routes import clarifications, facts
from memory_service.server.host_check import LocalOnly
from memory_service.server.json_response import json_answer
from memory_service.server.newline import Newline
from memory_service.server.schemas import (
    BankAnswer,
    BankBody,
    CommittedAnswer,
    CompactBody,
    ContextBody,
    MemoryBody,
    MessagesAnswer,
    MessagesBody,
    ReadyAnswer,
    RecallAnswer,
    RecallBody,
    RedrivenAnswer,
    ReleaseBody,
    RestoreBody,
    RestoredAnswer,
    SettingsBody,
    Time,
)
from memory_service.server.strict_json import StrictRoute
from memory_service.types import BankStats, Context, DeadLetter, Decision, MemoryItem, Page, Trace, TraceLine
from memory_service.vocabulary import MemoryStatus, MemoryType, Order

STUCK_SECONDS = 300.0
"""A piece of work older than this makes the service degraded, not down."""

banks = APIRouter(prefix="/v1/banks", route_class=StrictRoute)
every_bank = APIRouter(prefix="/v1", route_class=StrictRoute)
health = APIRouter()


def create_app(memory: Memory, hosts: Sequence[str] = ()) -> FastAPI:
    """The application on an open Memory, which stays its maker's to close.

    It answers under this machine's own names, the configured host and `hosts`.
    """
    app = FastAPI(
        title="Memory service",
        version=__version__,
        summary="Long-term memory for agents, in Postgres.",
        docs_url=None,  # FastAPI's own pages load scripts of other hosts
        redoc_url=None,
    )
    app.state.memory = memory
    app.state.identity = identity_of(memory.settings)
    app.include_router(banks)
    app.include_router(facts)
    app.include_router(clarifications)
    app.include_router(every_bank)
    app.include_router(health)
    problems.install(app)
    openapi.install(app)
    app.add_middleware(LocalOnly, hosts=(memory.settings.host, *hosts))
    app.add_middleware(Newline)
    return app


@banks.post("", status_code=201, response_model=BankAnswer, responses={200: {"model": BankAnswer}})
async def create_bank(memory: Door, body: BankBody, response: Response) -> Any:
    """Make a bank; the same again answers 200 and changes nothing."""
    bank, created = await memory.create_bank(body.bank_id, body.settings)
    response.status_code = 201 if created else 200
    return bank


@banks.get("/{bank_id}", response_model=BankAnswer)
async def get_bank(memory: Door, bank_id: str) -> Any:
    return await memory.get_bank(bank_id)


@banks.patch("/{bank_id}", response_model=BankAnswer)
async def update_bank(memory: Door, bank_id: str, body: SettingsBody) -> Any:
    return await memory.update_bank(bank_id, body.settings)


@banks.post("/{bank_id}/messages", status_code=202, response_model=MessagesAnswer)
async def add_messages(memory: Door, bank_id: str, body: MessagesBody) -> Any:
    """Acknowledge messages; they are judged, summarized and embedded behind the reply's back."""
    ids = await memory.add_messages(
        bank_id,
        body.conversation_id,
        [NewMessage(**m.model_dump()) for m in body.messages],
        agent_id=body.agent_id,
    )
    return json_answer({"message_ids": ids}, 202)


@banks.post("/{bank_id}/memories", status_code=201, response_model=CommittedAnswer)
async def remember(memory: Door, bank_id: str, body: MemoryBody) -> Any:
    """A conscious commit of what happened (episodic) or of what is true (semantic): past the gate, never past the harm
    check."""
    return committed_json(await memory.remember(bank_id, **body.model_dump()))


@banks.get("/{bank_id}/memories", response_model=Page[MemoryItem])
async def list_memories(
    memory: Door,
    bank_id: str,
    type: str | None = None,  # noqa: A002 - the contract's name
    tag: Annotated[list[str] | None, Query()] = None,
    min_importance: float | None = None,
    status: str | None = None,
    since: Time | None = None,
    until: Time | None = None,
    agent: str | None = None,
    recipient: str | None = None,
    order: str = "recency",
    limit: int = 50,
    cursor: str | None = None,
) -> Any:
    """Memories newest first, or the most important first with order=importance; any of the tags, all of the rest."""
    return await memory.list_memories(
        bank_id,
        type=cast("MemoryType | None", type),
        tags=tag,
        min_importance=min_importance,
        status=cast("MemoryStatus | None", status),
        since=since,
        until=until,
        agent=agent,
        recipient=recipient,
        order=cast("Order", order),
        limit=limit,
        cursor=cursor,
    )


@banks.get("/{bank_id}/memories/{memory_id}", response_model=MemoryItem)
async def get_memory(memory: Door, bank_id: str, memory_id: UUID) -> Any:
    return await memory.get_memory(bank_id, memory_id)


@banks.post("/{bank_id}/recall", response_model=RecallAnswer, response_model_exclude_unset=True)
async def recall(memory: Door, bank_id: str, body: RecallBody) -> Any:
    """The memories that answer a query best."""
    result = await memory.recall(bank_id, **body.model_dump(exclude={"explain"}))
    return json_answer(recall_json(result, explain=body.explain))


@banks.post("/{bank_id}/context", response_model=Context)
async def context(memory: Door, bank_id: str, body: ContextBody) -> Any:
    """What to put before the model for its next answer."""
    return json_answer(await memory.context(bank_id, **body.model_dump()))


@banks.post("/{bank_id}/compact", response_model=Context)
async def compact(memory: Door, bank_id: str, body: CompactBody) -> Any:
    """The bank's best for a message to somebody, within one token budget."""
    return json_answer(await memory.compact(bank_id, **body.model_dump()))


@banks.get("/{bank_id}/traces", response_model=Page[TraceLine])
async def list_traces(memory: Door, bank_id: str, limit: int = 50, cursor: str | None = None) -> Any:
    """Reads of this bank, newest first."""
    return await memory.list_traces(bank_id, limit=limit, cursor=cursor)


@banks.get("/{bank_id}/traces/{trace_id}", response_model=Trace)
async def get_trace(memory: Door, bank_id: str, trace_id: UUID) -> Any:
    """One read: every candidate, what its score is made of, and why it is in or out."""
    return json_answer(await memory.get_trace(bank_id, trace_id))


@banks.get("/{bank_id}/decisions", response_model=Page[Decision])
async def list_decisions(memory: Door, bank_id: str, limit: int = 50, cursor: str | None = None) -> Any:
    """Why things were stored or refused, newest first."""
    return await memory.list_decisions(bank_id, limit=limit, cursor=cursor)


@banks.get("/{bank_id}/stats")
async def stats(memory: Door, bank_id: str) -> BankStats:
    """When pending and depth are 0, all that was sent has been decided."""
    return await memory.stats(bank_id)


@banks.post("/{bank_id}/memories/{memory_id}/release", response_model=MemoryItem)
async def release_memory(memory: Door, bank_id: str, memory_id: UUID, body: ReleaseBody | None = None) -> Any:
    """Let a memory out of quarantine; 409 where it is not in there. It is embedded, then recalled, quoted as data."""
    actor = None if body is None else body.actor
    return await memory.release_memory(bank_id, memory_id, actor=actor)


@banks.post("/{bank_id}/memories/{memory_id}/restore", response_model=RestoredAnswer)
async def restore_memory(memory: Door, bank_id: str, memory_id: UUID, body: RestoreBody | None = None) -> Any:
    """Bring back what the night put away to keep the caps; 409 where there is nothing to bring back."""
    actor = None if body is None else body.actor
    status = await memory.restore_memory(bank_id, memory_id, actor=actor)
    return {"memory_id": memory_id, "status": status}


@banks.get("/{bank_id}/dead-letters", response_model=Page[DeadLetter])
async def list_dead_letters(memory: Door, bank_id: str, limit: int = 50, cursor: str | None = None) -> Any:
    """Work of this bank that failed for good, with reasons, oldest first."""
    return await memory.list_dead_letters(bank_id, limit=limit, cursor=cursor)


@banks.post("/{bank_id}/redrive", response_model=RedrivenAnswer)
async def redrive(memory: Door, bank_id: str) -> Any:
    """Bring the bank's dead letters back to life: what failed is tried again."""
    return {"redriven": await memory.redrive(bank_id)}


@every_bank.get("/dead-letters", response_model=Page[DeadLetter])
async def list_all_dead_letters(memory: Door, limit: int = 50, cursor: str | None = None) -> Any:
    """Work of every bank that failed for good, with reasons, oldest first."""
    return await memory.list_dead_letters(limit=limit, cursor=cursor)


@every_bank.post("/redrive", response_model=RedrivenAnswer)
async def redrive_all(memory: Door) -> Any:
    """Bring the dead letters of every bank back to life, one bank after the other."""
    return {"redriven": await memory.redrive_all()}


@health.get("/healthz")
async def healthz(request: Request) -> dict[str, str]:
    """The process lives. `service` is the same for all on the same data by the same release."""
    return {"status": "ok", "service": request.app.state.identity}


@health.get("/docs", include_in_schema=False)
async def docs(request: Request) -> HTMLResponse:
    return docs_page(request.app.openapi())


@health.get("/readyz", response_model=ReadyAnswer)
async def readyz(memory: Door) -> Any:
    """503 only without database or schema; a stuck queue is degraded, with 200."""
    queue = await memory.queue_stats()
    stuck = queue["oldest_seconds"] > STUCK_SECONDS or queue["dead"] > 0
    return {"status": "degraded" if stuck else "ready", "queue": queue}
