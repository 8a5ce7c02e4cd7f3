"""The one door: every other door calls this class and gives its answers."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import datetime
from typing import Any, Self, TypeVar
from uuid import UUID

import uuid_utils.compat as uuids

from memory_service.bank_settings import check_settings, check_together
from memory_service.config import Settings, load_settings
from memory_service.connect import Access, access_database
from memory_service.cursors import (
    MAX_PAGE,
    DeadLetterPlace,
    DecisionPlace,
    MemoryPlace,
    TracePlace,
    page_of,
    read_cursor,
    write_cursor,
)
from memory_service.errors import DatabaseUnavailable, InvalidInput, NotFound
from memory_service.facts import Knowledge
from memory_service.intake.commit import check_id, committed_episode, committed_fact, redacted_json
from memory_service.intake.json_strings import strings_in
from memory_service.intake.model_calls import LIMIT_REACHED
from memory_service.intake.worker import Worker
from memory_service.models.interface import VECTOR_DIMENSIONS
from memory_service.models.registry import Models
from memory_service.recall.candidates import Candidates
from memory_service.recall.compact import Compactor
from memory_service.recall.context import ContextWriter
from memory_service.recall.context_limits import context_limits_of
from memory_service.recall.recall import Reader
from memory_service.recall.trace_expiry import Expiry
from memory_service.recall.trace_writer import Recorder
from memory_service.redaction import redact
from memory_service.requests import CompactQuery, ContextQuery, NewMemory, NewMessage, RecallQuery
from memory_service.store import Store
from memory_service.store.messages import StoredMessage
from memory_service.thresholds import Calibrator
from memory_service.types import (
    Bank,
    Committed,
    Context,
    DeadLetter,
    Decision,
    MemoryItem,
    Page,
    Recalled,
    Trace,
    TraceLine,
)
from memory_service.validation import (
    MAX_MESSAGES,
    MEMORY_TYPES,
    OPERATOR,
    ORDERS,
    STATUSES,
    check_bank_id,
    check_choice,
    check_count,
    check_line,
    check_number,
    check_optional_line,
    check_order,
    check_time,
    check_words,
)

Made = TypeVar("Made")
CommitState = Callable[[str, UUID], Awaitable[tuple[str, bool]]]
"""Of a bank's memory: its status, and whether nothing more is to be waited for."""

LIVE, IMPORT = 0, 1
TRACE_SECONDS = 5.0
"""Longest wait until what this process holds of traces is written, and how long a trace of another one is awaited."""
ELSEWHERE_SECONDS = 0.5
"""How long a trace that another process may be writing is awaited; it gathers them for a tenth of a second."""
BANK_CACHE_SECONDS = 2.0
CACHED_BANKS = 10_000
MAX_WAIT_MS = 60_000
FIRST_PAUSE_SECONDS = 0.004
LONGEST_PAUSE_SECONDS = 0.25
"""Between two reads of the state of a commit that is waited for; a read takes 0.4 ms."""
REDRIVE_BATCH = 500
"""Dead letters brought back in one transaction, which holds the bank's lock."""
LONG_CHARS = 4_000
"""More text than this in one call is redacted in a thread, which costs 0.1 ms. Hostile text takes 5 µs a character: at
most 20 ms on the event loop."""


