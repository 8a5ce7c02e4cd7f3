"""Context: memories for the model's next answer, in sections within two token budgets (docs/design.md, "Context")."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from itertools import chain
from typing import Any, get_args
from uuid import UUID

import uuid_utils.compat as uuids

from memory_service.injection.detection import command_in
from memory_service.models.interface import Vectors
from memory_service.models.token_counter import loaded_counter
from memory_service.profiles import Profile, profile_of
from memory_service.recall.candidates import Candidates
from memory_service.recall.formatting import (
    NOBODY,
    death_mark,
    names,
    plain_name,
    quoted,
    quoted_memory,
    quoted_question,
    superseded_mark,
)
from memory_service.recall.line_order import by_worth, repeats, says_no_more
from memory_service.recall.mood import present_mood, with_thread
from memory_service.recall.norm_view import SENSITIVE, PersonView, person_view, text_of, without_sensitive
from memory_service.recall.person_lines import acknowledged, procedure_lines, thread_emotion, thread_lines
from memory_service.recall.query_analysis import asks_of_agent
from memory_service.recall.rerank import OPPOSITE_VALENCE, Ranking, column, limits_of, ranked
from memory_service.recall.sections import (
    CLARIFICATION,
    EMOTIONAL,
    KNOWLEDGE,
    RECENT_SECTION,
    VITAL_SHARE,
    context_sections,
)
from memory_service.recall.superseded_statements import (
    NONE,
    episodes_of,
    marked,
    printable,
    superseded_statements,
)
from memory_service.recall.token_budget import LAST, NO_ROOM, Assembled, Line, Offer, assemble
from memory_service.recall.trace import Timing, trace_of
from memory_service.recall.trace_writer import TraceSink
from memory_service.requests import ContextQuery, Filters
from memory_service.results import Context, Dropped
from memory_service.rules.summaries.assistant_reply import content_words, passage
from memory_service.speakers import USER, Speakers, speakers_of
from memory_service.store import Store
from memory_service.store.context_entries import PersonEntry, RecentMemory
from memory_service.text.late_pattern import compile_late
from memory_service.text.sentences import is_chatter, without_echo
from memory_service.text.unicode_folding import folded
from memory_service.types import Bank, Candidate, Role, Superseded

LEAST_CANDIDATES, MOST_CANDIDATES = 60, 100
"""Each search arm fetches as many candidates as the token budgets can print, within these bounds."""
CONTEXT_FACTS = 20
"""Nearest facts that are fetched in addition to the other candidates, for the section FACTS."""
MATCHING = 0.3
"""Similarity from which a fact matches the message: the reserve of FACTS is open to it."""
QUESTION = "question"
DEATH = "death"
EPISODE = "episode"
FACT = "fact"
VITAL = "vital fact"
KINDS = (EPISODE, FACT, VITAL)
LONG_CHARS = 50_000
LONG_PASSAGES, LONG_PASSAGE, SHORT_PASSAGE = 5, 120, 60
WHOLE_PASSAGES, WHOLE_PASSAGE = 3, 400
"""Of a message that asks what the agent said, whose answer is in a reply though the reply's cosine may be low."""
REPLY_MARGIN = 0.1
"""A reply is shown if its cosine exceeds that of the memory's own text by this: replies are long, and most that match
do not answer the message. At 0, with passages of 200 and 80 characters, contexts of BEAM held 5 points less."""
READ = 20
"""Candidates whose replies are searched for the message's words; replies of the others are truncated."""
NO_WORDS = frozenset[str]()
REPLACED = "states a norm that was replaced"
CHATTER = "the message is small talk, which no memory matches"
"""Reasons why a context leaves a memory out."""
POSED_ROLES = frozenset({*get_args(Role), "developer", "memory", "memory service"})
_SIGNS = compile_late(r"[\W_]+")


