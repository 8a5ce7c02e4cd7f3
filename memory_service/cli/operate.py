"""Commands that change, release, restore, redrive and expire."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any, cast
from uuid import UUID

import typer

from memory_service.cli.terminal import (
    AsJson,
    Bank,
    Cursor,
    MaybeBank,
    NewTags,
    out,
    print_json,
    print_table,
    with_memory,
)
from memory_service.errors import InvalidInput

if TYPE_CHECKING:
    from memory_service.memory import Memory


def expire(bank: MaybeBank = None, as_json: AsJson = False) -> None:
    """Delete expired traces, expired queries of traces, and expired sessions. Workers do this hourly."""

    async def expired(memory: Memory) -> tuple[int, int]:
        return await memory.expire_traces(bank), await memory.expire_sessions(bank)

    traces, sessions = with_memory(expired)
    if as_json:
        print_json({"expired": traces, "sessions": sessions})
    else:
        out().print(f"{traces} traces have expired or lost their query, {sessions} sessions have expired.")


def release(
    memory_id: UUID,
    bank: Bank,
    actor: Annotated[str | None, typer.Option(help="name recorded as the actor; default: operator")] = None,
    as_json: AsJson = False,
) -> None:
    """Release a memory from quarantine: it is embedded and can be recalled, quoted as data."""
    item = with_memory(lambda memory: memory.release_memory(bank, memory_id, actor=actor))
    if as_json:
        print_json(item)
    else:
        out().print(f"{item.memory_id} is released; it is {item.status}.", soft_wrap=True)


def update(
    memory_id: UUID,
    bank: Bank,
    content: Annotated[str | None, typer.Option(help="new content; it is embedded again")] = None,
    tag: NewTags = None,
    importance: Annotated[float | None, typer.Option(help="importance, 0 to 1")] = None,
    lesson: Annotated[str | None, typer.Option(help="guidance for later answers; empty removes it")] = None,
    metadata: Annotated[str | None, typer.Option(help="JSON object that replaces the metadata")] = None,
    if_match: Annotated[str | None, typer.Option(help="change only a memory with this etag")] = None,
    actor: Annotated[str | None, typer.Option(help="name recorded as the actor; default: operator")] = None,
    as_json: AsJson = False,
) -> None:
    """Change a memory's content, tags, importance, lesson or metadata; facts derived from it are rechecked."""
    item = with_memory(
        lambda memory: memory.update(
            bank,
            memory_id,
            content=content,
            tags=tag,
            metadata=None if metadata is None else parsed_object(metadata, "--metadata"),
            importance=importance,
            lesson=lesson,
            if_match=if_match,
            actor=actor,
        )
    )
    if as_json:
        print_json(item)
    else:
        out().print(f"{item.memory_id} is changed; it is {item.status}.", soft_wrap=True)


def parsed_object(text: str, name: str) -> dict[str, Any]:
    """Errors: InvalidInput naming `name`, for anything but a JSON object."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidInput(name, f"is not JSON: {error}") from None
    if not isinstance(value, dict):
        raise InvalidInput(name, "must be a JSON object")
    return cast("dict[str, Any]", value)


def restore(
    memory_id: UUID,
    bank: Bank,
    actor: Annotated[str | None, typer.Option(help="name recorded as the actor; default: operator")] = None,
    as_json: AsJson = False,
) -> None:
    """Restore an archived or deprecated episode, or a fact that was dropped to keep the cap."""
    status = with_memory(lambda memory: memory.restore_memory(bank, memory_id, actor=actor))
    if as_json:
        print_json({"memory_id": memory_id, "status": status})
    else:
        out().print(f"{memory_id} is restored; it is {status}.", soft_wrap=True)


def dead_letters(
    bank: MaybeBank = None, limit: int = 50, cursor: Cursor = None, as_json: AsJson = False
) -> None:
    """List dead letters with their reasons, oldest first; of all banks unless --bank is given."""
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
    print_table(("dead since", "bank", "kind", "about", "attempts", "reason"), rows, page.next_cursor)


def redrive(
    bank: MaybeBank = None,
    every: Annotated[bool, typer.Option("--all", help="all banks that have dead letters")] = False,
    as_json: AsJson = False,
) -> None:
    """Put dead letters back into the queue."""
    if (bank is None) is not every:
        raise InvalidInput("--bank", "name one bank, or pass --all for all banks, not both")
    count = with_memory(lambda memory: memory.redrive_all() if bank is None else memory.redrive(bank))
    if as_json:
        print_json({"redriven": count})
    else:
        out().print(f"{count} dead letters are back in the queue.")
