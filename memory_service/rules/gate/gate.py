"""Gate decisions by rules: clear cases without a model (docs/design.md, "Gate").

Only messages of people count: those with the role `user`, and those of an assistant with a name. Messages of an
unnamed assistant are context. Order: commands, emptiness, harm, requests, small talk; a command is never outweighed.
A refusal has a verdict of each gate; otherwise the extractor decides the others.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Literal

from memory_service.injection.detection import command_in, command_of_user
from memory_service.rules.emotions.emotions import valence
from memory_service.rules.emotions.felt_words import felt_words
from memory_service.rules.facts.announced_times import with_times
from memory_service.rules.facts.answered_questions import answer_in_full
from memory_service.rules.facts.corrections import (
    corrected_facts,
    corrected_within,
    corrects_before_reason,
    is_joke,
    may_correct,
)
from memory_service.rules.facts.moved_events import moves_event
from memory_service.rules.facts.references import about_named
from memory_service.rules.facts.sentence_facts import facts_in
from memory_service.rules.facts.standing_instructions import INSTRUCTION
from memory_service.rules.facts.statements import IDENTITY, statements
from memory_service.rules.facts.text_tasks import is_of_another
from memory_service.rules.facts.user_text import plays_role
from memory_service.rules.gate.explicit_requests import asks_to_remember, may_ask
from memory_service.rules.gate.forgetting import is_not_to_be_stored, without_forgetting
from memory_service.rules.gate.harm import harm_in, may_harm
from memory_service.rules.gate.kept_sentences import lasting_kinds_of, states_in_other_language
from memory_service.rules.gate.plain_statements import states_plainly
from memory_service.rules.gate.sentence_features import SentenceFeatures, read_features
from memory_service.rules.gate.worth_score import KEEP_AT, Read, worth, worth_of
from memory_service.rules.norms.norms import norms_of
from memory_service.rules.relatives import KIN
from memory_service.text.late_pattern import compile_late
from memory_service.text.sentences import (
    has_echo,
    has_words,
    is_between_persons,
    is_chatter,
    is_person,
    sentences,
    without_echo,
    words_of_people,
)
from memory_service.text.unicode_folding import words_of
from memory_service.types import CandidateFact, Segment, Utterance, Verdict

ECHO = "an echo of remembered context"
"""Reason of the refusal of a text that only repeats a context of this service."""
HIGH_EMOTION = 0.6
"""Absolute valence beyond which a text is worth remembering by itself."""
CLEAR_DECISION = 0.7
"""The least value of a decision, a promise or a dated plan; other plans have less."""

Decision = Literal["keep", "refuse", "quarantine", "undecided"]

_HARMLESS = Verdict("harm_check", True, "nothing harmful found")
_ASKED = Verdict("explicit_request", True, "asks to remember")
_NOT_ASKED = Verdict("explicit_request", False, "no request to remember")
_FORGET = "asks to forget, which is done by erasing"
NOT_STORED = "asks not to remember this message"


@dataclass(frozen=True, slots=True)
class Ruling:
    """The gate decision by rules on one segment; `undecided` leaves it to the extractor."""

    decision: Decision
    verdicts: tuple[Verdict, ...]


def judge(segment: Segment) -> Ruling:
    """Decide the clear cases of one segment; each gate whose rule matched has a verdict."""
    for utterance in segment.utterances:
        read = is_person(utterance) or utterance.role == "tool"
        text = without_echo(utterance.content) if read else ""
        found = command_among([utterance.name or ""]) or command_among(
            [text], by_user=utterance.role == "user"
        )
        if found is not None:
            return Ruling("quarantine", (found,))
    found = _split_command(segment)
    if found is not None:
        return Ruling("quarantine", (found,))

    people = [without_echo(utterance.content) for utterance in words_of_people(segment)]
    if not any(has_words(text) for text in people):
        return refused(_why_empty(segment, people))
    for sentence in [
        part for text in people if may_harm(words_of(text.lower())[1]) for part in sentences(text)
    ]:
        reason = harm_in(sentence)
        if reason is not None:
            return Ruling("refuse", (Verdict("harm_check", False, reason), *weighed(read_segment(segment))))
    if any(map(is_not_to_be_stored, people)):
        return refused(NOT_STORED)
    left = [without_forgetting(text) for text in people]
    if any(_asks(text) for text, _ in left):
        return Ruling("keep", (_ASKED, _HARMLESS))
    if any(forgets for _, forgets in left):
        if not any(_has_content(text) for text, _ in left):
            return refused(_FORGET)
        return Ruling("undecided", (Verdict("explicit_request", False, _FORGET), _HARMLESS))
    if (
        all(is_chatter(text) for text in people)
        and agent_score(segment) < KEEP_AT
        # "No" may answer "Are you vegetarian?"
        and not ((_is_asked(segment) or any(map(may_correct, people))) and read_segment(segment).facts)
    ):
        return refused("small talk only")
    return Ruling("undecided", (_NOT_ASKED, _HARMLESS))


def _is_asked(segment: Segment) -> bool:
    return bool(segment.context) and segment.context[-1].content.rstrip().endswith("?")


def _split_command(segment: Segment) -> Verdict | None:
    """Return the verdict on a command that begins in one message of a speaker and ends in their next one.

    Only messages without a full stop at their end are continued.
    """
    tail: dict[tuple[str, str | None], str] = {}
    for n, utterance in enumerate((*segment.context, *segment.utterances)):
        if not is_person(utterance):
            continue
        speaker = (utterance.role, utterance.name)
        before, text = tail.get(speaker, ""), without_echo(utterance.content)
        by_user = utterance.role == "user"
        if before and _STARTS_ANEW.match(text) and _withdraws(before):
            before = ""
        if before and n >= len(segment.context):
            found = command_among([f"{before} {text[:_SPLIT]}"], by_user=by_user)
            if found is not None and command_among([before], by_user=by_user) is None:
                return found
        going_on = f"{before} {text}".strip()[-_SPLIT:]
        tail[speaker] = "" if _ENDS.search(text) or len(text) > _SPLIT else going_on
    return None


def _withdraws(text: str) -> bool:
    """Whether a user's message is a command but for being the end of the user's own orders."""
    return command_in(text) is not None and command_of_user(text) is None


def _has_content(text: str) -> bool:
    """Whether a text has other content beside a request to forget."""
    if is_chatter(text):
        return False
    signs = [read_features(sentence) for sentence in sentences(text)]
    return (
        worth_of(text) >= KEEP_AT
        or any(sign.lesson or sign.identity or sign.decision >= CLEAR_DECISION for sign in signs)
        or any(statements(text, None))
        or any(states_plainly(sentence) for sentence in sentences(text))
    )


def _asks(text: str) -> bool:
    return may_ask(text) and any(asks_to_remember(sentence) for sentence in sentences(text))


def command_among(texts: Iterable[str], *, by_user: bool = False) -> Verdict | None:
    """Return the verdict on the first of the texts that commands the agent, or None.

    `by_user`: the texts are the user's own words, which may end earlier orders.
    """
    read = command_of_user if by_user else command_in
    for text in texts:
        reason = read(text) if text else None
        if reason is not None:
            return Verdict("harm_check", False, f"command to the agent: {reason}")
    return None


def _why_empty(segment: Segment, people: list[str]) -> str:
    if not people:
        return "no words of a person"
    if any(has_echo(utterance.content) for utterance in segment.utterances):
        return ECHO
    return "no words"


def refused(reason: str) -> Ruling:
    """Return the refusal of a segment without content; each gate gives its reason."""
    asked = reason if reason in (_FORGET, NOT_STORED) else f"{reason}: no request to remember"
    return Ruling(
        "refuse",
        (
            Verdict("explicit_request", False, asked),
            Verdict("relational_damage", False, f"{reason}: nothing that would hurt a person if forgotten"),
            Verdict("identity_defining", False, f"{reason}: nothing about who a person is"),
            Verdict("stable_fact", False, reason),
            Verdict("high_emotion", False, f"{reason}: no strong feeling"),
            Verdict("decision_made", False, f"{reason}: nothing decided"),
            _HARMLESS,
        ),
    )


# Input of the positive gates


_SPLIT = 400
"""Characters of two messages that are read as one."""
_ENDS = compile_late(r"[.!?…。！？][\"'”’)]*\s*$")
_STARTS_ANEW = compile_late(
    r"(?i)\s*(?:i|i['’]\w+|we|you|it|my|our|he|she|they|the|what|how|when|where|why|which|who|can|could|do|does|is|are|"
    r"please|thanks|thank you|ok|okay|yes|yeah|no|hi|hey|hello|now|today|yesterday|let['’]?s)(?![\w'’])"
)
"""The beginning of a message that does not go on with the sentence of the one before."""
_CORRECTED_WITHIN = timedelta(minutes=10)
"""How long after a statement a value alone corrects it."""
_LONGEST_CORRECTED = 1000
"""Characters of a message that the next one may correct."""
_LONGEST_DATED = 1000
"""Characters of a message whose facts are given announced times."""
_LONGEST_READ = 6000
"""Characters read per message; the full text is stored anyway."""
_LONGEST_SEGMENT = 24_000
"""Characters read of all messages together."""
_LAST_WORDS = 1000
"""Characters at the end of a turn where a request is searched."""
_ROLE_LASTS = timedelta(minutes=30)
"""For how long a role of the assistant is taken to give its speaker one too."""
_SHORT_ANSWER = 6
"""Words: a longer answer speaks for itself."""
_SAYS_SELF = compile_late(r"(?i)\b(?:i|my|we|our)\b")
_OFFERS = compile_late(
    r"(?i)\b(?:i|we) (?:can|could|will|would|recommend|suggest|understand|see|hope|think|advise|apologi[sz]e|"
    r"(?:do not|don[’']t|can[’']?t|cannot) (?:have|know|see|access))\b|\bi[’'](?:ll|d)\b|"
    r"\bi(?:[’']m| am) (?:here|sorry|glad|happy|afraid|an? (?:ai|assistant|language model))\b|\blet me\b|"
    r"\bas an? (?:ai|assistant)\b"
)
"""Phrases of an agent's help, which state nothing about itself."""
_WANTS_ADVICE = compile_late(
    r"(?i)\b(?:suggest(?:ions?)?|recommend(?:ations?)?|ideas?|advice|tips|plan|routine|schedule|rotation|itinerary|"
    r"programme?|menu|recipes?|shopping list|packing list|check ?list|list of|options|gift|presents?|"
    r"what (?:should|could|can) (?:i|we) (?:do|eat|cook|make|read|watch|buy|get|wear|pack|bring|see|visit|try|say))\b"
)
_ITEM = compile_late(r"(?m)^[ \t]*(?:[-*+•‣–]|\d{1,2}[.)])[ \t]+\S")
_ITEMS = 3
_ASKS_ABOUT_YOU = compile_late(
    rf"(?i)\b(?:what|who|where|when|which|how (?:many|old|long|much|do you spell))\b[^?]*\b(?:your (?:\w+ )?(?:name|"
    rf"birthday|age|job|profession|hometown|pronouns|nationality|mother tongue|native language|hobby|hobbies|diet|"
    rf"allerg\w+|favou?rite|{KIN})|you (?:have|live|work|study|like|prefer|play|speak|born|from|grow up|allergic)|"
    r"(?:were|are) you (?:born|from|allergic|called))\b[^?]*\?\s*$"
)


