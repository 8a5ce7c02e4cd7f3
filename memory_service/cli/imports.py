"""`import`: add transcripts to a bank, with a progress bar. Resumable and idempotent."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, cast

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from memory_service.errors import Conflict, InvalidInput, Refused
from memory_service.features import features_of
from memory_service.intake.commit import check_id
from memory_service.memory import Memory
from memory_service.requests import IMPORT, NewMemory
from memory_service.transfer.mem0 import URLS
from memory_service.transfer.parts import Part
from memory_service.transfer.readers import ReadOptions, read_parts
from memory_service.validation import MAX_MESSAGES, check_line
from memory_service.vocabulary import MemoryType

POLL_SECONDS = 0.3
NO_OPTIONS = ReadOptions()


async def import_files(
    memory: Memory,
    bank_id: str,
    sources: Sequence[str | Path],
    *,
    product: str,
    options: ReadOptions = NO_OPTIONS,
    again: bool = False,
    intake: str | None,
    wait: bool,
    console: Console,
) -> dict[str, Any]:
    """Import files or databases of a product (PRODUCTS) into a bank, which is created if it does not exist.

    Returns the bank's stats, the numbers of turns and of statements read, of new ones, and of statements refused by the
    harm check; and the conversations and agents that were erased here, with the time: without `again` they are skipped.
    All of it is read and checked before the first turn is stored. Each turn has an id, and each statement an
    idempotency key: those of an earlier run are not stored again. With `wait`, a worker in this process runs until all
    turns are decided. Errors: InvalidInput naming file and field, or if `intake` differs from the setting of an
    existing bank; Conflict naming the conversation.
    """
    turns = statements = new_statements = refused = 0
    conversations: dict[str, None] = {}
    agents: dict[str, None] = {}
    for part in parts_of(product, sources, options):
        turns += len(part.messages)
        statements += len(part.commits)
        if part.messages:
            conversations[part.conversation_id] = None
        if part.agent_id is not None:
            agents[part.agent_id] = None
    bank, created = await memory.create_bank(bank_id, {"intake": intake} if intake else {})
    known = features_of(bank.settings, memory.settings).intake
    if intake and not created and known != intake:
        raise InvalidInput("--intake", f"bank {bank_id} exists with intake {known}; omit --intake")
    erased = (
        {} if again else await memory.store.transfer.erased_before(bank_id, list(conversations), list(agents))
    )
    known_messages = 0 if created else (await memory.stats(bank_id))["messages"]["total"]
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console) as progress:
        sending = progress.add_task("sent", total=turns + statements)
        for part in parts_of(product, sources, options):
            if ("conversation", part.conversation_id) not in erased and (
                "agent",
                part.agent_id,
            ) not in erased:
                committed = await store(memory, bank_id, part)
                new_statements += committed.count(True)
                refused += committed.count(None)
            progress.advance(sending, len(part.messages) + len(part.commits))
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
    return {
        "turns": turns, "new": new, "statements": statements, "new_statements": new_statements,
        "refused_statements": refused,
        "erased": [{"kind": kind, "id": name, "erased_at": at} for (kind, name), at in erased.items()], **stats,
    }  # fmt: skip


def parts_of(product: str, sources: Sequence[str | Path], options: ReadOptions) -> Iterator[Part]:
    """The checked parts of files, one by one. Errors: InvalidInput naming file and field."""
    for source in map(str, sources):
        try:
            for part in read_parts(product, source, options):
                check_id(check_line(part.conversation_id, "conversation_id"), "conversation_id")
                for message in part.messages:
                    check_id(message.id, f"conversation {part.conversation_id}: id")
                for commit in part.commits:
                    check_id(commit.idempotency_key, f"{part.conversation_id}: id")
                yield part
        except InvalidInput as error:
            name = "" if error.field.startswith("--") or source.startswith(URLS) else f"{source}: "
            raise InvalidInput(f"{name}{error.field}", error.problem) from None


async def store(memory: Memory, bank_id: str, part: Part) -> list[bool | None]:
    """Store the messages of a part, all or none, then its commits: whether each is new, None where the harm check
    refuses it. Errors: Conflict naming the conversation."""

    async def send() -> None:
        for start in range(0, len(part.messages), MAX_MESSAGES):
            batch = part.messages[start : start + MAX_MESSAGES]
            await memory.add_messages(
                bank_id, part.conversation_id, batch, agent_id=part.agent_id, lane=IMPORT
            )

    try:
        await memory.store.database.in_transaction(send, bank=bank_id)
        return [await commit(memory, bank_id, one) for one in part.commits]
    except Conflict as error:
        if part.by_content:
            return []
        raise Conflict(f"conversation {part.conversation_id}: {error}") from error


async def commit(memory: Memory, bank_id: str, one: NewMemory) -> bool | None:
    try:
        committed = await memory.remember(
            bank_id,
            one.content,
            type=cast("MemoryType", one.type),
            metadata=one.metadata,
            occurred_at=one.occurred_at,
            idempotency_key=one.idempotency_key,
            agent_id=one.agent_id,
        )
    except Refused:
        return None
    return committed.created
