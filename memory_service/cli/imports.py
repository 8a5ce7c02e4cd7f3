"""`import`: add transcripts to a bank, with a progress bar. Resumable and idempotent."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from memory_service.cli.transcripts import Turn, read_transcript
from memory_service.errors import InvalidInput
from memory_service.features import features_of
from memory_service.memory import Memory
from memory_service.requests import IMPORT
from memory_service.validation import MAX_MESSAGES

POLL_SECONDS = 0.3


async def import_files(
    memory: Memory, bank_id: str, paths: Sequence[Path], *, intake: str | None, wait: bool, console: Console
) -> dict[str, Any]:
    """Import files into a bank, which is created if it does not exist.

    Returns the bank's stats, the number of turns read and the number of new ones. Each turn has an id, so a turn that
    an earlier run has sent is stored once. With `wait`, a worker in this process runs until all turns are decided.
    Errors: InvalidInput if `intake` differs from the setting of an existing bank.
    """
    turns = [turn for path in paths for turn in read_transcript(path)]
    bank, created = await memory.create_bank(bank_id, {"intake": intake} if intake else {})
    known = features_of(bank.settings, memory.settings).intake
    if intake and not created and known != intake:
        raise InvalidInput("--intake", f"bank {bank_id} exists with intake {known}; omit --intake")
    known_messages = 0 if created else (await memory.stats(bank_id))["messages"]["total"]
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console) as progress:
        sending = progress.add_task("sent", total=len(turns))
        for conversation_id, batch in batches(turns):
            await memory.add_messages(bank_id, conversation_id, [t.message for t in batch], lane=IMPORT)
            progress.advance(sending, len(batch))
        await memory.end_import(bank_id, list(dict.fromkeys(t.conversation_id for t in turns)))
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
    return {"turns": len(turns), "new": new, **stats}


def batches(turns: Sequence[Turn]) -> Iterator[tuple[str, list[Turn]]]:
    """Consecutive turns of one conversation, at most MAX_MESSAGES per batch."""
    held: list[Turn] = []
    for turn in turns:
        if held and (held[0].conversation_id != turn.conversation_id or len(held) == MAX_MESSAGES):
            yield held[0].conversation_id, held
            held = []
        held.append(turn)
    if held:
        yield held[0].conversation_id, held
