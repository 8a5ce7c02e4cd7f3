"""Recall: candidates of one SQL call, reranked; the trace is written afterwards. Calls no language model."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import cast

import uuid_utils.compat as uuids

from memory_service.profiles import Profile, profile_of
from memory_service.recall.candidates import SALIENCE, Candidates
from memory_service.recall.mood import PresentMood
from memory_service.recall.rerank import limits_of, ranked
from memory_service.recall.superseded_statements import episodes_of, marked, superseded_statements
from memory_service.recall.trace import Timing, request_fields, trace_of
from memory_service.recall.trace_writer import TraceWriter
from memory_service.requests import RecallQuery
from memory_service.results import RecalledMemory, RecallResult, SupersededFact, SupersedingFact
from memory_service.store import Store
from memory_service.types import Bank, Ranked, Superseded
from memory_service.validation import ARMS
from memory_service.vocabulary import MemoryType

LEAST_CANDIDATES = 20
CANDIDATES_PER_K = 4


class Recaller:
    """Answers recalls of any bank."""

    def __init__(
        self, store: Store, candidates: Candidates, trace_writer: TraceWriter, redact: Callable[[str], str]
    ) -> None:
        self._store = store
        self._candidates = candidates
        self._trace_writer = trace_writer
        self._redact = redact

    async def recall(self, bank: Bank, query: RecallQuery) -> RecallResult:
        """The k best memories for a query, with reasons. Degraded where the query could not be embedded.

        Errors: InvalidInput naming a profile that the bank does not have.
        """
        profile = profile_of(bank.settings, query.profile)
        timing = Timing()
        at = query.as_of or datetime.now(UTC)
        fetch = max(LEAST_CANDIDATES, CANDIDATES_PER_K * query.k)
        found, degraded = await self._candidates.find(
            bank, query.query, fetch, query.mode, query.filters, query.as_of, timing,
            profile=profile, mood=PresentMood(query.mood, None), types=query.types,
            by=query.by, k=query.k,
            salient=profile.seeks_salient or query.by == (SALIENCE,),
            procedures=query.types is None or "procedural" in query.types,
        )  # fmt: skip
        ranking = ranked(
            found,
            profile,
            query.mood,
            query.k,
            at,
            limits=[limits_of(None if degraded else cut_off(profile, query), query.min_score)],
        )
        kept = ranking.kept()
        statements = await superseded_statements(
            self._store, bank.bank_id, found, episodes_of(r.candidate for r in kept), query.as_of
        )
        if statements:
            kept = [r._replace(candidate=marked(r.candidate, statements)) for r in kept]
        timing.lap("rerank")
        self._store.counts.observe_read("recall", timing.figures, degraded=degraded)
        trace_id, now = uuids.uuid7(), datetime.now(UTC)
        self._trace_writer.record(
            bank.bank_id,
            lambda: trace_of(
                trace_id, now, "recall", self._redact(query.query), profile, query.mode, bank,
                [r.candidate.memory_id for r in kept],
                ranking.columns(), degraded, timing, query.as_of, self._request_fields(query),
            ),
        )  # fmt: skip
        return RecallResult(tuple(map(recalled_memory, kept)), degraded, trace_id)

    def _request_fields(self, query: RecallQuery) -> dict[str, object]:
        filters, mood = query.filters, query.mood
        return request_fields(
            {
                "k": query.k, "min_score": query.min_score, "types": query.types, "tags": filters.tags,
                "min_importance": filters.min_importance,
                "since": filters.since, "until": filters.until, "recipient": filters.recipient,
                "agent": filters.agent, "by": None if query.by == ARMS else query.by,
                "emotions": mood.emotions, "valence": mood.valence, "topics": mood.topics,
            },
            self._redact,
        )  # fmt: skip


def recalled_memory(one: Ranked) -> RecalledMemory:
    """A ranked candidate as callers see it."""
    candidate = one.candidate
    return RecalledMemory(
        candidate.memory_id,
        cast("MemoryType", candidate.type),
        candidate.content,
        candidate.reply,
        candidate.from_reply and bool(candidate.reply),
        candidate.occurred_at,
        one.score,
        candidate.metadata,
        one.reason,
        one.components,
        superseded_fact(candidate.superseded),
    )


def superseded_fact(superseded: Superseded | None) -> SupersededFact | None:
    if superseded is None:
        return None
    by = None
    if superseded.by_id is not None and superseded.by_fact is not None:
        by = SupersedingFact(superseded.by_id, superseded.by_fact)
    return SupersededFact(superseded.fact_id, superseded.fact, superseded.since, by, superseded.retracted)


def cut_off(profile: Profile, query: RecallQuery) -> float | None:
    """The profile's cut-off for a recall by all arms; with fewer arms the similarity has another scale."""
    return profile.cut_off if query.by in (None, ARMS) else None