class ContextWriter:
    """Answers contexts of any bank."""

    def __init__(
        self, store: Store, candidates: Candidates, traces: TraceSink, redact: Callable[[str], str]
    ) -> None:
        self._store = store
        self._candidates = candidates
        self._traces = traces
        self._redact = redact

    async def context(self, bank: Bank, query: ContextQuery, budgets: Mapping[str, int]) -> Context:
        """A context within both token budgets, recent and knowledge."""
        profile = profile_of(bank.settings, query.profile)
        timing = Timing()
        at = query.as_of or datetime.now(UTC)
        present = present_mood(query.message, query.mood)
        fetch = min(max(printable(sum(budgets.values())), LEAST_CANDIDATES), MOST_CANDIDATES)
        count = await loaded_counter(query.tokenizer)
        shown_anyway: list[RecentMemory] = []
        entries: list[PersonEntry] = []

        async def read_entries(vector: Vectors | None) -> None:
            recent, person = await self._store.context_entries.of_context(
                bank.bank_id, bank.embedding_model, vector, query.conversation_id, query.mood.valence,
                OPPOSITE_VALENCE, query.as_of,
            )  # fmt: skip
            shown_anyway.extend(recent)
            entries.extend(person)

        found, degraded = await self._candidates.find(
            bank, query.message, fetch, "passive", Filters(), query.as_of, timing,
            profile=profile, mood=present, salient=profile.seeks_salient, facts=CONTEXT_FACTS, beside=read_entries,
        )  # fmt: skip
        present = with_thread(present, query.mood, thread_emotion(entries))
        questions = [r for r in shown_anyway if r.kind == QUESTION]
        deaths = [r for r in shown_anyway if r.kind == DEATH]
        recents = [r for r in shown_anyway if r.kind not in (QUESTION, DEATH)]
        # Ranked by kind: facts are not displaced by episodes with higher scores.
        kinds = kinds_of(found)
        cut_offs = {VITAL: None, FACT: profile.fact_cut_off, EPISODE: profile.cut_off}
        ranking = ranked(
            found,
            profile,
            present.mood,
            MOST_CANDIDATES,
            at,
            None if present.bars() is None else present.out_of_place,
            [limits_of(None if degraded else cut_offs[kind], query.min_score) for kind in KINDS],
            kinds,
        )
        scores = ranking.scores_of(ranking.kept_places)
        kept = [found[n] for n in printable_places(ranking.kept_places, kinds, sum(budgets.values()))]
        view = person_view(
            entries,
            query.message,
            budgets[KNOWLEDGE],
            bank.scale,
            shown={one.memory_id: one.content for one in kept if one.vital_by_attribute},
        )
        entries, sensitive = without_sensitive(entries, view)
        questions = [q for q in questions if not view.holds_back(q.id, q.content)]
        deaths = [d for d in deaths if not view.holds_back(d.id, d.content)]
        kept, left_out = without_norms(kept, view)
        left_out |= sensitive
        if query.min_score is None and is_chatter(query.message):
            left_out |= {one.memory_id: CHATTER for one in kept if not one.vital}
            kept = [one for one in kept if one.vital]
        recents = [
            r
            for r in recents
            if r.memory_id not in view.replaced
            and not (r.kind == EPISODE and view.holds_back(r.id, r.content))
        ]
        statements = await superseded_statements(
            self._store, bank.bank_id, found,
            chain(
                (r.memory_id for r in recents if r.memory_id is not None),
                episodes_of(kept, printable(budgets[KNOWLEDGE])),
            ),
            query.as_of,
        )  # fmt: skip
        statements = {**view.ended, **statements} if view.ended else statements
        if statements:
            kept = [marked(candidate, statements) for candidate in kept]
        assembled = await off_loop_if_long(
            lambda: assemble(
                offered(
                    recents,
                    kept,
                    questions,
                    view,
                    entries,
                    speakers_of(bank.settings),
                    query.message,
                    statements,
                    scores,
                    deaths,
                ),
                budgets,
                count,
            ),
            sum(len(r.content) for r in recents) + sum(len(candidate.content) for candidate in kept),
        )
        timing.lap("assemble")
        self._store.counts.observe_read("context", timing.figures, degraded=degraded)
        timing.figures |= {f"{name}_tokens": tokens for name, tokens in budgets.items()}
        if present.felt is not None:
            timing.figures["felt_valence"] = round(present.felt, 3)
        return self._finish(
            bank, query, profile, assembled, ranking, kept, questions, entries, degraded, timing, left_out
        )

    def _finish(
        self,
        bank: Bank,
        query: ContextQuery,
        profile: Profile,
        assembled: Assembled,
        ranking: Ranking,
        kept: Sequence[Candidate],
        questions: Sequence[RecentMemory],
        entries: Sequence[PersonEntry],
        degraded: bool,
        timing: Timing,
        left_out: dict[UUID, str],
    ) -> Context:
        printed = {memory_id for section in assembled.sections for memory_id in section.memory_ids}
        ids = ranking.memory_ids
        why = dict.fromkeys((ids[n] for n in ranking.kept_places), NO_ROOM)
        why |= {dropped.memory_id: dropped.reason for dropped in assembled.dropped} | left_out
        # RECENT may print memories below the profile's floor, and some that are not among the candidates.
        out = ranking.dropped_places(printed, why)
        used = [n for n in ranking.places if ids[n] in printed]
        why = (
            {dropped.memory_id: dropped.reason for dropped in assembled.dropped}
            | {ids[n]: reason for n, reason in out}
            | {memory_id: reason for memory_id, reason in left_out.items() if memory_id not in printed}
        )
        dropped = tuple(Dropped(memory_id, reason) for memory_id, reason in why.items())
        sections = {section.name for section in assembled.sections}
        asked = next((q for q in questions if CLARIFICATION in sections), None)
        trace_id, now = uuids.uuid7(), datetime.now(UTC)
        timing.figures["tokens"] = assembled.tokens
        self._traces.record(
            bank.bank_id,
            lambda: trace_of(
                trace_id, now, "context", self._redact(query.message), profile, "passive", bank,
                sorted(printed, key=str), ranking.columns(used, out), degraded, timing, query.as_of,
                {} if query.conversation_id is None else {"conversation_id": query.conversation_id},
            )
            | brought_up(query, [one for one in kept if one.memory_id in printed], asked)
            | acknowledged(entries, printed=EMOTIONAL in sections and query.as_of is None),
        )  # fmt: skip
        return Context(
            assembled.text, assembled.tokens, assembled.sections, dropped, degraded, trace_id,
            None if asked is None else asked.id,
        )  # fmt: skip


