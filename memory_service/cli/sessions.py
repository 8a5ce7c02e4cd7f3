"""Commands for sessions: list and show them, list checkpoints, restore, delete."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated
from uuid import UUID

import typer

from memory_service.cli.terminal import (
    AsJson,
    Bank,
    Cursor,
    group,
    list_whole_lines,
    out,
    print_entries,
    print_json,
    print_table,
    with_memory,
)

if TYPE_CHECKING:
    from memory_service.memory import Memory
    from memory_service.results import Checkpoint, Page, Session

sessions = group(
    "List, show, restore and delete sessions, the working state of agents.", no_args_is_help=True
)

SessionId = Annotated[str, typer.Argument(help="id of a session, as listed by `sessions list`")]


@sessions.command("list")
def list_sessions(bank: Bank, limit: int = 50, cursor: Cursor = None, as_json: AsJson = False) -> None:
    """List sessions without their data, the last changed first."""
    page = with_memory(lambda memory: memory.list_sessions(bank, limit=limit, cursor=cursor))
    if as_json:
        print_json(page)
        return
    entries = (
        (
            s.session_id,
            (
                s.state,
                f"version {s.version}",
                f"{s.bytes:,} bytes",
                f"{s.checkpoints} checkpoints",
                f"changed {s.updated_at:%Y-%m-%d %H:%M}",
            ),
        )
        for s in page.items
    )
    print_entries(entries, page.next_cursor)


@sessions.command()
def show(session_id: SessionId, bank: Bank, as_json: AsJson = False) -> None:
    """Show one session with its data."""
    session = with_memory(lambda memory: memory.get_session(bank, session_id))
    if as_json:
        print_json(session)
        return
    print_session(session)
    print_json(session.data)


@sessions.command()
def checkpoints(
    session_id: SessionId, bank: Bank, limit: int = 50, cursor: Cursor = None, as_json: AsJson = False
) -> None:
    """List the checkpoints of a session, the newest first."""

    async def read(memory: Memory) -> Page[Checkpoint]:
        return await memory.list_checkpoints(bank, session_id, limit=limit, cursor=cursor)

    page = with_memory(read)
    if as_json:
        print_json(page)
        return
    rows = [
        (
            str(c.checkpoint_id),
            f"{c.created_at:%Y-%m-%d %H:%M}",
            str(c.version),
            c.state,
            c.name or "",
            c.note or "",
        )
        for c in page.items
    ]
    print_table(("checkpoint", "created", "version", "state", "name", "note"), rows, page.next_cursor)


@sessions.command()
def restore(
    session_id: SessionId,
    checkpoint_id: Annotated[UUID, typer.Argument(help="id of a checkpoint of the session")],
    bank: Bank,
    as_json: AsJson = False,
) -> None:
    """Give a session the state and data of one of its checkpoints."""
    session = with_memory(lambda memory: memory.restore_session(bank, session_id, checkpoint_id))
    if as_json:
        print_json(session)
    else:
        print_session(session)


@sessions.command()
def delete(session_id: SessionId, bank: Bank, as_json: AsJson = False) -> None:
    """Delete a session with its checkpoints and their data."""
    with_memory(lambda memory: memory.delete_session(bank, session_id))
    if as_json:
        print_json({"session_id": session_id, "deleted": True})
    else:
        out().print(f"{session_id} is deleted.", markup=False, soft_wrap=True)


def print_session(session: Session) -> None:
    out().print(
        f"{session.session_id} is in state {session.state}, version {session.version}.",
        markup=False,
        soft_wrap=True,
    )


list_whole_lines(sessions)
