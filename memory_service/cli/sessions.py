"""Commands for sessions: list and show them, list checkpoints, restore, delete."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated
from uuid import UUID

import typer

from memory_service.cli.terminal import (
    AsJson,
    Bank,
    Cursor,
    Entry,
    group,
    list_whole_lines,
    out,
    print_answer,
    print_json,
    print_listed,
    print_rows,
    read_memory,
    with_memory,
)

if TYPE_CHECKING:
    from memory_service.results import Checkpoint, Session, SessionLine

sessions = group(
    "List, show, restore and delete sessions, the working state of agents.", no_args_is_help=True
)

SessionId = Annotated[str, typer.Argument(help="id of a session, as listed by `sessions list`")]


@sessions.command("list")
def list_sessions(bank: Bank, limit: int = 50, cursor: Cursor = None, as_json: AsJson = False) -> None:
    """List sessions without their data, the last changed first."""
    page = read_memory(lambda memory: memory.list_sessions(bank, limit=limit, cursor=cursor))
    print_listed(page, session_entry, as_json=as_json)


def session_entry(s: SessionLine) -> Entry:
    sizes = (f"version {s.version}", f"{s.bytes:,} bytes", f"{s.checkpoints} checkpoints")
    return s.session_id, (s.state, *sizes, f"changed {s.updated_at:%Y-%m-%d %H:%M}")


@sessions.command()
def show(session_id: SessionId, bank: Bank, as_json: AsJson = False) -> None:
    """Show one session with its data."""
    session = read_memory(lambda memory: memory.get_session(bank, session_id))
    if as_json:
        print_json(session)
        return
    out().print(text_of(session), markup=False, soft_wrap=True)
    print_json(session.data)


@sessions.command()
def checkpoints(
    session_id: SessionId, bank: Bank, limit: int = 50, cursor: Cursor = None, as_json: AsJson = False
) -> None:
    """List the checkpoints of a session, the newest first."""
    page = read_memory(lambda memory: memory.list_checkpoints(bank, session_id, limit=limit, cursor=cursor))
    names = ("checkpoint", "created", "version", "state", "name", "note")
    print_rows(page, names, checkpoint_row, as_json=as_json)


def checkpoint_row(c: Checkpoint) -> tuple[str, ...]:
    created = f"{c.created_at:%Y-%m-%d %H:%M}"
    return str(c.checkpoint_id), created, str(c.version), c.state, c.name or "", c.note or ""


@sessions.command()
def restore(
    session_id: SessionId,
    checkpoint_id: Annotated[UUID, typer.Argument(help="id of a checkpoint of the session")],
    bank: Bank,
    as_json: AsJson = False,
) -> None:
    """Give a session the state and data of one of its checkpoints."""
    session = with_memory(lambda memory: memory.restore_session(bank, session_id, checkpoint_id))
    print_answer(session, text_of(session), as_json=as_json)


@sessions.command()
def delete(session_id: SessionId, bank: Bank, as_json: AsJson = False) -> None:
    """Delete a session with its checkpoints and their data."""
    with_memory(lambda memory: memory.delete_session(bank, session_id))
    print_answer({"session_id": session_id, "deleted": True}, f"{session_id} is deleted.", as_json=as_json)


def text_of(session: Session) -> str:
    return f"{session.session_id} is in state {session.state}, version {session.version}."


list_whole_lines(sessions)