@dataclass(frozen=True, slots=True)
class PersonUtterance:
    """The words of one person in one message."""

    name: str | None
    read: Read
    facts: tuple[CandidateFact, ...]
    score: float
    """The fact-bearing score."""

    @property
    def text(self) -> str:
        return self.read.text

    @property
    def sentences(self) -> Sequence[str]:
        return self.read.sentences


@dataclass(frozen=True, slots=True)
class Reading:
    """Features of what people said in a segment, before the gates decide."""

    segment: Segment
    """Without echoes, requests to forget and text beyond the limits."""
    utterances: tuple[PersonUtterance, ...]
    signs: tuple[SentenceFeatures, ...]
    """One for each sentence, in order."""
    facts: tuple[CandidateFact, ...]
    felt: tuple[str, ...]
    """The sentences that may state a feeling of people: no quotes, drafts or pasted texts."""
    feeling: float
    asked: bool
    answers: bool
    """Whether a short answer states what the person was asked about themselves."""
    score: float
    """The highest fact-bearing score of a message."""


def read_segment(segment: Segment) -> Reading:
    """Read the words of people in a segment; never raises."""
    segment = _within_limits(segment)
    to_assistant = not is_between_persons(segment)
    utterances = tuple(
        _read_utterance(segment, utterance, other, own, earlier, to_assistant=to_assistant)
        for utterance, other, own, earlier in _with_previous(segment)
        if is_person(utterance)
    )
    felt, feeling = _felt(utterances)
    if feeling:
        persons = [utterance for utterance in segment.utterances if is_person(utterance)]
        own = [
            part
            for part, utterance in zip(utterances, persons, strict=True)
            if not _plays(segment, utterance)
        ]
        felt, feeling = (felt, feeling) if len(own) == len(utterances) else _felt(own)
    return Reading(
        segment,
        utterances,
        tuple(sign for part in utterances for sign in part.read.signs),
        tuple(dict.fromkeys(fact for part in utterances for fact in part.facts)),
        felt,
        feeling,
        any(_asks(part.text) for part in utterances),
        _answers(segment),
        max((part.score for part in utterances), default=0.0),
    )


