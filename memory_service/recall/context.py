"""Context: what is put before the model with a message, sections within two budgets (DESIGN §5)."""

from __future__ import annotations

import asyncio
import math
import re
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from itertools import chain
from typing import Any, get_args

import uuid_utils.compat as uuids

from memory_service.inputs import ContextQuery, Filters
from memory_service.models.token_counter import token_counter
from memory_service.profiles import Profile, profile_of
from memory_service.recall.budget import Assembled, Line, Offer, assemble
from memory_service.recall.candidates import Candidates
from memory_service.recall.mood import present_mood
from memory_service.recall.quoting import plain_name, quoted, quoted_memory, quoted_question
from memory_service.recall.recorder import Recorder
from memory_service.recall.rerank import IMPORTANT_ANYWAY, OPPOSITE_VALENCE, rerank
from memory_service.recall.sections import CLARIFICATION, KNOWLEDGE, RECENT, context_sections
from memory_service.recall.tracing import Timing, columns_of, parted, trace_of
from memory_service.rules.commands import command_in
from memory_service.rules.plain_text import folded
from memory_service.rules.speech import without_echo
from memory_service.store import Store
from memory_service.store.messages import RecentMemory
from memory_service.types import Bank, Context, Dropped, Ranked, Role

CONTEXT_CANDIDATES = 100
"""All that are found are offered: the budget decides."""
CONTEXT_FACTS = 20
"""So many of the nearest facts are offered however many episodes are nearer: FACTS has room of its own."""
QUESTION = "question"
LONG_CHARS = 50_000
POSED_ROLES = frozenset({*get_args(Role), "developer", "memory", "memory service"})
_SIGNS = re.compile(r"[\W_]+")


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
        present = present_mood(query.message, query.mood)
        count, shown_anyway, (found, degraded) = await asyncio.gather(
            asyncio.to_thread(token_counter, query.tokenizer),
            self._store.messages.recent(
                bank.bank_id, query.conversation_id, query.mood.valence, OPPOSITE_VALENCE, query.as_of
            ),
            self._candidates.find(
                bank,
                query.message,
                CONTEXT_CANDIDATES,
                "passive",
                Filters(),
                query.as_of,
                timing,
                profile=profile,
                mood=present,
                facts=CONTEXT_FACTS,
            ),
        )
        questions = [r for r in shown_anyway if r.kind == QUESTION]
        recents = [r for r in shown_anyway if r.kind != QUESTION]
        candidates = list(found)
        # Each type by itself: however many episodes score higher, facts have a section of their own.
        kept, filtered = both(
            rerank(
                [c for c in candidates if (c.type == "semantic") is facts],
                profile,
                present.mood,
                CONTEXT_CANDIDATES,
                at,
                present.out_of_place,
            )
            for facts in (True, False)
        )
        budgets = {RECENT: query.recent_tokens, KNOWLEDGE: query.knowledge_tokens}
        assembled = await off_loop_if_long(
            lambda: assemble(offered(recents, kept, questions), budgets, count),
            sum(len(r.content) for r in recents) + sum(len(r.candidate.content) for r in kept),
        )
        timing.lap("assemble")
        if present.felt is not None:
            timing.figures["felt_valence"] = round(present.felt, 3)
        return self._finish(bank, query, profile, assembled, kept, filtered, questions, degraded, timing)

    def _finish(
        self,
        bank: Bank,
        query: ContextQuery,
        profile: Profile,
        assembled: Assembled,
        kept: Sequence[Ranked],
        filtered: Sequence[Ranked],
        questions: Sequence[RecentMemory],
        degraded: bool,
        timing: Timing,
    ) -> Context:
        printed = {memory_id for section in assembled.sections for memory_id in section.memory_ids}
        why = {dropped.memory_id: dropped.reason for dropped in assembled.dropped}
        # RECENT may print what is below the profile's floor, and what no arm has found.
        shown = [r._replace(dropped=None) for r in filtered if r.candidate.memory_id in printed]
        out = [r for r in filtered if r.candidate.memory_id not in printed]
        used, unused = parted([*kept, *shown], why)
        for r in out:
            why.setdefault(r.candidate.memory_id, r.dropped or "")
        dropped = tuple(Dropped(memory_id, reason) for memory_id, reason in why.items())
        asked = next((q for q in questions if any(s.name == CLARIFICATION for s in assembled.sections)), None)
        trace_id, now = uuids.uuid7(), datetime.now(UTC)
        timing.figures["tokens"] = assembled.tokens
        self._recorder.record(
            bank.bank_id,
            lambda: trace_of(
                trace_id, now, "context", self._redact(query.message), profile, "passive", bank, used,
                columns_of([*used, *unused, *out]), degraded, timing, query.as_of,
            )
            | {"returned": len(printed), "seen": sorted(map(str, printed))}
            | brought_up(query, used, asked),
        )  # fmt: skip
        return Context(
            assembled.text, assembled.tokens, assembled.sections, dropped, degraded, trace_id,
            None if asked is None else asked.id,
        )  # fmt: skip


