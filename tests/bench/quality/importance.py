"""AUC of stored importance for messages worth remembering against others, and its distribution."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from memory_service.recall.mood import IMPORTANT_ANYWAY
from memory_service.rules.extractor import extract
from memory_service.types import Extraction
from tests.bench.quality.data import out, table
from tests.bench.quality.labelled import Message, labelled_sets, segment_of
from tests.bench.quality.scores import auc

LANDMARK_VALENCE, LANDMARK_IMPORTANCE = 0.6, 0.8
"""The defaults of memory_api.bank_limits."""


def measure(folder: Path, examples: bool) -> None:
    """Print AUC and distribution of the importance that the rules give single messages of users, per set."""
    shown = table(
        "Importance of users' messages by rules: AUC of what is worth remembering, shares in percent",
        "set", "messages", "worth", "AUC", "personal", "decision", "emotion", "mean", "mean, rest",
        f">= {IMPORTANT_ANYWAY}", f"> {LANDMARK_IMPORTANCE}", "landmarks", "landmarks worth",
    )  # fmt: skip
    for name, messages in labelled_sets(folder).items():
        found = [extract(segment_of(message)) for message in messages]
        shown.add_row(name, *_row(messages, found))
        if examples:
            _landmarks(name, messages, found)
    out.print(shown)


def _row(messages: Sequence[Message], found: Sequence[Extraction]) -> list[str]:
    worth = np.array([message.worth for message in messages])
    importance = np.array([extraction.weight or 0.0 for extraction in found])
    landmark = np.array([is_landmark(extraction) for extraction in found])
    features = [extraction.features for extraction in found]
    return [
        str(len(messages)),
        f"{100 * worth.mean():.0f}",
        f"{auc(importance, worth):.2f}",
        f"{auc([f.personal for f in features], worth):.2f}",
        f"{auc([f.decision for f in features], worth):.2f}",
        f"{auc([f.emotion for f in features], worth):.2f}",
        f"{importance[worth].mean():.2f}",
        f"{importance[~worth].mean():.2f}",
        f"{100 * (importance >= IMPORTANT_ANYWAY).mean():.1f}",
        f"{100 * (importance > LANDMARK_IMPORTANCE).mean():.1f}",
        f"{100 * landmark.mean():.1f}",
        f"{100 * worth[landmark].mean():.0f}" if landmark.any() else "",
    ]


def is_landmark(extraction: Extraction) -> bool:
    return abs(extraction.valence) > LANDMARK_VALENCE or (extraction.weight or 0.0) > LANDMARK_IMPORTANCE


def _landmarks(name: str, messages: Sequence[Message], found: Sequence[Extraction]) -> None:
    for message, extraction in zip(messages, found, strict=True):
        if is_landmark(extraction):
            text = " ".join(message.text.split())[:150]
            out.print(
                f"  {name} {extraction.weight:.2f} {extraction.valence:+.2f} {message.worth}: {text}",
                markup=False,
            )