def kinds_of(candidates: Sequence[Candidate]) -> list[int]:
    """The place in KINDS of each candidate: an episode, a fact, or a vital fact, which is shown whatever its similarity
    (an allergy for a question about cakes)."""
    types, vital = column(candidates, "type"), column(candidates, "vital")
    facts = (KINDS.index(FACT), KINDS.index(VITAL))
    return [
        facts[bool(matters)] if memory_type == "semantic" else KINDS.index(EPISODE)
        for memory_type, matters in zip(types, vital, strict=True)
    ]


def printable_places(places: Sequence[int], kinds: Sequence[int], tokens: int) -> list[int]:
    """The places that may be printed: all facts, and the first episodes that both budgets can hold."""
    episode = KINDS.index(EPISODE)
    episodes = [n for n in places if kinds[n] == episode]
    beyond = set(episodes[printable(tokens) :])
    return [n for n in places if n not in beyond]


def brought_up(query: ContextQuery, used: Sequence[Candidate], asked: RecentMemory | None) -> dict[str, Any]:
    """The trace's entry for shown unconfirmed facts and the question asked, which the user's next message may settle.
    Empty without them, and for a context as of another time."""
    facts = [one.memory_id for one in used if one.unconfirmed]
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


def recent_line(
    recent: RecentMemory,
    speakers: Speakers = NOBODY,
    statements: Mapping[UUID, Superseded] = NONE,
    facts: Sequence[tuple[UUID, frozenset[str]]] = (),
    deaths: Sequence[RecentMemory] = (),
) -> Line:
    """A line of RECENT, with its superseded statement, by memory, and the deaths of those whom it names.

    An episode that says only what one of `facts` says is left out where that is printed. Messages claim the budget; an
    episode, which does not match the message, comes last.
    """
    content, source = recent.content, recent.source
    if recent.kind == "message":  # no gate may have seen it yet
        content = without_echo(content) or "(remembered context)"
        named = recent.name is not None and command_in(recent.name) is None and not is_role(recent.name)
        source = recent.name if named else speakers.named(recent.role or USER)
    else:
        source = speakers.named(source or USER)
    text = quoted(content, recent.occurred_at, source or USER)
    if recent.memory_id is not None and (by := statements.get(recent.memory_id)) is not None:
        text += f" ({superseded_mark(by)})"
    text += death_marks(recent.content, recent.occurred_at, deaths)
    is_episode = recent.kind == EPISODE
    return Line(
        recent.id,
        text,
        (recent.occurred_at, str(recent.id)),
        is_episode,
        LAST if is_episode else -math.inf,
        float(not is_episode),
        held_by=repeats(recent.content, facts) if is_episode else frozenset(),
    )


