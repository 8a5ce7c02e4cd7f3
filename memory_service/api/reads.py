"""Reads: recall, context, compaction, lists, traces."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from typing import TypeVar
from uuid import UUID

from memory_service.api.base import MemoryBase, without_secrets
from memory_service.api.bound import from_store, implements
from memory_service.config import Settings
from memory_service.cursors import (
    MAX_PAGE,
    ChangePlace,
    DecisionPlace,
    MemoryPlace,
    TimelinePlace,
    TracePlace,
    page_request,
    read_cursor,
    write_cursor,
)
from memory_service.errors import DatabaseUnavailable, EmbeddingModelChanged, NotFound
from memory_service.methods import MemoryMethods as M
from memory_service.models.registry import Models
from memory_service.projection import principal_axes
from memory_service.recall.candidates import Candidates
from memory_service.recall.compact import Compactor
from memory_service.recall.context import ContextWriter
from memory_service.recall.context_limits import context_limits_of
from memory_service.recall.recall import Recaller
from memory_service.recall.trace_writer import KeptTrace
from memory_service.requests import CompactQuery, ContextQuery, Filters, RecallQuery
from memory_service.results import (
    Change,
    Context,
    DailyActivity,
    DailySpend,
    Decision,
    MapPoint,
    MemoryItem,
    Page,
    RecallResult,
    TimelineEntry,
    Trace,
    TraceLine,
)  # fmt: skip
from memory_service.spans import RECORD_COUNT, memory_span
from memory_service.store import Store
from memory_service.types import Bank
from memory_service.validation import (
    DECISION_OUTCOMES,
    MEMORY_TYPES,
    ORDERS,
    STATUSES,
    check_bank_id,
    check_choice,
    check_count,
    check_number,
    check_words,
)

TRACE_SECONDS = 5.0
"""A trace younger than this may not be written yet: longest wait for this process to write its own."""
OTHER_PROCESS_SECONDS = 0.5
"""Wait for a trace of another process, which writes them every tenth of a second."""

MAX_CHANGES_WAIT = 30.0
"""Longest wait for an event, in seconds."""
MAX_MAP = 1000
"""Most points of a map. In a bank of 10,000 episodes the page takes twice as long as that of facts; with 2,000 points
three times."""
MAP_SAMPLE = 300
"""Episodes whose vectors give the axes of a map."""
MAX_DAYS = 366
CHANGES_POLL_SECONDS = 0.25

MODEL_TRIES = 3
"""Attempts of a read while the bank is switched to another embedding model."""
T = TypeVar("T")


class ReadMethods(MemoryBase):
    """Methods of `Memory` that read. No language model is called."""

    def __init__(self, settings: Settings, store: Store, models: Models) -> None:
        super().__init__(settings, store, models)
        self._candidates = Candidates(store, models, settings)
        self._recaller = Recaller(store, self._candidates, self.trace_writer, without_secrets)
        self._contexts = ContextWriter(store, self._candidates, self.trace_writer, without_secrets)
        self._compactor = Compactor(store, self.trace_writer, without_secrets)

    async def _with_bank(self, bank_id: str, read: Callable[[Bank], Awaitable[T]]) -> T:
        """The result of `read` for the cached bank; read again where its embedding model has changed since."""
        for attempt in range(MODEL_TRIES):
            try:
                return await read(await self.cached_bank(bank_id))
            except EmbeddingModelChanged:
                self.forget_cached_bank(bank_id)
                if attempt == MODEL_TRIES - 1:
                    raise
        raise AssertionError("unreachable")

    async def _context(self, writer: ContextWriter, bank_id: str, request: ContextQuery) -> Context:
        async def build(bank: Bank) -> Context:
            limits = context_limits_of(bank.settings, self.settings)
            return await writer.context(bank, request, limits.budgets(request))

        return await self._with_bank(bank_id, build)

    @implements(M.recall)
    async def recall(self, bank_id: str, request: RecallQuery) -> RecallResult:
        with memory_span("search_memory", bank_id, "recall") as span:
            async with time_limit(self.settings.recall_seconds):
                result = await self._with_bank(bank_id, lambda bank: self._recaller.recall(bank, request))
            span.set_attribute(RECORD_COUNT, len(result.items))
        return result

    @implements(M.context)
    async def context(self, bank_id: str, request: ContextQuery) -> Context:
        with memory_span("search_memory", bank_id, "context") as span:
            async with time_limit(self.settings.recall_seconds):
                built = await self._context(self._contexts, bank_id, request)
            span.set_attribute(RECORD_COUNT, sum(len(section.memory_ids) for section in built.sections))
        return built

    async def preview_context(
        self, bank_id: str, message: str, *, as_of: datetime | None = None
    ) -> tuple[Context, Trace]:
        """The context that `context` would return for a message, and its trace. Nothing is stored: no trace, no access,
        no acknowledgement. Errors: as recall."""
        kept = KeptTrace()
        writer = ContextWriter(self.store, self._candidates, kept, without_secrets)
        request = ContextQuery(message, as_of=as_of)
        with memory_span("search_memory", bank_id, "preview"):
            async with time_limit(self.settings.recall_seconds):
                built = await self._context(writer, bank_id, request)
                trace = await self.store.traces.preview(bank_id, kept.trace)
        return built, trace

    @implements(M.compact)
    async def compact(self, bank_id: str, request: CompactQuery) -> Context:
        with memory_span("search_memory", bank_id, "compact") as span:
            async with time_limit(self.settings.recall_seconds):
                bank = await self.cached_bank(bank_id)
                limits = context_limits_of(bank.settings, self.settings)
                built = await self._compactor.compact(bank, request, limits.room(request))
            span.set_attribute(RECORD_COUNT, sum(len(section.memory_ids) for section in built.sections))
        return built

    get_memory = from_store(M.get_memory, lambda store: store.episodes.read)

    @implements(M.list_memories)
    async def list_memories(
        self, bank_id: str, type: str | None, tags: Sequence[str] | None, min_importance: float | None,  # noqa: A002
        status: str | None, since: datetime | None, until: datetime | None, agent: str | None, recipient: str | None,
        order: str, limit: int, cursor: str | None,
    ) -> Page[MemoryItem]:  # fmt: skip
        filters = Filters(check_words(tags, "tag"), since, until, recipient, agent, min_importance)
        by_importance = check_choice(order, "order", ORDERS) == "importance"
        request = page_request(limit, cursor, MemoryPlace, bank=bank_id, order=order)
        items = await self.store.episodes.list(
            bank_id,
            request.fetched,
            request.after,
            **asdict(filters),
            by_importance=by_importance,
            types=None if type is None else [check_choice(type, "type", MEMORY_TYPES)],
            statuses=None if status is None else [check_choice(status, "status", STATUSES)],
        )
        return request.page(items)

    @implements(M.list_decisions)
    async def list_decisions(
        self, bank_id: str, outcome: str | None, limit: int, cursor: str | None
    ) -> Page[Decision]:
        request = page_request(limit, cursor, DecisionPlace)
        wanted = None if outcome is None else check_choice(outcome, "outcome", DECISION_OUTCOMES)
        return request.page(
            await self.store.episodes.list_decisions(bank_id, request.fetched, request.after, wanted)
        )

    @implements(M.list_changes)
    async def list_changes(
        self, bank_id: str, limit: int, cursor: str | None, wait_seconds: float
    ) -> Page[Change]:
        check_count(limit, "limit", 1, MAX_PAGE)
        after = read_cursor(cursor, ChangePlace)
        seconds = check_number(wait_seconds, "wait_seconds", 0, MAX_CHANGES_WAIT) or 0
        end = time.monotonic() + seconds
        while True:
            found = await self.store.episodes.list_changes(bank_id, limit, after)
            left = end - time.monotonic()
            if found or left <= 0:
                break
            await asyncio.sleep(min(CHANGES_POLL_SECONDS, left))
        return Page(tuple(change for _, change in found), write_cursor(found[-1][0]) if found else cursor)

    async def list_timeline(
        self, bank_id: str, *, limit: int = 50, cursor: str | None = None
    ) -> Page[TimelineEntry]:
        """What happened to the memories of a bank, newest first, with their present texts, for people.

        Programs follow `list_changes`. The end of the processing of a new memory is left out.
        """
        request = page_request(limit, cursor, TimelinePlace)
        before = request.after and request.after.change_id
        return request.page(
            await self.store.episodes.list_timeline(check_bank_id(bank_id), request.fetched, before)
        )

    async def map_episodes(self, bank_id: str, *, limit: int = MAX_MAP) -> list[MapPoint]:
        """The newest active episodes, newest first, in the plane in which their vectors differ most; for people.

        Episodes that are not embedded yet are left out. Errors: NotFound, InvalidInput.
        """
        check_bank_id(bank_id)
        check_count(limit, "limit", 1, MAX_MAP)
        sample = await self.store.episodes.map_sample(bank_id, limit, MAP_SAMPLE)
        axes = await asyncio.to_thread(principal_axes, sample)
        return await self.store.episodes.map_episodes(bank_id, limit, axes)

    async def spend_by_day(self, bank_id: str, *, days: int = 30) -> list[DailySpend]:
        """The bank's model calls of the last `days` UTC days by day, purpose and model, the latest day first."""
        return await self.store.spending.by_day(check_bank_id(bank_id), first_of_days(days))

    async def activity_by_day(self, bank_id: str, *, days: int = 14) -> list[DailyActivity]:
        """The bank's new messages and episodes of the last `days` UTC days by day, the latest first.

        Days without any are left out. Errors: NotFound.
        """
        return await self.store.banks.activity_by_day(check_bank_id(bank_id), first_of_days(days))

    @implements(M.get_trace)
    async def get_trace(self, bank_id: str, trace_id: UUID) -> Trace:
        try:
            return await self.store.traces.read(bank_id, trace_id)
        except NotFound:
            if not is_recent(trace_id):
                raise
            await self.trace_writer.flush(TRACE_SECONDS)
        deadline = time.monotonic() + OTHER_PROCESS_SECONDS
        while True:
            try:
                return await self.store.traces.read(bank_id, trace_id)
            except NotFound as error:
                if time.monotonic() > deadline:
                    raise NotFound(
                        f"{error}; a read of another process is written within a second: try again"
                    ) from None
            await asyncio.sleep(OTHER_PROCESS_SECONDS / 10)

    @implements(M.list_traces)
    async def list_traces(self, bank_id: str, limit: int, cursor: str | None) -> Page[TraceLine]:
        request = page_request(limit, cursor, TracePlace)
        after = request.after and request.after.trace_id
        return request.page(await self.store.traces.list(bank_id, request.fetched, after))

    async def flush(self) -> None:
        """Wait until the traces and access counts of all reads so far are written."""
        await self.trace_writer.flush()


@asynccontextmanager
async def time_limit(seconds: float) -> AsyncGenerator[None]:
    """Raise DatabaseUnavailable where the block takes longer."""
    try:
        async with asyncio.timeout(seconds):
            yield
    except TimeoutError:
        raise DatabaseUnavailable(f"there was no answer within {seconds:g} s") from None


def is_recent(trace_id: UUID) -> bool:
    """Whether a trace's id, a UUID of version 7, was made within the last TRACE_SECONDS."""
    return trace_id.version == 7 and abs(time.time() - (trace_id.int >> 80) / 1000) < TRACE_SECONDS


def first_of_days(days: int) -> datetime:
    """The beginning of the first of the last `days` UTC days, today being the last. Errors: InvalidInput."""
    today = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return today - timedelta(days=check_count(days, "days", 1, MAX_DAYS) - 1)