def _felt(utterances: Iterable[PersonUtterance]) -> tuple[tuple[str, ...], float]:
    """The sentences that may state a feeling, and their valence."""
    felt = tuple(sentence for part in utterances for sentence in sentences(felt_words(part.text)))
    return felt, valence([sentence for sentence in felt if not is_chatter(sentence)])


def _advised(segment: Segment) -> bool:
    """Whether a person requests a plan, a list or ideas and the assistant replies with at least three items.

    Users ask for such a reply later ("which routine did you give me?"); explanations and code do not count.
    """
    return any(
        _WANTS_ADVICE.search(u.content[-_LAST_WORDS:]) for u in segment.utterances if is_person(u)
    ) and any(
        len(_ITEM.findall(u.content[:_LONGEST_READ])) >= _ITEMS
        for u in segment.utterances
        if u.role == "assistant" and not is_person(u)
    )


def agent_score(segment: Segment) -> float:
    """The highest fact-bearing score of statements about itself by an agent that the bank's settings name.

    Users ask companions about their own lives; an agent without a name has none.
    """
    return max(
        (
            worth_of(text)
            for utterance in segment.utterances
            if utterance.by_agent
            and (
                text := " ".join(
                    s for s in sentences(utterance.content[:_LONGEST_READ]) if _is_about_agent(s)
                )
            )
        ),
        default=0.0,
    )


