"""`import`: add transcripts to a bank, with a progress bar. Resumable and idempotent."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from memory_service.errors import Conflict, InvalidInput
from memory_service.features import features_of
from memory_service.intake.commit import check_id
from memory_service.memory import Memory
from memory_service.requests import IMPORT
from memory_service.transfer.parts import Part
from memory_service.transfer.readers import READERS
from memory_service.validation import MAX_MESSAGES, check_line

POLL_SECONDS = 0.3


async def import_files(
    memory: Memory,
    bank_id: str,
    paths: Sequence[Path],
    *,
    product: str,
    intake: str | None,
    wait: bool,
    console: Console,
) -> dict[str, Any]:
    """Import files of a product (READERS) into a bank, which is created if it does not exist.

    Returns the bank's stats, the number of turns read and the number of new ones. All files are read and checked
    before the first turn is stored. Each turn has an id, so a turn that an earlier run has sent is stored once. With
    `wait`, a worker in this process runs until all turns are decided. Errors: InvalidInput naming file and field, or
    if `intake` differs from the setting of an existing bank; Conflict naming the conversation.
    """
    turns = sum(len(part.messages) for part in parts_of(product, paths))
    bank, created = await memory.create_bank(bank_id, {"intake": intake} if intake else {})
    known = features_of(bank.settings, memory.settings).intake
    if intake and not created and known != intake:
        raise InvalidInput("--intake", f"bank {bank_id} exists with intake {known}; omit --intake")
    known_messages = 0 if created else (await memory.stats(bank_id))["messages"]["total"]
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console) as progress:
        sending = progress.add_task("sent", total=turns)
        conversations: dict[str, None] = {}
        for part in parts_of(product, paths):
            await store(memory, bank_id, part)
            conversations[part.conversation_id] = None
            progress.advance(sending, len(part.messages))
        await memory.end_import(bank_id, list(conversations))
        stats = await memory.stats(bank_id)
        new = stats["messages"]["total"] - known_messages
        if wait:
            deciding = progress.add_task("decided and embedded", total=stats["messages"]["total"])
            stop = asyncio.Event()
            working = asyncio.create_task(memory.work(stop))
            try:
                while not working.done():
                    stats = await memory.stats(bank_id)
                    pending = stats["memories"].get("pending_embedding", 0) + stats["messages"]["pending"]
                    progress.update(deciding, completed=max(stats["messages"]["total"] - pending, 0))
                    if not pending and not stats["queue"]["depth"]:
                        break
                    await asyncio.sleep(POLL_SECONDS)
            finally:
                stop.set()
                await working
    return {"turns": turns, "new": new, **stats}


def parts_of(product: str, paths: Sequence[Path]) -> Iterator[Part]:
    """The checked parts of files, one by one. Errors: InvalidInput naming file and field."""
    for path in paths:
        try:
            for part in READERS[product](path):
                check_id(check_line(part.conversation_id, "conversation_id"), "conversation_id")
                for message in part.messages:
                    check_id(message.id, f"conversation {part.conversation_id}: id")
                yield part
        except InvalidInput as error:
            raise InvalidInput(f"{path}: {error.field}", error.problem) from None


async def store(memory: Memory, bank_id: str, part: Part) -> None:
    """Store the messages of a part, all or none. Errors: Conflict naming the conversation."""

    async def send() -> None:
        for start in range(0, len(part.messages), MAX_MESSAGES):
            batch = part.messages[start : start + MAX_MESSAGES]
            await memory.add_messages(bank_id, part.conversation_id, batch, lane=IMPORT)

    try:
        await memory.store.database.in_transaction(send, bank=bank_id)
    except Conflict as error:
        raise Conflict(f"conversation {part.conversation_id}: {error}") from error