class Memory:
    """Long-term memory for agents, in Postgres.

    `async with await Memory.open() as memory:` starts or joins the database that the settings name. All methods
    raise InvalidInput naming the field, NotFound for an unknown bank, DatabaseUnavailable while the database
    does not answer.
    """

    def __init__(self, settings: Settings, access: Access, store: Store, models: Models) -> None:
        self.settings = settings
        self.store = store
        self.models = models
        self._access = access
        self._recorder = Recorder(store)
        candidates = Candidates(store, models, settings)

        def without_secrets(text: str) -> str:
            return redact(text).text

        self._reader = Reader(self.store, candidates, self._recorder, without_secrets)
        self._expiry = Expiry(store, settings)
        self._contexts = ContextWriter(store, candidates, self._recorder, without_secrets)
        self._compactor = Compactor(store, self._recorder, without_secrets)
        self._banks: dict[str, tuple[float, Bank]] = {}

        # Thresholds (calibrator.py)
        calibrator = Calibrator(store, models)
        self.thresholds = calibrator.thresholds
        self.calibrate = calibrator.calibrate
        self.set_thresholds = calibrator.set_thresholds

        # Facts (knowledge.py)
        knowledge = Knowledge(store)
        self.list_facts = knowledge.list_facts
        self.get_fact = knowledge.get_fact
        self.fact_history = knowledge.fact_history
        self.confirm_fact = knowledge.confirm_fact
        self.dispute_fact = knowledge.dispute_fact
        self.retract_fact = knowledge.retract_fact
        self.pin_fact = knowledge.pin_fact
        self.unpin_fact = knowledge.unpin_fact
        self.unmerge_fact = knowledge.unmerge_fact
        self.list_clarifications = knowledge.list_clarifications
        self.answer_clarification = knowledge.answer_clarification

    @classmethod
    async def open(
        cls, settings: Settings | None = None, *, migrated: bool = True, upkeep: bool = False
    ) -> Self:
        """Open the memory that the settings name (default: the environment), migrating it where that is possible.

        `upkeep`: for the passes of the night, whose own changes make no bank due again.
        Errors: EmbeddedPostgresFailed, DataFolderInUse, DatabaseUnavailable, DatabaseUnsuitable, InvalidInput.
        """
        settings = settings or load_settings()
        models = Models(settings)
        models.embedder()  # a wrong model setting is an error now, not at the first message
        models.extractor()
        access, database = await access_database(settings, migrated=migrated, upkeep=upkeep)
        return cls(settings, access, Store(database), models)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Write what is still to be recorded, close the models and the pool, leave the embedded server."""
        await self._recorder.aclose()
        await self.store.notifications.aclose()
        await self.models.aclose()
        await self.store.database.close()
        await asyncio.to_thread(self._access.close)

    # Banks

    async def create_bank(self, bank_id: str, settings: dict[str, Any] | None = None) -> tuple[Bank, bool]:
        """The bank, and whether this call made it; the settings of an existing bank are left alone."""
        check_id(check_bank_id(bank_id), "bank_id")
        checked = {key: value for key, value in check_settings(settings or {}).items() if value is not None}
        check_together(checked)
        embedder = self.models.embedder()
        await self.store.banks.register_embedding_model(embedder.name, VECTOR_DIMENSIONS)
        return await self.store.banks.create(bank_id, checked, embedder.name)

    async def get_bank(self, bank_id: str) -> Bank:
        return await self.store.banks.read(check_bank_id(bank_id))

    async def update_bank(self, bank_id: str, settings: dict[str, Any]) -> Bank:
        """The bank after its settings were merged with these; null takes a setting back to its default."""
        settings = check_settings(settings)
        if settings.keys() & {"profile", "profiles"}:
            check_together((await self.get_bank(bank_id)).settings | settings)
        bank = await self.store.banks.update(check_bank_id(bank_id), settings)
        frees = settings.keys() & {"daily_tokens", "language_model"}
        if frees and await self.store.work.wake(bank_id, LIMIT_REACHED):
            for kind in ("extract", "annotate", "embed"):
                self.store.notifications.notify(kind)
        self._banks.pop(bank_id, None)
        return bank

    async def stats(self, bank_id: str) -> dict[str, Any]:
        """Counts of messages, memories and work, and today's spend (DESIGN §8)."""
        return await self.store.banks.stats(check_bank_id(bank_id))

    async def queue_stats(self) -> dict[str, Any]:
        """Depth, age and dead letters of the whole queue."""
        return await self.store.banks.queue_stats()

    # Write

    async def add_messages(
        self,
        bank_id: str,
        conversation_id: str,
        messages: Sequence[NewMessage],
        *,
        agent_id: str | None = None,
        lane: int = LIVE,
    ) -> list[UUID]:
        """Acknowledge messages: redacted, written, and work made of them, in one statement; the ids, in order.

        A message whose `id` this conversation has already is accepted and stored once.
        Errors: Conflict where it has other content; then nothing of the call is stored.
        """
        check_bank_id(bank_id)
        check_id(check_line(conversation_id, "conversation_id"), "conversation_id")
        check_id(check_optional_line(agent_id, "agent_id"), "agent_id")
        if not messages:
            raise InvalidInput("messages", "must not be empty")
        if len(messages) > MAX_MESSAGES:
            raise InvalidInput(
                "messages", f"has {len(messages)} entries; at most {MAX_MESSAGES} are accepted"
            )
        for i, message in enumerate(messages):
            message.checked(f"messages[{i}]")
        given = [(m.content, m.name, m.id, m.metadata) for m in messages]
        stored = await in_thread_if_long(lambda: stored_messages(messages), given)
        ids = await self.store.messages.add(bank_id, conversation_id, agent_id, stored, lane)
        self.store.notifications.notify("cut")
        return ids

    async def end_import(self, bank_id: str, conversation_ids: Sequence[str]) -> None:
        """Say that nothing more is imported into these conversations: their last exchanges close now."""
        await self.store.messages.end_import(check_bank_id(bank_id), conversation_ids)
        self.store.notifications.notify("cut")

    async def remember(self, bank_id: str, memory: NewMemory, *, wait_ms: int = 0) -> Committed:
        """A conscious commit (S4) of an episode or, with type semantic, of a fact. With `wait_ms`, waits up to so long
        for it to become recallable.

        Errors: Conflict where the idempotency key was used with another memory, InvalidInput where the harm
        check refuses it (the refusal is recorded as a decision).
        """
        check_bank_id(bank_id)
        check_count(wait_ms, "wait_ms", 0, MAX_WAIT_MS)
        check_id(memory.idempotency_key, "idempotency_key")
        check_id(memory.agent_id, "agent_id")
        made = committed_fact if memory.type == "semantic" else committed_episode
        given = (memory.content, memory.lesson, memory.tags, memory.topics, memory.entities, memory.recipients,
                 memory.metadata)  # fmt: skip
        decision, record = await in_thread_if_long(lambda: made(memory), given)
        if record is None:
            await self.store.episodes.refuse(bank_id, decision)
            raise InvalidInput("content", f"refused: {decision['reason']}")
        if memory.type == "semantic":
            committed = await self.store.facts.commit(bank_id, decision, record)
            self.store.notifications.notify("facts")
        else:
            committed = await self.store.episodes.commit(bank_id, decision, record)
            self.store.notifications.notify("annotate")
        if wait_ms:
            state = self._fact_state if memory.type == "semantic" else self._episode_state
            committed = await self._settled(bank_id, committed, wait_ms / 1000, state)
        return committed

    async def _settled(
        self, bank_id: str, committed: Committed, seconds: float, state: CommitState
    ) -> Committed:
        """The commit once nothing more is to be waited for, or as it stands when the time is over."""
        started = time.monotonic()
        while True:
            status, settled = await state(bank_id, committed.memory_id)
            waited = time.monotonic() - started
            if settled or waited >= seconds:
                return Committed(committed.memory_id, status, committed.created)
            await asyncio.sleep(min(pause_after(waited), seconds - waited))

    async def _episode_state(self, bank_id: str, memory_id: UUID) -> tuple[str, bool]:
        item = await self.store.episodes.read(bank_id, memory_id)
        return item.status, item.status != "pending_embedding"

    async def _fact_state(self, bank_id: str, memory_id: UUID) -> tuple[str, bool]:
        return await self.store.facts.state(bank_id, memory_id)

    # Read

    async def recall(self, bank_id: str, query: RecallQuery) -> Recalled:
        """The memories that answer a query best, with reasons and a trace."""
        async with within(self.settings.recall_seconds):
            return await self._reader.recall(await self._bank(bank_id), query)

    async def context(self, bank_id: str, query: ContextQuery) -> Context:
        """What to put before the model for its next answer, within both token budgets (DESIGN §5)."""
        async with within(self.settings.recall_seconds):
            bank = await self._bank(bank_id)
            limits = context_limits_of(bank.settings, self.settings)
            return await self._contexts.context(bank, query, limits.budgets(query))

    async def compact(self, bank_id: str, query: CompactQuery) -> Context:
        """The bank's best for a message to somebody: what is important, recent, about them or tagged with the
        purpose, within one token budget (S5)."""
        async with within(self.settings.recall_seconds):
            bank = await self._bank(bank_id)
            limits = context_limits_of(bank.settings, self.settings)
            return await self._compactor.compact(bank, query, limits.room(query))

    async def get_memory(self, bank_id: str, memory_id: UUID) -> MemoryItem:
        """Errors: NotFound."""
        return await self.store.episodes.read(check_bank_id(bank_id), memory_id)

    async def list_memories(
        self,
        bank_id: str,
        *,
        type: str | None = None,  # noqa: A002 - the contract's name
        tags: Sequence[str] | None = None,
        min_importance: float | None = None,
        status: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        agent: str | None = None,
        recipient: str | None = None,
        order: str = "recency",
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[MemoryItem]:
        """Memories newest first, or with `order` importance the most important first (S5's retrieval methods).

        Filters are combined with and; `tags` matches any of them, `min_importance` is of the stored importance. A page
        continues where the one before ended, whatever was remembered meanwhile.
        Errors: InvalidInput for a cursor of another bank or order.
        """
        words = check_words(tags, "tag")
        check_bank_id(bank_id)
        check_count(limit, "limit", 1, MAX_PAGE)
        by_importance = check_choice(order, "order", ORDERS) == "importance"
        place = read_cursor(cursor, MemoryPlace, bank=bank_id, order=order)
        since, until = check_time(since, "since"), check_time(until, "until")
        check_order(since, until)
        items = await self.store.episodes.list(
            bank_id,
            limit + 1,
            place,
            by_importance=by_importance,
            types=None if type is None else [check_choice(type, "type", MEMORY_TYPES)],
            tags=words or None,
            min_importance=check_number(min_importance, "min_importance", 0, 1),
            statuses=None if status is None else [check_choice(status, "status", STATUSES)],
            since=since,
            until=until,
            agent=check_optional_line(agent, "agent"),
            recipient=check_optional_line(recipient, "recipient"),
        )
        return page_of(
            items,
            limit,
            lambda last: write_cursor(
                MemoryPlace(last.occurred_at, last.memory_id, last.importance), bank=bank_id, order=order
            ),
        )

    async def list_decisions(
        self, bank_id: str, *, limit: int = 50, cursor: str | None = None
    ) -> Page[Decision]:
        """What the gate decided, newest first, with reasons."""
        items = await self.store.episodes.list_decisions(
            check_bank_id(bank_id),
            check_count(limit, "limit", 1, MAX_PAGE) + 1,
            read_cursor(cursor, DecisionPlace),
        )
        return page_of(
            items, limit, lambda last: write_cursor(DecisionPlace(last.decided_at, last.decision_id))
        )

    async def get_trace(self, bank_id: str, trace_id: UUID) -> Trace:
        """The record of one read: every candidate, what its score is made of, and why it is in or out.

        It is written behind the answer: what this process holds is written first; a recent one that it does not hold
        may be another process's, and is awaited for half a second. Errors: NotFound, also once it has expired.
        """
        try:
            return await self.store.traces.read(check_bank_id(bank_id), trace_id)
        except NotFound:
            if not is_recent(trace_id):
                raise
            await self._recorder.flush(TRACE_SECONDS)
        deadline = time.monotonic() + ELSEWHERE_SECONDS
        while True:
            try:
                return await self.store.traces.read(bank_id, trace_id)
            except NotFound as error:
                if time.monotonic() > deadline:
                    raise NotFound(
                        f"{error}; a read of another process is written within a second: try again"
                    ) from None
            await asyncio.sleep(ELSEWHERE_SECONDS / 10)

    async def list_traces(
        self, bank_id: str, *, limit: int = 50, cursor: str | None = None
    ) -> Page[TraceLine]:
        """Reads of this bank, newest first."""
        after = read_cursor(cursor, TracePlace)
        items = await self.store.traces.list(
            check_bank_id(bank_id), check_count(limit, "limit", 1, MAX_PAGE) + 1, after and after.trace_id
        )
        return page_of(items, limit, lambda last: write_cursor(TracePlace(last.at, last.trace_id)))

    async def expire_traces(self, bank_id: str | None = None) -> int:
        """Let go of what traces keep no longer (`trace_days`, `trace_query_days`), in this bank or in every one; how
        many rows changed. Workers do so every hour. Safe to run twice, by several at once, and interrupted."""
        if bank_id is None:
            return await self._expiry.run_once()
        return await self._expiry.run_bank(check_bank_id(bank_id))

    # When something went wrong

    async def restore_memory(self, bank_id: str, memory_id: UUID, *, actor: str | None = None) -> str:
        """Bring back what the night put away to keep the caps: an archived or deprecated episode, a dropped fact. Its
        status then; a deprecated episode is embedded anew before it is active. Errors: NotFound, Conflict."""
        check_id(check_optional_line(actor, "actor"), "actor")
        return await self.store.retention.restore(check_bank_id(bank_id), memory_id, actor or OPERATOR)

    async def release_memory(self, bank_id: str, memory_id: UUID, *, actor: str | None = None) -> MemoryItem:
        """Let a memory out of quarantine: it is embedded, then recalled like any other, quoted as data.

        `actor` is who vouches for it; the decision keeps that. Errors: Conflict where it is not in quarantine.
        """
        check_id(check_optional_line(actor, "actor"), "actor")
        return await self.store.episodes.release(check_bank_id(bank_id), memory_id, actor or OPERATOR)

    async def list_dead_letters(
        self, bank_id: str | None = None, *, limit: int = 50, cursor: str | None = None
    ) -> Page[DeadLetter]:
        """Work that failed for good, with reasons, oldest first; of every bank where none is named."""
        items = await self.store.work.list_dead(
            None if bank_id is None else check_bank_id(bank_id),
            check_count(limit, "limit", 1, MAX_PAGE) + 1,
            read_cursor(cursor, DeadLetterPlace),
        )
        return page_of(
            items,
            limit,
            lambda last: write_cursor(DeadLetterPlace(last.dead_at, last.bank_id, last.kind, last.subject)),
        )

    async def redrive(self, bank_id: str) -> int:
        """Bring the bank's dead letters back to life, with all their tries; how many there were."""
        check_bank_id(bank_id)
        total, asked_at = 0, None
        while True:
            count, asked_at = await self.store.work.redrive(bank_id, REDRIVE_BATCH, asked_at)
            total += count
            if count < REDRIVE_BATCH:
                return total

    async def redrive_all(self) -> int:
        """The same for every bank that has dead letters, one after the other; interrupted, it can be run again."""
        total = 0
        for bank_id in await self.store.work.list_dead_banks():
            with suppress(NotFound):  # erased meanwhile
                total += await self.redrive(bank_id)
        return total

    async def flush(self) -> None:
        """Wait until the traces and access counts of all reads so far are written."""
        await self._recorder.flush()

    # Background

    async def work(self, stop: asyncio.Event) -> None:
        """Run an intake worker in this process until `stop` is set; now and then it lets go of expired traces."""
        worker = Worker(self.store, self.models, self.settings)
        running = asyncio.create_task(worker.run())
        waiting = asyncio.create_task(stop.wait())
        expiring = asyncio.create_task(self._expiry.run())
        try:
            await asyncio.wait({running, waiting}, return_when=asyncio.FIRST_COMPLETED)
            worker.stop()
            await running
        finally:
            for task in (running, waiting, expiring):
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task

    async def _bank(self, bank_id: str) -> Bank:
        """The bank, from a short-lived cache: its embedding model is needed before the one SQL call."""
        held = self._banks.get(check_bank_id(bank_id))
        if held is not None and time.monotonic() - held[0] < BANK_CACHE_SECONDS:
            return held[1]
        bank = await self.store.banks.read(bank_id)
        if len(self._banks) >= CACHED_BANKS:
            self._banks.clear()
        self._banks[bank_id] = (time.monotonic(), bank)
        return bank


@asynccontextmanager
async def within(seconds: float) -> AsyncGenerator[None]:
    """Errors: DatabaseUnavailable where the block is not done in time."""
    try:
        async with asyncio.timeout(seconds):
            yield
    except TimeoutError:
        raise DatabaseUnavailable(f"there was no answer within {seconds:g} s") from None


async def in_thread_if_long(make: Callable[[], Made], given: object) -> Made:
    """What `make` returns; it runs in a thread where the strings in `given` are long together."""
    if sum(map(len, strings_in(given))) > LONG_CHARS:
        return await asyncio.to_thread(make)
    return make()


def pause_after(waited: float) -> float:
    """Seconds until a commit's state is read again: at most a fifth of what the caller has waited is added to it."""
    return min(max(FIRST_PAUSE_SECONDS, waited / 5), LONGEST_PAUSE_SECONDS)


def is_recent(trace_id: UUID) -> bool:
    """Whether a trace's id, a UUID of version 7, was given within the last moments."""
    return trace_id.version == 7 and abs(time.time() - (trace_id.int >> 80) / 1000) < TRACE_SECONDS


def stored_messages(messages: Sequence[NewMessage]) -> list[StoredMessage]:
    """Checked messages as they are written: without secrets, with their ids. Errors: InvalidInput for an id."""
    for i, message in enumerate(messages):
        check_id(message.id, f"messages[{i}].id")
    return [
        StoredMessage(
            uuids.uuid7(),
            message.role,
            redact(message.content).text,
            message.name if message.name is None else redact(message.name).text,
            message.id,
            message.occurred_at,
            redacted_json(message.metadata) if message.metadata else None,
        )
        for message in messages
    ]