def _is_about_agent(sentence: str) -> bool:
    return _SAYS_SELF.search(sentence) is not None and _OFFERS.search(sentence) is None


def weighed(reading: Reading) -> tuple[Verdict, ...]:
    """The verdicts of the positive gates."""
    own = {part.name or "user" for part in reading.utterances}
    identity = any(sign.identity for sign in reading.signs) or any(
        fact.attribute in IDENTITY and fact.subject in own for fact in reading.facts
    )
    decided = any(sign.decision >= CLEAR_DECISION for sign in reading.signs)
    strong = abs(reading.feeling) > HIGH_EMOTION
    return (
        _ASKED if reading.asked else _NOT_ASKED,
        _relational(reading),
        Verdict(
            "identity_defining",
            identity,
            "says who the person is" if identity else "does not say who the person is",
        ),
        _stable(reading),
        Verdict(
            "high_emotion", strong, f"valence {_shown(reading.feeling)}, strong beyond {HIGH_EMOTION:.2f}"
        ),
        Verdict("decision_made", decided, "a decision or a dated intention" if decided else "no decision"),
    )


def _relational(reading: Reading) -> Verdict:
    for part in reading.utterances:
        for sign, lasting_kinds in zip(part.read.signs, part.read.lasting_kinds, strict=True):
            if sign.lesson or lasting_kinds.standing:
                return Verdict("relational_damage", True, "a wish about how to be treated")
            if sign.care:
                return Verdict("relational_damage", True, "a loss, an illness or a hurt")
            if sign.conflict >= 1.0:
                return Verdict("relational_damage", True, "a conflict and its end")
    if any(norm.kind != "preference" for norm in norms_of(reading.segment)):
        return Verdict("relational_damage", True, "a standing instruction or a topic to avoid")
    return Verdict("relational_damage", False, "no wish, loss or conflict that forgetting would hurt")