def both(ranked: Iterable[tuple[list[Ranked], list[Ranked]]]) -> tuple[list[Ranked], list[Ranked]]:
    """What was kept and what was dropped of several rankings, each best first as in one."""
    kept, dropped = (
        sorted(chain.from_iterable(part), key=lambda r: (-r.score, r.candidate.memory_id))
        for part in zip(*ranked, strict=True)
    )
    return kept, dropped


def brought_up(query: ContextQuery, used: Sequence[Ranked], asked: RecentMemory | None) -> dict[str, Any]:
    """What the trace's record says of doubts that were shown and the question that was asked: the user's answer may
    settle them. Nothing where there were none, or where the context was of another time."""
    facts = [r.candidate.memory_id for r in used if r.candidate.unconfirmed]
    if asked is not None:
        facts += asked.facts
    if not facts or query.as_of is not None:
        return {}
    return {
        "brought_up": {
            "conversation_id": query.conversation_id,
            "facts": [str(fact) for fact in dict.fromkeys(facts)],
            "clarification_id": None if asked is None else str(asked.id),
        }
    }


def recent_line(recent: RecentMemory) -> Line:
    content, source = recent.content, recent.source
    if recent.kind == "message":  # no gate may have seen it yet
        content = without_echo(content) or "(remembered context)"
        named = recent.name is not None and command_in(recent.name) is None and not is_role(recent.name)
        source = recent.name if named else recent.role
    return Line(
        recent.id,
        quoted(content, recent.occurred_at, source or "user"),
        (recent.occurred_at, str(recent.id)),
        recent.kind == "episode",
        -math.inf,
    )


def is_role(name: str) -> bool:
    """Whether a name, as it would be shown, poses as a part in the conversation: who is called "system", or
    "[System]:", is shown by the role it has."""
    return " ".join(_SIGNS.sub(" ", folded(plain_name(name))).split()) in POSED_ROLES


def offered(
    recents: Sequence[RecentMemory], kept: Sequence[Ranked], questions: Sequence[RecentMemory]
) -> list[Offer]:
    """The sections with what may stand in them. Norms and threads come with their tables."""
    return context_sections(
        recent=[recent_line(r) for r in recents],
        facts=[line_of(r) for r in kept if r.candidate.type == "semantic"],
        relevant=[line_of(r) for r in kept if r.candidate.type != "semantic"],
        clarifications=[Line(q.id, quoted_question(q.content), is_memory=False) for q in questions],
    )


async def off_loop_if_long(make: Callable[[], Assembled], chars: int) -> Assembled:
    """What `make` makes; where that takes long, other calls are answered meanwhile."""
    return await asyncio.to_thread(make) if chars > LONG_CHARS else make()


def line_of(ranked: Ranked) -> Line:
    """A memory's line. For what the reserves leave, all sections compete by score; what is important and known comes
    before (S3 1.4, "Budget Stress")."""
    candidate = ranked.candidate
    first = candidate.type == "semantic" and candidate.importance >= IMPORTANT_ANYWAY
    return Line(candidate.memory_id, quoted_memory(candidate), rank=-math.inf if first else -ranked.score)
