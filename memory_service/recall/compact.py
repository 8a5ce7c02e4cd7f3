"""Compaction: memories for a message to a recipient, in sections, within one token budget (docs/design.md,
"Context")."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from uuid import UUID

import uuid_utils.compat as uuids

from memory_service.models.token_counter import loaded_counter
from memory_service.profiles import PROFILES
from memory_service.recall.candidates import VISIBLE
from memory_service.recall.context import off_loop_if_long
from memory_service.recall.formatting import plain_name, quoted_memory
from memory_service.recall.norm_view import SENSITIVE, person_view
from memory_service.recall.rerank import RECENCY_DAYS, rerank
from memory_service.recall.sections import KNOWLEDGE, compaction_sections
from memory_service.recall.token_budget import OPENING, Line, Offer, assemble
from memory_service.recall.trace import Timing, columns_of, split_used, trace_of
from memory_service.recall.trace_writer import TraceWriter
from memory_service.requests import CompactQuery, Mood
from memory_service.results import Context, Dropped
from memory_service.speakers import Speakers, speakers_of
from memory_service.store import Store
from memory_service.types import Bank, Ranked

PROFILE = PROFILES["legacy"]
MODE = "tool"
SHORTEST_LINE = 6
"""Fewest tokens of a line by any tokenizer, with date and source."""
MOST_CANDIDATES = 2_000
TRACED = 200
"""Most candidates in a trace, best first."""


class Compactor:
    """Answers compactions of any bank."""

    def __init__(self, store: Store, trace_writer: TraceWriter, redact: Callable[[str], str]) -> None:
        self._store = store
        self._trace_writer = trace_writer
        self._redact = redact

    async def compact(self, bank: Bank, query: CompactQuery, max_tokens: int) -> Context:
        """Memories that are important, recent, about the recipient or tagged with the purpose, best first by the
        `legacy` profile within the budget, without sensitive topics that neither recipient nor purpose names. No more
        candidates are fetched than lines fit."""
        timing = Timing()
        at = query.as_of or datetime.now(UTC)
        count = await loaded_counter(query.tokenizer)
        found = await self._store.compaction.candidates(
            bank.bank_id,
            query.recipient,
            query.purpose,
            VISIBLE[MODE],
            min(max_tokens // SHORTEST_LINE + 1, MOST_CANDIDATES),
            importance_weight=PROFILE.importance,
            recency_weight=PROFILE.recency,
            recency_days=RECENCY_DAYS,
            as_of=query.as_of,
        )
        timing.lap("search")
        ranked, _ = rerank([candidate for candidate, _ in found], PROFILE, Mood(), len(found), at)
        reasons = {candidate.memory_id: ", ".join(why) for candidate, why in found}
        ranked = [r._replace(reason=reasons[r.candidate.memory_id]) for r in ranked]
        entries = await self._store.context_entries.of_person(
            bank.bank_id, bank.embedding_model, None, query.as_of
        )
        view = person_view(entries, f"{query.recipient} {query.purpose}", max_tokens, bank.scale)
        held_back = {
            r.candidate.memory_id: SENSITIVE
            for r in ranked
            if view.holds_back(r.candidate.memory_id, r.candidate.content)
        }
        shown = [r for r in ranked if r.candidate.memory_id not in held_back]
        recipient, purpose = (plain_name(words, "somebody") for words in (query.recipient, query.purpose))
        opening = f"{OPENING}\nContext for message to {recipient} ({purpose}):"
        assembled = await off_loop_if_long(
            lambda: assemble(
                offered(shown, speakers_of(bank.settings)), {KNOWLEDGE: max_tokens}, count, opening
            ),
            sum(len(r.candidate.content) for r in shown),
        )
        timing.lap("assemble")
        self._store.counts.observe_read("compact", timing.figures)
        timing.figures |= {"tokens": assembled.tokens, "max_tokens": max_tokens, "candidates": len(ranked)}
        dropped = (*assembled.dropped, *(Dropped(*one) for one in held_back.items()))
        trace_id = self._trace(bank, query, dropped, ranked, timing)
        return Context(assembled.text, assembled.tokens, assembled.sections, dropped, False, trace_id)

    def _trace(
        self,
        bank: Bank,
        query: CompactQuery,
        dropped: Sequence[Dropped],
        ranked: Sequence[Ranked],
        timing: Timing,
    ) -> UUID:
        why = {one.memory_id: one.reason for one in dropped}
        used, unused = split_used(ranked, why)
        trace_id, now = uuids.uuid7(), datetime.now(UTC)
        self._trace_writer.record(
            bank.bank_id,
            lambda: trace_of(
                trace_id, now, "compact",
                f"{self._redact(query.recipient)}: {self._redact(query.purpose)}", PROFILE, MODE, bank,
                [r.candidate.memory_id for r in used], columns_of([*used, *unused][:TRACED]), False,
                timing, query.as_of,
            ),
        )  # fmt: skip
        return trace_id


def offered(ranked: Sequence[Ranked], speakers: Speakers) -> list[Offer]:
    """The sections by memory type; all lines compete by score."""
    lines: dict[str, list[Line]] = {"episodic": [], "semantic": [], "procedural": []}
    for place, r in enumerate(ranked):
        one = r.candidate
        lines[one.type].append(Line(one.memory_id, quoted_memory(one, speakers), rank=place))
    return compaction_sections(
        experiences=lines["episodic"], knowledge=lines["semantic"], habits=lines["procedural"]
    )
