"""The read path: embed the query, fetch candidates in one SQL call, rerank, fill budgets, leave a trace.

No language model is ever called here.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import structlog
import uuid_utils.compat as uuids

from memory_service.errors import InvalidInput, ModelError
from memory_service.inputs import ContextQuery, Filters, RecallQuery
from memory_service.models.interface import Vectors
from memory_service.models.registry import Models
from memory_service.models.token_counter import token_counter
from memory_service.recall.budget import Assembled, Draft, Line, assemble
from memory_service.recall.quoting import quoted
from memory_service.recall.recorder import Recorder
from memory_service.recall.rerank import rerank
from memory_service.rules.commands import command_in
from memory_service.rules.speech import without_echo
from memory_service.store import Store
from memory_service.store.messages import RecentMemory
from memory_service.types import Bank, Candidate, Context, Dropped, Ranked, Recalled

log = structlog.get_logger()

VISIBLE: dict[str, tuple[str, ...]] = {"passive": ("active",), "tool": ("active", "archived")}
"""Statuses that each mode sees (DESIGN §4)."""

LEAST_CANDIDATES = 20
CANDIDATES_PER_K = 4
CONTEXT_K = 25
QUERY_EMBEDDING_SECONDS = 10.0
CACHED_QUERIES = 1_000
TRACED_CHARS = 2_000
"""Of what was asked, a trace keeps this much."""


@dataclass(slots=True)
class Timing:
    """Where the time of one read went, in milliseconds."""

    started: float = field(default_factory=time.perf_counter)
    figures: dict[str, float] = field(default_factory=dict[str, float])

    def lap(self, name: str) -> None:
        now = time.perf_counter()
        self.figures[f"{name}_ms"] = round((now - self.started) * 1000, 3)
        self.started = now


class Reader:
    """Answers recalls and contexts of any bank."""

    def __init__(
        self, store: Store, models: Models, recorder: Recorder, redact: Callable[[str], str]
    ) -> None:
        self._store = store
        self._models = models
        self._recorder = recorder
        self._redact = redact
        self._queries: OrderedDict[tuple[str, str], Vectors] = OrderedDict()

    async def recall(self, bank: Bank, query: RecallQuery) -> Recalled:
        """The k best memories for a query, with reasons. Degraded where the query could not be embedded."""
        timing = Timing()
        at = query.as_of or datetime.now(UTC)
        fetch = max(LEAST_CANDIDATES, CANDIDATES_PER_K * query.k)
        if query.types is not None and "episodic" not in query.types:
            found, degraded = [], False
        else:
            found, degraded = await self._candidates(
                bank, query.query, fetch, query.mode, query.filters, query.as_of, timing
            )
        kept, dropped = rerank(found, query.profile, query.mood, query.k, at)
        timing.lap("rerank")
        trace_id = uuids.uuid7()
        self._recorder.record(
            bank.bank_id,
            trace_of(
                trace_id,
                "recall",
                self._redact(query.query),
                query.profile,
                query.mode,
                bank,
                kept,
                dropped,
                degraded,
                timing,
            ),
            [item.candidate.memory_id for item in kept],
        )
        return Recalled(tuple(kept), degraded, trace_id)

    async def context(self, bank: Bank, query: ContextQuery) -> Context:
        """The text to put before the model, within both budgets (DESIGN §5)."""
        timing = Timing()
        at = query.as_of or datetime.now(UTC)
        recents, (found, degraded) = await asyncio.gather(
            self._store.messages.recent(bank.bank_id, query.conversation_id, query.as_of),
            self._candidates(
                bank, query.message, CANDIDATES_PER_K * CONTEXT_K, "passive", Filters(), query.as_of, timing
            ),
        )
        kept, filtered = rerank(found, query.profile, query.mood, CONTEXT_K, at)
        recent = Draft("RECENT", [recent_line(r) for r in recents])
        relevant = Draft("RELEVANT", [line_of(r.candidate) for r in kept])
        counter = token_counter(query.tokenizer)
        assembled = assemble(recent, relevant, (query.recent_tokens, query.knowledge_tokens), counter)
        timing.lap("assemble")
        return self._finish(bank, query, assembled, kept, filtered, degraded, timing)

    def _finish(
        self,
        bank: Bank,
        query: ContextQuery,
        assembled: Assembled,
        kept: Sequence[Ranked],
        filtered: Sequence[Ranked],
        degraded: bool,
        timing: Timing,
    ) -> Context:
        printed = {memory_id for section in assembled.sections for memory_id in section.memory_ids}
        no_room = {dropped.memory_id: dropped.reason for dropped in assembled.dropped}
        used = [r for r in kept if r.candidate.memory_id in printed]
        unused = [
            Ranked(
                r.candidate, r.score, r.components, r.reason, no_room.get(r.candidate.memory_id, "in RECENT")
            )
            for r in kept
            if r.candidate.memory_id not in printed
        ]
        dropped = (
            *assembled.dropped,
            *(Dropped(r.candidate.memory_id, r.dropped or "") for r in filtered),
        )
        trace_id = uuids.uuid7()
        timing.figures["tokens"] = assembled.tokens
        trace = trace_of(
            trace_id, "context", self._redact(query.message), query.profile, "passive", bank, used,
            [*unused, *filtered], degraded, timing,
        )  # fmt: skip
        self._recorder.record(bank.bank_id, trace, [r.candidate.memory_id for r in used])
        return Context(assembled.text, assembled.tokens, assembled.sections, dropped, degraded, trace_id)

    async def _candidates(
        self,
        bank: Bank,
        text: str,
        fetch: int,
        mode: str,
        filters: Filters,
        as_of: datetime | None,
        timing: Timing,
    ) -> tuple[list[Candidate], bool]:
        """The candidates, and whether they were found by words alone because the query could not be embedded."""
        vector, degraded = None, False
        try:
            vector = await self._query_vector(bank.embedding_model, text)
        except (ModelError, InvalidInput, TimeoutError) as error:
            log.warning("recall degraded: no query embedding", bank_id=bank.bank_id, error=str(error))
            degraded = True
        timing.lap("embed")
        found = await self._store.retrieval.candidates(
            bank.bank_id, bank.embedding_model, vector, text, fetch, VISIBLE[mode], filters, as_of
        )
        timing.lap("search")
        return found, degraded

    async def _query_vector(self, model: str, text: str) -> Vectors:
        """The query's unit vector, from the cache where the same was asked lately."""
        key = (model, text)
        if key in self._queries:
            self._queries.move_to_end(key)
            return self._queries[key]
        embedder = self._models.embedder(model)
        answer = await asyncio.wait_for(embedder.embed_query(text), QUERY_EMBEDDING_SECONDS)
        self._queries[key] = answer.vectors[0]
        if len(self._queries) > CACHED_QUERIES:
            self._queries.popitem(last=False)
        return answer.vectors[0]


