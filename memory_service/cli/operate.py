"""The commands that bring back or let go: quarantine, upkeep, dead letters, traces."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

import typer

from memory_service.cli.terminal import (
    AsJson,
    Bank,
    Cursor,
    MaybeBank,
    out,
    print_json,
    print_table,
    with_memory,
)
from memory_service.errors import InvalidInput


def expire(bank: MaybeBank = None, as_json: AsJson = False) -> None:
    """Let go of traces whose time is over, in one bank or in every one. Workers do so every hour."""
    count = with_memory(lambda memory: memory.expire_traces(bank))
    if as_json:
        print_json({"expired": count})
    else:
        out().print(f"{count} traces have expired, wholly or their query.")


def release(
    memory_id: UUID,
    bank: Bank,
    actor: Annotated[str | None, typer.Option(help="who vouches for it; default operator")] = None,
    as_json: AsJson = False,
) -> None:
    """Let a memory out of quarantine: it is embedded, then recalled like any other, quoted as data."""
    item = with_memory(lambda memory: memory.release_memory(bank, memory_id, actor=actor))
    if as_json:
        print_json(item)
    else:
        out().print(f"{item.memory_id} is released; it is {item.status}.", soft_wrap=True)


def restore(
    memory_id: UUID,
    bank: Bank,
    actor: Annotated[str | None, typer.Option(help="who wants it back; default operator")] = None,
    as_json: AsJson = False,
) -> None:
    """Bring back what the night put away: an archived or deprecated episode, a fact dropped to make room."""
    status = with_memory(lambda memory: memory.restore_memory(bank, memory_id, actor=actor))
    if as_json:
        print_json({"memory_id": memory_id, "status": status})
    else:
        out().print(f"{memory_id} is brought back; it is {status}.", soft_wrap=True)


def dead_letters(
    bank: MaybeBank = None, limit: int = 50, cursor: Cursor = None, as_json: AsJson = False
) -> None:
    """Work that failed for good, with reasons, oldest first; of every bank where none is named."""
    page = with_memory(lambda memory: memory.list_dead_letters(bank, limit=limit, cursor=cursor))
    if as_json:
        print_json(page)
        return
    rows = [
        (
            f"{x.dead_at:%Y-%m-%d %H:%M}",
            x.bank_id,
            x.kind,
            f"{x.about} {x.subject}",
            str(x.attempts),
            x.reason,
        )
        for x in page.items
    ]
    print_table(("dead since", "bank", "kind", "about", "tries", "reason"), rows, page.next_cursor)


def redrive(
    bank: MaybeBank = None,
    every: Annotated[bool, typer.Option("--all", help="every bank that has dead letters")] = False,
    as_json: AsJson = False,
) -> None:
    """Bring dead letters back to life: what failed is tried again."""
    if (bank is None) is not every:
        raise InvalidInput("--bank", "name one bank, or say --all for every bank, and not both")
    count = with_memory(lambda memory: memory.redrive_all() if bank is None else memory.redrive(bank))
    if as_json:
        print_json({"redriven": count})
    else:
        out().print(f"{count} dead letters are back in the queue.")
