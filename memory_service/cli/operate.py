"""Commands that change, release, restore, redrive and expire."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any, cast
from uuid import UUID

import typer

from memory_service.cli.shared_options import Actor
from memory_service.cli.terminal import (
    AsJson,
    Bank,
    Cursor,
    MaybeBank,
    NewTags,
    print_answer,
    print_rows,
    read_memory,
    with_memory,
)
from memory_service.errors import InvalidInput

if TYPE_CHECKING:
    from memory_service.memory import Memory
    from memory_service.results import DeadLetter


def expire(bank: MaybeBank = None, as_json: AsJson = False) -> None:
    """Delete expired traces, expired queries of traces, and expired sessions. Workers do this hourly."""

    async def expired(memory: Memory) -> tuple[int, int]:
        return await memory.expire_traces(bank), await memory.expire_sessions(bank)

    traces, sessions = with_memory(expired)
    print_answer(
        {"expired": traces, "sessions": sessions},
        f"{traces} traces have expired or lost their query, {sessions} sessions have expired.",
        as_json=as_json,
    )


def release(
    memory_id: UUID,
    bank: Bank,
    actor: Actor = None,
    as_json: AsJson = False,
) -> None:
    """Release a memory from quarantine: it is embedded and can be recalled, quoted as data."""
    item = with_memory(lambda memory: memory.release_memory(bank, memory_id, actor=actor))
    print_answer(item, f"{item.memory_id} is released; it is {item.status}.", as_json=as_json)


def update(
    memory_id: UUID,
    bank: Bank,
    content: Annotated[str | None, typer.Option(help="new content; it is embedded again")] = None,
    tag: NewTags = None,
    importance: Annotated[float | None, typer.Option(help="importance, 0 to 1")] = None,
    lesson: Annotated[str | None, typer.Option(help="guidance for later answers; empty removes it")] = None,
    metadata: Annotated[str | None, typer.Option(help="JSON object that replaces the metadata")] = None,
    if_match: Annotated[str | None, typer.Option(help="change only a memory with this etag")] = None,
    actor: Actor = None,
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
    print_answer(item, f"{item.memory_id} is changed; it is {item.status}.", as_json=as_json)


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
    actor: Actor = None,
    as_json: AsJson = False,
) -> None:
    """Restore an archived or deprecated episode, or a fact that was dropped to keep the cap."""
    status = with_memory(lambda memory: memory.restore_memory(bank, memory_id, actor=actor))
    print_answer(
        {"memory_id": memory_id, "status": status},
        f"{memory_id} is restored; it is {status}.",
        as_json=as_json,
    )


def dead_letters(
    bank: MaybeBank = None, limit: int = 50, cursor: Cursor = None, as_json: AsJson = False
) -> None:
    """List dead letters with their reasons, oldest first; of all banks unless --bank is given."""
    page = read_memory(lambda memory: memory.list_dead_letters(bank, limit=limit, cursor=cursor))
    names = ("dead since", "bank", "kind", "about", "attempts", "reason")
    print_rows(page, names, dead_letter_row, as_json=as_json)


def dead_letter_row(x: DeadLetter) -> tuple[str, ...]:
    about = f"{x.about} {x.subject}"
    return f"{x.dead_at:%Y-%m-%d %H:%M}", x.bank_id, x.kind, about, str(x.attempts), x.reason


def redrive(
    bank: MaybeBank = None,
    every: Annotated[bool, typer.Option("--all", help="all banks that have dead letters")] = False,
    as_json: AsJson = False,
) -> None:
    """Put dead letters back into the queue."""
    if (bank is None) is not every:
        raise InvalidInput("--bank", "name one bank, or pass --all for all banks, not both")
    count = with_memory(lambda memory: memory.redrive_all() if bank is None else memory.redrive(bank))
    print_answer({"redriven": count}, f"{count} dead letters are back in the queue.", as_json=as_json)
