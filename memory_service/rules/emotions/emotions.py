"""Valence by VADER (Hutto & Gilbert 2014) and emotion labels by the words in `emotion_words`."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from string import punctuation
from typing import cast

from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer  # pyright: ignore[reportUnknownVariableType]

from memory_service.rules.emotions.emotion_patterns import outcry
from memory_service.rules.emotions.emotion_words import FAINT, PLAIN, SIGNS, STRONG
from memory_service.rules.emotions.jargon import (
    with_ended_feelings,
    without_feelings_of_others,
    without_jargon,
    without_polite_apologies,
)
from memory_service.rules.losses import plain_words
from memory_service.text.late_pattern import compile_late

_ANALYZER = SentimentIntensityAnalyzer()
_LEXICON = frozenset(cast("dict[str, float]", _ANALYZER.lexicon))  # pyright: ignore[reportUnknownMemberType]

_EMOJIS = frozenset(cast("dict[str, str]", _ANALYZER.emojis))  # pyright: ignore[reportUnknownMemberType]

_GRADES = ((STRONG, 3.0), (PLAIN, 1.6), (FAINT, 0.7))
_NEUTRAL = 1.5
"""What a text without any word of feeling amounts to: fainter labels come after `neutral`."""
_BESIDE = 0.5
"""Another label is given too from this share of the strongest one on."""
_ASKED = 0.8
_GASP = 1.6
"""A question is curious, a little; with two signs or nothing but an echo it is surprised."""
_INTENSIFIED = 1.3
_DENIED = 0.8
"""What "so" before a word makes of its weight, and what a denied word gives to the feeling it turns into."""

_Mood = tuple[str, float]


_Phrases = dict[str, dict[str, list[tuple[list[str], _Mood]]]]
"""By first and second word: the words after those, with the mood of the whole, the longest first."""


def _tables() -> tuple[dict[str, tuple[_Mood, ...]], _Phrases]:
    """Single words with their moods, and phrases. What stands in two grades has the stronger."""
    words: dict[str, dict[str, float]] = {}
    phrases: _Phrases = {}
    seen: set[str] = set()
    for grade, weight in _GRADES:
        for label, listed in grade.items():
            for entry in listed.split():
                first, *rest = entry.split("-")
                if not rest:
                    words.setdefault(first, {}).setdefault(label, weight)
                elif entry not in seen:
                    seen.add(entry)
                    mood = (label, weight + 0.3 * len(rest))
                    phrases.setdefault(first, {}).setdefault(rest[0], []).append((rest[1:], mood))
    for following in phrases.values():
        for listed in following.values():
            listed.sort(key=lambda item: -len(item[0]))
    return {word: tuple(moods.items()) for word, moods in words.items()}, phrases


_WORDS, _PHRASES = _tables()
_TOKEN = compile_late(r"\w+(?:'\w+)*|[.!?;:,]")
_REPEATED = compile_late(r"(\w)\1\1+")
_DOUBLED = compile_late(r"([^\W\d_])\1")
_ECHO = compile_late(
    r"(?:(?:oh|wait|my god|god|oh my god)[,.!]* )?(?:what|really|huh|seriously|you (?:did|are|were|have|what)|"
    r"(?:he|she|they|it|we|i) (?:did|does|do|is|are|was|were|has|have|what))[?!]+"
)
"""Nothing but a short question back: less a question than a gasp."""
_SIGN = compile_late("|".join(sorted(map(re.escape, SIGNS), key=len, reverse=True)))
_TYPED = compile_late(r":[-')(D/]|<3|xD|XD")
_NEGATIONS = frozenset(
    """
        not no never isn't wasn't aren't weren't don't doesn't didn't can't couldn't won't wouldn't
        hardly without nothing neither nor ain't cannot nicht kein keine pas jamais nunca non mai
        """.split()  # noqa: SIM905
)
_MORE = frozenset(
    """
        so very really extremely incredibly absolutely totally super truly deeply utterly completely
        too fucking damn sehr très muy molto
        """.split()  # noqa: SIM905
)
_TURNED = {
    "joy": "sadness", "love": "disapproval", "excitement": "disappointment", "approval": "disapproval",
    "admiration": "disapproval", "pride": "disappointment", "optimism": "disappointment", "amusement": "annoyance",
    "caring": "annoyance",
}  # fmt: skip
"""What a denied feeling most often means; the others, denied, mean nothing."""
_PAUSE = frozenset(".!?;:,")


def valence(sentences: Sequence[str]) -> float:
    """Return how good or bad the sentences feel, -1..1: the mean over the sentences of VADER's compound and the
    emotion words.

    VADER gives 0.8 to any polite compliment and 0.2 to many a neutral remark, so small values count as zero, and only
    an outcry goes beyond ±0.6. Technical phrases are left out.
    """
    if not sentences:
        return 0.0
    total = 0.0
    outright: float | None = None
    for sentence in map(_own_words, sentences):
        score = _compound(sentence)
        total += _felt(score + _OUR_SHARE * _polarity(_tally(sentence)))
        if outright is None:
            outright = outcry(sentence, score)
    mild = _MILD * total / len(sentences)
    if outright is not None:
        mild = min(mild, outright) if outright < 0 else max(mild, outright)
    return max(-1.0, min(1.0, mild))


def _own_words(text: str) -> str:
    text = plain_words(text)  # VADER knows "died", not "passed away"
    return with_ended_feelings(without_feelings_of_others(without_polite_apologies(without_jargon(text))))


def _compound(sentence: str) -> float:
    """VADER's compound; nothing is computed where it knows none of the words."""
    if sentence.isascii() or _EMOJIS.isdisjoint(sentence):
        words = sentence.lower().split()
        if _LEXICON.isdisjoint(words) and _LEXICON.isdisjoint([word.strip(punctuation) for word in words]):
            return 0.0
    return float(_ANALYZER.polarity_scores(sentence)["compound"])  # pyright: ignore[reportUnknownMemberType]


