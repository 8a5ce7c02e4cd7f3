"""Context: what is put before the model with a message, sections within two budgets (DESIGN §5)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

import uuid_utils.compat as uuids

from memory_service.inputs import ContextQuery, Filters
from memory_service.models.token_counter import token_counter
from memory_service.profiles import Profile, profile_of
from memory_service.recall.budget import Assembled, Draft, Line, assemble
from memory_service.recall.candidates import Candidates
from memory_service.recall.quoting import quoted
from memory_service.recall.recorder import Recorder
from memory_service.recall.rerank import rerank
from memory_service.recall.tracing import Timing, trace_of
from memory_service.rules.commands import command_in
from memory_service.rules.speech import without_echo
from memory_service.store import Store
from memory_service.store.messages import RecentMemory
from memory_service.types import Bank, Candidate, Context, Dropped, Ranked

CONTEXT_CANDIDATES = 100
CONTEXT_K = 25


class ContextWriter:
    """Answers contexts of any bank."""

    def __init__(
        self, store: Store, candidates: Candidates, recorder: Recorder, redact: Callable[[str], str]
    ) -> None:
        self._store = store
        self._candidates = candidates
        self._recorder = recorder
        self._redact = redact

    async def context(self, bank: Bank, query: ContextQuery) -> Context:
        """The text to put before the model, within both budgets (DESIGN §5)."""
        profile = profile_of(bank.settings, query.profile)
        timing = Timing()
        at = query.as_of or datetime.now(UTC)
        recents, (found, degraded) = await asyncio.gather(
            self._store.messages.recent(bank.bank_id, query.conversation_id, query.as_of),
            self._candidates.find(
                bank, query.message, CONTEXT_CANDIDATES, "passive", Filters(), query.as_of, timing
            ),
        )
        kept, filtered = rerank(found, profile, query.mood, CONTEXT_K, at)
        recent = Draft("RECENT", [recent_line(r) for r in recents])
        relevant = Draft("RELEVANT", [line_of(r.candidate) for r in kept])
        counter = token_counter(query.tokenizer)
        assembled = assemble(recent, relevant, (query.recent_tokens, query.knowledge_tokens), counter)
        timing.lap("assemble")
        return self._finish(bank, query, profile, assembled, kept, filtered, degraded, timing)

    def _finish(
        self,
        bank: Bank,
        query: ContextQuery,
        profile: Profile,
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
            trace_id, "context", self._redact(query.message), profile, "passive", bank, used,
            [*unused, *filtered], degraded, timing, query.as_of,
        )  # fmt: skip
        self._recorder.record(bank.bank_id, trace)
        return Context(assembled.text, assembled.tokens, assembled.sections, dropped, degraded, trace_id)


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
