"""HTTP routes for sessions and their checkpoints."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Query, Request, Response

from memory_service.methods import MemoryMethods as M
from memory_service.results import Checkpoint, Page, Session, SessionLine
from memory_service.server.dependencies import ReadMemory, WriteMemory
from memory_service.server.idempotency import REPEATABLE, set_subject
from memory_service.server.json_response import json_answer
from memory_service.server.method_routes import read_route
from memory_service.server.openapi import stale_session
from memory_service.server.session_schemas import (
    CheckpointBody,
    ForkBody,
    RestoreSessionBody,
    SessionBody,
    SessionChangeBody,
)
from memory_service.server.strict_json import StrictRoute
from memory_service.sessions.subject import subject_of

sessions = APIRouter(prefix="/v1/banks/{bank_id}/sessions", route_class=StrictRoute)

IncludeData = Annotated[bool, Query(description="false: the answer's `data` is null")]


@sessions.post("", status_code=201, response_model=Session, dependencies=[REPEATABLE])
async def create_session(memory: WriteMemory, request: Request, bank_id: str, body: SessionBody) -> Any:
    """Create a session, the working state of an agent. 409 if the id is in use, or if the bank is at its cap."""
    session = await memory.create_session(bank_id, **dict(body))
    return answer(request, session, 201)


read_route(
    sessions, "", M.list_sessions, Page[SessionLine],
    "List sessions without their data, the last changed first.",
)  # fmt: skip


@sessions.get("/{session_id}", response_model=Session)
async def get_session(
    memory: ReadMemory, bank_id: str, session_id: str, include_data: IncludeData = True
) -> Any:
    """One session with its data."""
    return json_answer(await memory.get_session(bank_id, session_id, include_data=include_data))


@sessions.patch("/{session_id}", response_model=Session, responses={409: stale_session()})
async def update_session(
    memory: WriteMemory,
    bank_id: str,
    session_id: str,
    body: SessionChangeBody,
    include_data: IncludeData = True,
) -> Any:
    """Change a session that is still at `version`, and move its version on. 409, with the present session, if it has
    changed since.

    With `include_data=false`, the cost of an `append` does not depend on the length of the list.
    """
    changed = await memory.update_session(bank_id, session_id, **dict(body), include_data=include_data)
    return json_answer(changed)


@sessions.delete("/{session_id}", status_code=204)
async def delete_session(memory: WriteMemory, bank_id: str, session_id: str) -> Response:
    """Delete a session with its checkpoints and their data. Forks of it stay."""
    await memory.delete_session(bank_id, session_id)
    return Response(status_code=204)


@sessions.post("/{session_id}/fork", status_code=201, response_model=Session, dependencies=[REPEATABLE])
async def fork_session(
    memory: WriteMemory, request: Request, bank_id: str, session_id: str, body: ForkBody | None = None
) -> Any:
    """Create a session with the state and data of this one, or of one of its checkpoints. 409 as for a new session."""
    fork = body or ForkBody(checkpoint_id=None, session_id=None)
    session = await memory.fork_session(
        bank_id, session_id, checkpoint_id=fork.checkpoint_id, fork_id=fork.session_id
    )
    return answer(request, session, 201)


@sessions.post("/{session_id}/restore", response_model=Session, dependencies=[REPEATABLE])
async def restore_session(
    memory: WriteMemory, request: Request, bank_id: str, session_id: str, body: RestoreSessionBody
) -> Any:
    """Give a session the state and data of one of its checkpoints, and move its version on."""
    return answer(request, await memory.restore_session(bank_id, session_id, body.checkpoint_id), 200)


@sessions.post(
    "/{session_id}/checkpoints", status_code=201, response_model=Checkpoint, dependencies=[REPEATABLE]
)
async def create_checkpoint(
    memory: WriteMemory,
    request: Request,
    bank_id: str,
    session_id: str,
    body: CheckpointBody | None = None,
) -> Any:
    """Keep the session's present state and data. 409 if as many checkpoints as the bank's cap have a name."""
    given = body or CheckpointBody(name=None, note=None)
    set_subject(request, subject_of(session_id))
    return await memory.create_checkpoint(bank_id, session_id, **dict(given))


read_route(
    sessions, "/{session_id}/checkpoints", M.list_checkpoints, Page[Checkpoint],
    "List the checkpoints of a session without their data, the newest first.",
)  # fmt: skip


@sessions.delete("/{session_id}/checkpoints/{checkpoint_id}", status_code=204)
async def delete_checkpoint(
    memory: WriteMemory, bank_id: str, session_id: str, checkpoint_id: UUID
) -> Response:
    """Delete a checkpoint."""
    await memory.delete_checkpoint(bank_id, session_id, checkpoint_id)
    return Response(status_code=204)


def answer(request: Request, session: Session, status: int) -> Response:
    """The session as the answer, which is deleted with the session where it is stored for repeated requests."""
    set_subject(request, subject_of(session.session_id))
    return json_answer(session, status)
