"""`import`: add transcripts to a bank, with a progress bar. Resumable and idempotent."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, cast

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from memory_service.cli.worker import work_until_idle
from memory_service.errors import Conflict, InvalidInput, Refused
from memory_service.features import features_of
from memory_service.intake.commit import check_id
from memory_service.memory import Memory
from memory_service.requests import NewMemory, NewMessage
from memory_service.transfer.parts import Part
from memory_service.transfer.readers import ReadOptions, read_parts
from memory_service.validation import check_line
from memory_service.vocabulary import MemoryType

NO_OPTIONS = ReadOptions()
Source = tuple[Literal["conversation", "agent"], str]
"""`conversation` or `agent`, and its id."""


@dataclass(frozen=True, slots=True)
class Contents:
    """Counts of the files of an import, and their conversations and agents."""

    turns: int
    statements: int
    conversations: list[str]
    agents: list[str]


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
    harm check; and the conversations and agents that were erased here and, without `again`, left out, with the time.
    All of it is read and checked before the first turn is stored. Each turn has an id, and each statement an
    idempotency key: those of an earlier run are not stored again. With `wait`, a worker in this process runs until all
    turns are decided. Errors: InvalidInput naming file and field, or if `intake` differs from the setting of an
    existing bank; Conflict naming the conversation.
    """
    found = await asyncio.to_thread(contents_of, product, sources, options)
    new_statements = refused = 0
    left_out: set[Source] = set()
    bank, created = await memory.create_bank(bank_id, {"intake": intake} if intake else {})
    known = features_of(bank.settings, memory.settings).intake
    if intake and not created and known != intake:
        raise InvalidInput("--intake", f"bank {bank_id} exists with intake {known}; omit --intake")
    erased = (
        {} if again else await memory.store.transfer.erased_before(bank_id, found.conversations, found.agents)
    )
    known_messages = 0 if created else (await memory.stats(bank_id))["messages"]["total"]
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console) as progress:
        sending = progress.add_task("sent", total=found.turns + found.statements)
        async for part in in_thread(parts_of(product, sources, options)):
            kept = without_erased(part, erased, left_out)
            committed = await store(memory, bank_id, kept)
            new_statements += committed.count(True)
            refused += committed.count(None)
            progress.advance(sending, len(part.messages) + len(part.commits))
        await memory.end_import(bank_id, found.conversations)
        stats = await memory.stats(bank_id)
        new = stats["messages"]["total"] - known_messages
        if wait:
            total = stats["messages"]["total"]
            deciding = progress.add_task("decided and embedded", total=total)
            stats = await work_until_idle(
                memory, bank_id, lambda waiting: progress.update(deciding, completed=max(total - waiting, 0))
            )
    return {
        "turns": found.turns, "new": new, "statements": found.statements, "new_statements": new_statements,
        "refused_statements": refused,
        "erased": [{"kind": kind, "id": name, "erased_at": erased[kind, name]} for kind, name in sorted(left_out)],
        **stats,
    }  # fmt: skip


def contents_of(product: str, sources: Sequence[str | Path], options: ReadOptions) -> Contents:
    """Read and check all of the files. Errors: InvalidInput naming file and field."""
    turns = statements = 0
    conversations: dict[str, None] = {}
    agents: dict[str, None] = {}
    for part in parts_of(product, sources, options):
        turns += len(part.messages)
        statements += len(part.commits)
        if part.messages:
            conversations[part.conversation_id] = None
        if part.agent_id is not None:
            agents[part.agent_id] = None
    return Contents(turns, statements, list(conversations), list(agents))


async def in_thread(parts: Iterator[Part]) -> AsyncIterator[Part]:
    """The same, each read in a thread."""
    while (part := await asyncio.to_thread(next, parts, None)) is not None:
        yield part


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
            name = "" if error.field.startswith("--") or "://" in source else f"{source}: "
            raise InvalidInput(f"{name}{error.field}", error.problem) from None


def without_erased(part: Part, erased: Mapping[Source, datetime], left_out: set[Source]) -> Part:
    """The part without messages and commits that may have been erased; adds the conversation or agent of these to
    `left_out`.

    `erased`: conversations and agents with the time of their erasure. Messages that are dated after it are kept. Others
    are not, also where the bank had never stored them: ids of erased messages are not known. Of an erased agent no
    commit is kept, because its date may be that of the file; nor of erased notes, whose commits the rules choose.
    """
    messages, commits = part.messages, part.commits
    sources: list[Source] = [("conversation", part.conversation_id)]
    if part.agent_id is not None:
        sources.append(("agent", part.agent_id))
    for source in sources:
        if source not in erased:
            continue
        kept_messages = [] if part.by_content else later_messages(messages, erased[source])
        kept_commits = [] if part.by_content or source[0] == "agent" else commits
        if (len(kept_messages), len(kept_commits)) != (len(messages), len(commits)):
            left_out.add(source)
        messages, commits = kept_messages, kept_commits
    return replace(part, messages=messages, commits=commits)


def later_messages(messages: Sequence[NewMessage], at: datetime) -> list[NewMessage]:
    """Those that are dated after this time."""
    return [one for one in messages if one.occurred_at is not None and one.occurred_at > at]


async def store(memory: Memory, bank_id: str, part: Part) -> list[bool | None]:
    """Store the messages of a part, all or none, then its commits: whether each is new, None where the harm check
    refuses it. Errors: Conflict naming the conversation."""
    try:
        if part.messages:
            await memory.import_messages(bank_id, part.conversation_id, part.messages, agent_id=part.agent_id)
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