def _felt(score: float) -> float:
    """The score without its uncertain middle, -1..1."""
    size = min(max(abs(score) - _UNFELT, 0.0) / (1 - _UNFELT), 1.0)
    return size if score > 0 else -size


def _polarity(tally: dict[str, float]) -> float:
    good = sum(weight for label, weight in tally.items() if label in GOOD)
    return good - sum(weight for label, weight in tally.items() if label in BAD)


_UNFELT = 0.25
_OUR_SHARE = 0.1
GOOD = frozenset(
    """
        admiration amusement approval caring desire excitement gratitude joy love optimism pride relief
        """.split()  # noqa: SIM905
)
BAD = frozenset(
    """
        anger annoyance disappointment disapproval disgust embarrassment fear grief nervousness remorse sadness
        """.split()  # noqa: SIM905
)
"""GoEmotions' own sides; realization, surprise, confusion and curiosity take none."""
_MILD = 0.6


def emotions(text: str) -> tuple[str, ...]:
    """Return up to three labels of EMOTIONS, strongest first; `neutral` where no word names a feeling, and before
    faint ones. Technical phrases are left out."""
    tally = _tally(_own_words(text))
    if not tally:
        return ("neutral",)
    tally["neutral"] = _NEUTRAL
    ranked = sorted(tally.items(), key=lambda item: -item[1])
    least = _BESIDE * ranked[0][1]
    first = ranked[0][0]
    return tuple(
        label for label, weight in ranked if weight >= least and (label == first or label != "neutral")
    )[:3]


def strengths(sentences: Sequence[str], feeling: float, labels: Sequence[str]) -> list[float]:
    """Return how much each sentence states the mood of a text with this valence and these labels, 0 for not at all."""
    side = math.copysign(1.0, feeling) if abs(feeling) >= _CLEAR else _side_of(labels)
    return [
        max(side * valence((one,)) + _LABELLED * (_side_of(emotions(one)) == side), 0.0) if side else 0.0
        for one in sentences
    ]


def _side_of(labels: Sequence[str]) -> float:
    """1 or -1 by the first label with a side, 0 without one; labels after `neutral` are faint."""
    for label in labels:
        if label == "neutral":
            break
        if label in GOOD or label in BAD:
            return 1.0 if label in GOOD else -1.0
    return 0.0


_CLEAR = 0.2
"""The least valence that is a mood without a label (docs/design.md, "Emotional thread")."""
_LABELLED = 0.1


def _tally(text: str) -> dict[str, float]:
    tally: dict[str, float] = {}
    if not text.isascii() or _TYPED.search(text):
        for found in _SIGN.findall(text):
            label, weight = SIGNS[found]
            tally[label] = tally.get(label, 0.0) + weight
    plain = text.lower().replace("’", "'")
    if _REPEATED.search(plain):
        tokens = [_known(token) for token in _TOKEN.findall(_REPEATED.sub(r"\1\1", plain))]
    else:
        tokens = _TOKEN.findall(plain)
    past = 0
    for place, token in enumerate(tokens):
        if place < past or not (token in _WORDS or token in _PHRASES):
            continue
        phrase = _phrase_at(tokens, place) if token in _PHRASES else None
        if phrase is not None:
            past = place + phrase[0]
            moods: Sequence[_Mood] = (phrase[1],)
        else:
            moods = _WORDS.get(token, ())
        if moods:
            _count(tally, moods, _clause_before(tokens, place))
    if "?" in plain:
        tally["curiosity"] = tally.get("curiosity", 0.0) + _ASKED
        if "?!" in plain or "!?" in plain or "??" in plain or _ECHO.fullmatch(plain.strip()):
            tally["surprise"] = tally.get("surprise", 0.0) + _GASP
    return tally


def _known(token: str) -> str:
    """The word that a drawn-out one means: "sooo" is so, "coool" cool."""
    return token if token in _WORDS or token in _PHRASES else _DOUBLED.sub(r"\1", token)


def _count(tally: dict[str, float], moods: Sequence[_Mood], before: Sequence[str]) -> None:
    if _NEGATIONS.isdisjoint(before):
        more = _INTENSIFIED if before and before[-1] in _MORE else 1.0
        for label, weight in moods:
            tally[label] = tally.get(label, 0.0) + more * weight
        return
    for label, weight in moods:
        if (turned := _TURNED.get(label)) is not None:
            tally[turned] = tally.get(turned, 0.0) + _DENIED * weight


def _phrase_at(tokens: Sequence[str], place: int) -> tuple[int, _Mood] | None:
    """How many words the longest phrase at `place` has, and its mood."""
    if place + 1 >= len(tokens):
        return None
    for rest, mood in _PHRASES[tokens[place]].get(tokens[place + 1], ()):
        end = place + 2 + len(rest)
        if tokens[place + 2 : end] == rest:
            return end - place, mood
    return None


def _clause_before(tokens: Sequence[str], place: int) -> Sequence[str]:
    """Up to three words before `place`, no further back than a pause."""
    start = place
    while start > 0 and place - start < 3 and tokens[start - 1] not in _PAUSE:
        start -= 1
    return tokens[start:place]