def _stable(reading: Reading) -> Verdict:
    asks = any(part.text.rstrip().endswith("?") for part in reading.utterances)
    if any(not (fact.if_known and asks) for fact in reading.facts):  # a riddle asks
        return Verdict("stable_fact", True, "states a fact about the person or their world")
    if reading.answers:
        return Verdict("stable_fact", True, "answers a question about the person")
    lasting_kinds = [one for part in reading.utterances for one in part.read.lasting_kinds]
    if any(one.choice for one in lasting_kinds):
        return Verdict("stable_fact", True, "a choice of a tool, a convention or a set-up")
    if norms_of(reading.segment):
        return Verdict("stable_fact", True, "a lasting preference")
    if any(one.body for one in lasting_kinds):
        return Verdict("stable_fact", True, "a health condition or an allergy")
    if any(states_in_other_language(sentence) for part in reading.utterances for sentence in part.sentences):
        return Verdict("stable_fact", True, "states a fact in a language without a score")
    if reading.score < KEEP_AT <= agent_score(reading.segment):
        return Verdict("stable_fact", True, "the agent states something about itself")
    if _advised(reading.segment):
        return Verdict("stable_fact", True, "the assistant made a list or a plan that was asked for")
    passed = reading.score >= KEEP_AT
    if not passed and any(
        states_plainly(sentence) for part in reading.utterances for sentence in part.sentences
    ):
        return Verdict("stable_fact", True, "states what happened or how things are")
    # Rounded down, so that a score below the threshold is never shown as equal to it.
    score = math.floor(reading.score * 100) / 100
    says = (
        "states enough about a person or their world"
        if passed
        else "states too little about a person or their world"
    )
    return Verdict("stable_fact", passed, f"{says}: fact-bearing score {score:.2f}, kept from {KEEP_AT:.2f}")


def _shown(feeling: float) -> str:
    """The valence in two digits, or in as many as show on which side of the threshold it is."""
    return next(
        (
            shown
            for digits in range(2, 7)
            if (abs(float(shown := f"{feeling:+.{digits}f}")) > HIGH_EMOTION) == (abs(feeling) > HIGH_EMOTION)
        ),
        f"{feeling:+}",
    )


def _read_utterance(
    segment: Segment,
    utterance: Utterance,
    other: Utterance | None,
    own: Utterance | None,
    earlier: Sequence[str],
    *,
    to_assistant: bool,
) -> PersonUtterance:
    """`other`: the last utterance of another speaker before it, `own`: the last one of its speaker, `earlier`: the
    last two texts of its speaker. A speaker who plays a role states no facts."""
    text, found = utterance.content, sentences(utterance.content)
    signs = tuple([read_features(sentence) for sentence in found])
    lasting_kinds = tuple([lasting_kinds_of(sentence) for sentence in found])
    year = utterance.occurred_at.year
    reply = other.content[-_LAST_WORDS:] if other is not None else ""
    read_as = about_named(earlier, text, reply) if to_assistant and earlier else text
    facts = tuple(facts_in(read_as, utterance.name, year))
    if len(text) <= _LONGEST_DATED:
        facts = with_times(facts, found, utterance.name, utterance.occurred_at)
    if len(found) > 1 and len(text) <= _LONGEST_CORRECTED:
        facts = corrected_within(facts, found, utterance.name, year)
    if own is not None and found:
        facts = tuple(fact for fact in facts if not moves_event(fact, found[0], own.content[-_LAST_WORDS:]))
    corrects = (
        not facts
        or (len(found) > 1 and not any(facts_in(found[0], utterance.name, year)))
        or any(corrects_before_reason(sentence, utterance.name, year) for sentence in found[:1])
    )
    if own is not None and corrects and (last := _may_be_corrected(segment, utterance)) is not None:
        before, between, recent = last
        corrected = [*corrected_facts(before, text, utterance.name, year, between=between, recent=recent)]
        if corrected:  # the sentence itself is no fact: "March 8, she'd kill me"
            bare = [
                fact
                for sentence in found[:1]
                for fact in facts_in(sentence, utterance.name, year)
                if fact.attribute is None
            ]
            facts = tuple(dict.fromkeys((*corrected, *(fact for fact in facts if fact not in bare))))
    if (
        other is not None
        and not facts
        and (stated := answer_in_full(other.content[-_LAST_WORDS:], text, utterance.name))
    ):
        facts = tuple(statements(stated, utterance.name, year))
    if facts and utterance.name and is_of_another(text, utterance.name):
        facts = ()
    if facts and _plays(segment, utterance):
        facts = ()
    if not to_assistant:
        facts = tuple(fact for fact in facts if fact.attribute != INSTRUCTION)
    answers = other is not None and other.content.rstrip().endswith("?")
    read = Read(
        text,
        found,
        signs,
        lasting_kinds,
        any(fact.attribute and not fact.if_known for fact in facts),
        answers,
    )
    return PersonUtterance(utterance.name, read, facts, worth(read))