def recent_line(recent: RecentMemory) -> Line:
    content, source = recent.content, recent.source
    if recent.kind == "message":  # no gate may have seen it yet
        content = without_echo(content) or "(remembered context)"
        named = recent.name is not None and command_in(recent.name) is None
        source = recent.name if named else recent.role
    return Line(
        recent.id,
        quoted(content, recent.occurred_at, source or "user"),
        (recent.occurred_at, str(recent.id)),
        recent.kind == "episode",
    )


def line_of(candidate: Candidate) -> Line:
    return Line(candidate.memory_id, quoted(candidate.content, candidate.occurred_at, candidate.source))


def trace_of(
    trace_id: UUID,
    kind: str,
    text: str,
    profile: str,
    mode: str,
    bank: Bank,
    kept: Sequence[Ranked],
    dropped: Sequence[Ranked],
    degraded: bool,
    timing: Timing,
) -> dict[str, Any]:
    """A trace's JSON: every candidate with its components and why it is in or out; no memory text."""
    return {
        "trace_id": str(trace_id),
        "kind": kind,
        "query": text[:TRACED_CHARS],
        "profile": profile,
        "mode": mode,
        "embedding_model": bank.embedding_model,
        "returned": len(kept),
        "degraded": degraded,
        "figures": timing.figures,
        "candidates": [
            {
                "memory_id": str(r.candidate.memory_id),
                "score": round(r.score, 6),
                **{name: round(value, 6) for name, value in r.components.items()},
                "reason": r.reason,
                "dropped": r.dropped,
            }
            for r in (*kept, *dropped)
        ],
    }
