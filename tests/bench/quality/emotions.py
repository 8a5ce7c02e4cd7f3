"""Emotion labels and valence of the rule path on GoEmotions, MELD and DailyDialog."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer  # pyright: ignore[reportUnknownVariableType]

from memory_service.rules.emotions.emotions import emotions, valence
from memory_service.text.sentences import sentences
from memory_service.types import EMOTIONS
from tests.bench.quality.commitments import joined
from tests.bench.quality.data import out, rows, table
from tests.bench.quality.scores import by_label, macro_f1

BASIC = {
    "anger": ("anger", "annoyance", "disapproval"),
    "disgust": ("disgust",),
    "fear": ("fear", "nervousness"),
    "joy": (
        *("joy", "amusement", "approval", "excitement", "gratitude", "love", "optimism", "relief", "pride"),
        *("admiration", "desire", "caring"),
    ),
    "sadness": ("sadness", "disappointment", "embarrassment", "grief", "remorse"),
    "surprise": ("surprise", "realization", "confusion", "curiosity"),
    "neutral": ("neutral",),
}
"""GoEmotions' own grouping into Ekman's six and neutral."""
_BASIC_OF = {label: basic for basic, labels in BASIC.items() for label in labels}
GOOD = frozenset(BASIC["joy"])
BAD = frozenset((*BASIC["anger"], *BASIC["disgust"], *BASIC["fear"], *BASIC["sadness"]))
SIDES = ("negative", "neutral", "positive")
_DAILY = {"happiness": "joy", "none": "neutral"}
_UNCOUNTED = 0.05
"""VADER's own line between a feeling and none, for both."""


def measure(folder: Path, examples: bool) -> None:
    shown = table("Emotions, macro F1", "data", "labels", "strongest label", "all labels", "beside")
    for name in ("goemotions_dev", "goemotions_train"):
        if read := rows(folder, name)[:10_000]:
            found = [emotions(row["t"]) for row in read]
            true = [row["y"] for row in read]
            shown.add_row(name, "28", *_both(found, true, EMOTIONS), "fine-tuned BERT .46")
            found, true = [_basic(one) for one in found], [_basic(one) for one in true]
            shown.add_row("", "7 basic", *_both(found, true, BASIC), "nrclex .27, regression on MiniLM .46")
            sides = [_side_of(row["y"]) for row in read]
            shown.add_row("", "3 sentiments", *_sentiments(read, sides))
            if examples and name == "goemotions_dev":
                _by_label(read, [row["y"] for row in read])
    if read := rows(folder, "meld_dev"):
        found = [_basic(emotions(row["t"])) for row in read]
        shown.add_row("meld_dev", "7 basic", *_both(found, [(str(row["emo"]),) for row in read], BASIC), "")
        shown.add_row("", "3 sentiments", *_sentiments(read, [(str(row["sent"]),) for row in read]))
    if read := rows(folder, "dailydialog_dev"):
        found = [_basic(emotions(joined(row["t"]))) for row in read]
        true = [(_DAILY.get(str(row["emo"]), str(row["emo"])),) for row in read]
        shown.add_row("dailydialog_dev", "7 basic", *_both(found, true, BASIC), "")
    if shown.row_count:
        out.print(shown)


def _both(
    found: Sequence[Sequence[str]], true: Sequence[Collection[str]], labels: Collection[str]
) -> tuple[str, str]:
    """Macro F1 with the strongest label alone and with all that were given."""
    first = macro_f1(by_label([one[:1] for one in found], true, labels))
    return f"{first:.3f}", f"{macro_f1(by_label(found, true, labels)):.3f}"


def _sentiments(read: Sequence[dict[str, str]], true: Sequence[Collection[str]]) -> tuple[str, str, str]:
    """Macro F1 of valence's sign, beside VADER's on the same texts."""
    analyzer = SentimentIntensityAnalyzer()
    ours = [(_side(valence(sentences(row["t"]))),) for row in read]
    bare = [
        (_side(float(analyzer.polarity_scores(row["t"])["compound"])),)  # pyright: ignore[reportUnknownMemberType]
        for row in read
    ]
    figures = [f"{macro_f1(by_label(guess, true, SIDES)):.3f}" for guess in (ours, bare)]
    return figures[0], "", f"VADER, the same texts {figures[1]}"


def _side_of(labels: Collection[str]) -> tuple[str]:
    good, bad = not GOOD.isdisjoint(labels), not BAD.isdisjoint(labels)
    return ("neutral" if good == bad else "positive" if good else "negative",)


def _basic(labels: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_BASIC_OF[label] for label in labels))


def _side(figure: float) -> str:
    return "positive" if figure >= _UNCOUNTED else "negative" if figure <= -_UNCOUNTED else "neutral"


def _by_label(read: Sequence[dict[str, str]], true: Sequence[Collection[str]]) -> None:
    shown = table("GoEmotions by label", "label", "precision", "recall", "F1", "found", "of")
    for label, result in by_label([emotions(row["t"]) for row in read], true, EMOTIONS).items():
        shown.add_row(label, *result.cells(), str(result.found), str(result.wanted))
    out.print(shown)