def _may_be_corrected(segment: Segment, utterance: Utterance) -> tuple[str, list[str], bool] | None:
    """The last text of a speaker before an utterance, or the one before their thanks, what others said since, and
    whether little time passed."""
    said = (*segment.context, *segment.utterances)
    at = next(n for n in range(len(said) - 1, -1, -1) if said[n] is utterance)
    between: list[str] = []
    thanked, joke = False, is_joke(utterance.content)
    for one in reversed(said[:at]):
        if (one.role, one.name) != (utterance.role, utterance.name):
            between.append(one.content[-_LAST_WORDS:])
        elif not thanked and not joke and is_chatter(one.content[:_LONGEST_CORRECTED]):
            thanked = True
        else:
            before, forgets = without_forgetting(without_echo(one.content)[:_LONGEST_CORRECTED])
            recent = not forgets and utterance.occurred_at - one.occurred_at <= _CORRECTED_WITHIN
            return before, between, recent
    return None


def _plays(segment: Segment, utterance: Utterance) -> bool:
    speaker = (utterance.role, utterance.name)
    before: list[str] = []
    long_before: list[str] = []
    for one in (*segment.context, *segment.utterances):
        age = utterance.occurred_at - one.occurred_at
        if (one.role, one.name) == speaker and age > timedelta(0):
            (before if age <= _ROLE_LASTS else long_before).append(one.content[:_LAST_WORDS])
    return plays_role(before, utterance.content[:_LAST_WORDS], long_before=long_before)


def _with_previous(
    segment: Segment,
) -> Iterator[tuple[Utterance, Utterance | None, Utterance | None, Sequence[str]]]:
    """Yield each utterance with the last one of another speaker and the last one of its speaker before it, and the last
    two texts of its speaker."""
    before = segment.context[-1] if segment.context else None
    other: Utterance | None = None
    last = {(one.role, one.name): one for one in segment.context}
    texts: dict[tuple[str, str | None], tuple[str, ...]] = {}
    for one in segment.context:
        texts[one.role, one.name] = (*texts.get((one.role, one.name), ()), one.content[-_LAST_WORDS:])[-2:]
    for utterance in segment.utterances:
        speaker = (utterance.role, utterance.name)
        if before is not None and (before.role, before.name) != speaker:
            other = before
        yield utterance, other, last.get(speaker), texts.get(speaker, ())
        before = last[speaker] = utterance
        texts[speaker] = (*texts.get(speaker, ()), utterance.content[-_LAST_WORDS:])[-2:]


def _answers(segment: Segment) -> bool:
    before = segment.context[-1] if segment.context else None
    for utterance in segment.utterances:
        if (
            before is not None
            and is_person(utterance)
            and (before.role, before.name) != (utterance.role, utterance.name)
            and len(utterance.content.split()) <= _SHORT_ANSWER
            and not utterance.content.rstrip().endswith("?")
            and not is_chatter(utterance.content)
            and _ASKS_ABOUT_YOU.search(before.content[-200:])
        ):
            return True
        before = utterance
    return False


def _within_limits(segment: Segment) -> Segment:
    """Return the segment with people's words without echoes and requests to forget, up to the limits."""
    left = _LONGEST_SEGMENT
    utterances: list[Utterance] = []
    for utterance in segment.utterances:
        if is_person(utterance):
            text = without_forgetting(without_echo(utterance.content)[: min(_LONGEST_READ, left)])[0]
            left -= len(text)
            utterances.append(utterance if text == utterance.content else replace(utterance, content=text))
        else:
            utterances.append(utterance)
    return replace(segment, utterances=tuple(utterances))