def death_marks(content: str, occurred_at: datetime, deaths: Sequence[RecentMemory]) -> str:
    """The deaths since then of persons whom a text names, as marks behind its line: "(Tom died 2026-08-14)"."""
    return "".join(
        f" ({death_mark(death.name, death.occurred_at)})"
        for death in deaths
        if death.name
        and occurred_at < death.occurred_at
        and death.name in content
        and names(content, death.name)
    )


def is_role(name: str) -> bool:
    """Whether a name, as shown, imitates a role of the conversation ("system", "[System]:")."""
    return " ".join(_SIGNS.sub(" ", folded(plain_name(name))).split()) in POSED_ROLES


def offered(
    recents: Sequence[RecentMemory],
    kept: Sequence[Candidate],
    questions: Sequence[RecentMemory],
    view: PersonView,
    entries: Sequence[PersonEntry],
    speakers: Speakers,
    message: str,
    statements: Mapping[UUID, Superseded],
    scores: Mapping[UUID, float],
    deaths: Sequence[RecentMemory] = (),
) -> list[Offer]:
    """The sections with their lines. Vital facts come first in FACTS. Of a reply only the passage nearest to `message`
    is shown, a longer one for the best matches, and most of it where the message asks what the agent said. All lines
    compete in one order, by score and length."""
    words = frozenset(content_words(message))
    asked = asks_of_agent(message)
    shown = [
        one._replace(
            reply=passage(one.reply, words if place < READ else NO_WORDS, passage_chars(place, asked=asked)),
            from_reply=True,
        )
        if one.reply and (answers(one) or (asked and place < LONG_PASSAGES))
        else (one._replace(from_reply=False) if one.from_reply else one)
        for place, one in enumerate(kept)
    ]
    texts = [
        quoted_memory(one, speakers) + death_marks(one.content, one.occurred_at, deaths) for one in shown
    ]
    order = by_worth([scores[one.memory_id] for one in shown], texts)
    ranks = {
        shown[n].memory_id: LAST
        if shown[n].memory_id in view.known and not shown[n].unconfirmed
        else float(place)
        for place, n in enumerate(order)
    }
    said_elsewhere = [
        (one.memory_id, frozenset(content_words(one.content)))
        for one in shown
        if one.type == "semantic" and not one.unconfirmed
    ] + [(one.id, frozenset(content_words(one.content))) for one in entries if one.kind == "procedure"]
    lines = [
        (one, Line(one.memory_id, texts[n], rank=(rank := ranks[one.memory_id]), share=share_of(one, rank),
                   held_by=held_by(one, said_elsewhere, view)))
        for n, one in ((n, shown[n]) for n in order)
    ]  # fmt: skip
    facts = [line for one, line in lines if one.type == "semantic" and one.vital]
    facts += [line for one, line in lines if one.type == "semantic" and not one.vital]
    episodes = {one.memory_id: line for one, line in lines if one.type != "semantic"}
    recent: list[Line] = []
    for one in recents:
        line = recent_line(one, speakers, statements, said_elsewhere, deaths)
        if one.kind == EPISODE and (match := episodes.get(one.id)) is not None:
            episodes[one.id] = match._replace(order=line.order, printed_in=RECENT_SECTION)
        else:
            recent.append(line)
    return context_sections(
        relational=norm_lines(view, kept),
        emotional=thread_lines(entries),
        recent=recent,
        facts=facts,
        relevant=[
            *procedure_lines(entries, lambda text, since: death_marks(text, since, deaths)),
            *episodes.values(),
        ],
        clarifications=[Line(q.id, quoted_question(q.content), is_memory=False) for q in questions],
    )


