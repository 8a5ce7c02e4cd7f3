"""The fact-bearing score: the probability that a message is worth remembering for months.

A logistic regression over surface features; the weights are in `worth_weights.py`, written by `python -m
tests.bench.quality.fit_worth`. Adding the built-in model's vector of the text gained at most .03 of AUC on two sets
and lost as much on two others, so no model is used.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from memory_service.rules.facts.statements import statements
from memory_service.rules.gate.kept_sentences import LastingKinds, lasting_kinds_of
from memory_service.rules.gate.sentence_features import SentenceFeatures, read_features
from memory_service.rules.gate.sentence_score import (
    FILLER,
    WORD,
    YOU,
    count,
    life_words,
    says_when,
    share_of_questions,
    telling,
    things_done,
)
from memory_service.rules.gate.worth_weights import BIAS, WEIGHTS
from memory_service.text.late_pattern import compile_late
from memory_service.text.sentences import is_chatter, sentences
from memory_service.text.text_cache import text_cache
from memory_service.text.unicode_folding import words_of

KEEP_AT = 0.07
"""Without a model, the least score at which a message is kept that no other gate passes: of the messages worth
remembering in the project's own chats and RealMem 99 % are kept, of the rest 41 and 31 % dropped (a threshold of
0.15: 96 and 98 %, 60 and 42 %)."""

_SELF = frozenset(
    "i im ive id ill i'm i've i'd i'll me my mine myself we us our".split()  # noqa: SIM905
)
_TELLS_OF_SELF = compile_late(r"(?i)\b(?:i|im|ive|i[’'](?:m|ve|d|ll)|my|we|our)\b")
_HOLDS = compile_late(
    r"\b(?:i(?:[’']m| am|m)|i(?:[’']ve| have|ve)|i (?:work|live|use|have|own|run|play|speak|study|teach|drive|eat|"
    r"drink|take|go|get|do|keep|wear|need|usually|always|never|only|can[’']?t|cannot|don[’']t|do not)|we (?:have|use|"
    r"are|live|keep)|we[’'](?:re|ve)|my)\b"
)
_GENERAL = compile_late(
    r"\b(?:always|never|from now on|going forward|every time|whenever|in (?:the )?future|no more|only|at all "
    r"times|must)\b"
)
_ASKS_YOU = compile_late(
    r"\b(?:can|could|would|will) (?:you|u)\b|\bhelp me\b|\bplease\b|\b(?:tell|show|give) me\b|\bwhat[’']?s\b|"
    r"\bhow (?:do|can|should|would|to)\b|\bshould i\b"
)
_ASKS = compile_late(
    r"\W*(?:what|who|where|when|which|why|how|can|could|do|does|did|is|are|should|would|will)\b"
)
_ENDS = compile_late(r"[.!?]")
_DOUBTS = compile_late(
    r"\b(?:maybe|perhaps|might|i think|i guess|not sure|wondering|i wonder|unsure|kinda|kind of|sort of)\b"
)
_REACTS = compile_late(
    r"\W*(?:thanks|thank you|thx|ok|okay|cool|great|perfect|awesome|nice|hmm+|hm|got it|sounds|sure|yeah|yes|yep|wow|"
    r"oh|ah|alright|right|that(?:[’']s| is|s)|this is|it[’']s|good|lol|haha|makes sense|i see|you[’']re|absolutely|"
    r"definitely|exactly|no)\b"
)
_THIRD = compile_late(r"\b(?:he|she|his|her|him)\b")
_MINE = compile_late(r"\b(?:my|our) \w+")
_NAME = compile_late(r"(?<=[a-z,;)\d] )(?!I\b|I[’']|OK\b)[A-Z][a-z]+[\w’'-]*")
_NUMBER = compile_late(r"(?<![\w.:/=-])\d+(?:[.,]\d+)?(?:%|[a-z]{1,3})?(?![\w:/=-]|\.\d)")
"""Not numbers in hashes, addresses and timestamps."""
_BESIDE_SECRET = 8
"""Fewer content words beside a redacted secret only name it."""
_MOST_SENTENCES = 40
"""Sentences read per message."""

FEATURES = (
    "content_self", "content_other", "best_sentence", "self", "mine", "holds", "done", "when", "numbers", "names",
    "life",
    "general", "third", "care", "fact", "standing", "choice", "body", "answers", "brief_reaction", "you",
    "questions", "asks",
    "asks_you", "task", "doubts", "code", "chatter", "bare",
)  # fmt: skip
"""What `features_of` returns, in order."""


@dataclass(frozen=True, slots=True)
class Read:
    """A message with the features of its sentences."""

    text: str
    sentences: Sequence[str]
    signs: Sequence[SentenceFeatures]
    lasting_kinds: Sequence[LastingKinds]
    states_fact: bool
    answers: bool
    """Whether it is a short answer to a question."""


def features_of(read: Read) -> tuple[float, ...]:
    """Return the features of one message, in the order of `FEATURES`: counts with a cap, shares and flags."""
    text = telling(read.text)
    lowered = text.lower().replace("’", "'")
    words = [word.lower() for word in WORD.findall(text)]
    tokens, distinct = words_of(lowered)
    content = sum([word not in FILLER for word in words])
    of_self = not _SELF.isdisjoint(words)
    weight = min(math.log1p(content), 4.0)
    signs, lasting_kinds = read.signs[:_MOST_SENTENCES], read.lasting_kinds[:_MOST_SENTENCES]
    asks = _ASKS.match(lowered) is not None
    tells = (
        float(says_when(text, distinct)),
        _capped(_NUMBER, lowered, 4),
        0.0 if FILLER.isdisjoint(words) else _capped(_NAME, text, 4),
        float(min(life_words(tokens), 3)),
        of_self * _capped(_GENERAL, lowered, 3),
        _capped(_THIRD, lowered, 2),
        float(any(sign.care for sign in signs)),
        float(read.states_fact),
        float(any(one.standing for one in lasting_kinds)),
        float(any(one.choice for one in lasting_kinds)),
        float(any(one.body for one in lasting_kinds)),
        float(read.answers),
    )
    return (
        weight if of_self else 0.0,
        0.0 if of_self else min(content, 20) / 5,
        _best(read.sentences[:_MOST_SENTENCES]),
        of_self * min(content / 4, 1.0),
        _capped(_MINE, lowered, 3),
        _capped(_HOLDS, lowered, 4),
        float(things_done(text, distinct)),
        *tells,
        float(content < 8 and _REACTS.match(lowered) is not None),
        min(count(tokens, distinct, YOU) / max(len(words), 1) * 10, 1.0),
        1.0 if asks and _ENDS.search(text) is None else share_of_questions(text),
        float(asks),
        _capped(_ASKS_YOU, lowered, 2),
        float(len(text) < len(read.text) and "```" not in read.text),
        _capped(_DOUBTS, lowered, 2),
        1 - len(text) / max(len(read.text), 1),
        float(is_chatter(read.text)),
        float(not content or (content < 5 and not (of_self and content > 3) and not any(tells))),
    )


def _capped(pattern: re.Pattern[str], text: str, most: int) -> float:
    found = 0
    for _ in pattern.finditer(text):
        found += 1
        if found == most:
            break
    return float(found)


def _best(parts: Sequence[str]) -> float:
    """The logarithm of the most content words in one sentence that is about the speaker and asks nothing."""
    most = 0
    for sentence in parts:
        if not sentence.endswith("?") and _TELLS_OF_SELF.search(sentence):
            most = max(most, sum([word.lower() not in FILLER for word in WORD.findall(sentence)]))
    return min(math.log1p(most), 3.5)


def worth(read: Read) -> float:
    """Return 0..1: the share of messages with such features that a careful listener would keep for months.

    Calibrated to the share of such messages in the project's own chats.
    """
    if "[redacted:" in read.text and not read.states_fact:
        rest = telling(read.text)
        content = sum([word.lower() not in FILLER for word in WORD.findall(rest)])
        if content < _BESIDE_SECRET and not says_when(rest, words_of(rest.lower())[1]):
            return 0.0
    z = BIAS + sum([weight * value for weight, value in zip(WEIGHTS, features_of(read), strict=True)])
    return 1 / (1 + math.exp(-max(min(z, 40.0), -40.0)))


@text_cache(512)
def worth_of(text: str) -> float:
    """As `worth`, of a text without its conversation."""
    parts = sentences(text)
    return worth(
        Read(
            text,
            parts,
            [read_features(sentence) for sentence in parts[:_MOST_SENTENCES]],
            [lasting_kinds_of(sentence) for sentence in parts[:_MOST_SENTENCES]],
            any(True for _ in statements(text, None)),
            False,
        )
    )