def answers(candidate: Candidate) -> bool:
    """Whether the reply matches the message clearly better than the memory's own text, or by words alone."""
    if not candidate.from_reply:
        return False
    reply = candidate.figures.get("reply", 0.0)
    return reply - candidate.figures.get("cosine", 0.0) >= REPLY_MARGIN or not reply


def share_of(candidate: Candidate, rank: float) -> float:
    """The share of its section's reserve that a memory may use: none for a fact that does not match the message."""
    if candidate.type != "semantic":
        return 1.0
    if rank == LAST:
        return 0.0
    return VITAL_SHARE if candidate.vital else float(candidate.similarity >= MATCHING)


def held_by(
    candidate: Candidate, facts: Sequence[tuple[UUID, frozenset[str]]], view: PersonView
) -> frozenset[UUID]:
    """The facts and procedures, given with their content words, and the offered norms that say all that a memory says.
    A fact in doubt, an episode whose statement has ended, and one that is shown with its reply say more."""
    if candidate.unconfirmed or candidate.superseded is not None or candidate.from_reply:
        return frozenset()
    content = candidate.content
    if candidate.type == "semantic":
        norms = view.norms if candidate.memory_id in view.known else ()
        return frozenset(norm.memory_id for norm in norms if says_no_more(content, norm.text))
    held = repeats(content, facts)
    stated = view.stated.get(candidate.memory_id, ())
    if stated and says_no_more(content, " ".join(f"{text_of(norm)} {norm.situation}" for norm in stated)):
        held |= {norm.id for norm in stated}
    return held


def norm_lines(view: PersonView, kept: Sequence[Candidate]) -> list[Line]:
    """The norms; those that fit the message compete at the place that their cosine has among the candidates."""
    if not view.cosines:
        return list(view.norms)
    cosines = [one.figures.get("cosine", 0.0) for one in kept]
    return [
        line._replace(rank=float(sum(cosine > own for cosine in cosines)))
        if (own := view.cosines.get(line.memory_id)) is not None
        else line
        for line in view.norms
    ]


def passage_chars(place: int, *, asked: bool) -> int:
    """Characters of a reply shown with the candidate at this place; `asked`: the message asks what the agent said."""
    if asked and place < WHOLE_PASSAGES:
        return WHOLE_PASSAGE
    return LONG_PASSAGE if place < LONG_PASSAGES else SHORT_PASSAGE


async def off_loop_if_long(make: Callable[[], Assembled], chars: int) -> Assembled:
    """The result of `make`; in a thread for long texts, so that other calls proceed."""
    return await asyncio.to_thread(make) if chars > LONG_CHARS else make()


def without_norms(kept: Sequence[Candidate], view: PersonView) -> tuple[list[Candidate], dict[UUID, str]]:
    """The candidates without those that state a replaced norm or a sensitive topic that the message does not raise, and
    the reasons of these."""
    left_out = {
        one.memory_id: REPLACED for one in kept if one.memory_id in view.replaced and not one.unconfirmed
    }
    if view.held_back:
        left_out |= {
            one.memory_id: SENSITIVE
            for one in kept
            if (not one.vital_by_attribute or one.memory_id in view.known)
            and view.holds_back(one.memory_id, one.content)
        }
    return [one for one in kept if one.memory_id not in left_out], left_out
