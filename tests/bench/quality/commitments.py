"""Precision and recall of decisions, promises and plans on DailyDialog's turns with the act `commissive`.

That label includes every answer to a request, also "Thank you" and "Fine". The rules require words of commitment, so
recall has a low ceiling.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

from memory_service.rules.extractor import extract
from memory_service.rules.gate.gate import read_segment
from memory_service.types import Segment, Utterance
from tests.bench.quality.data import out, rows, table
from tests.bench.quality.scores import score

_KEYWORDS = re.compile(r"(?i)\b(?:decided?|promise|will|i[’']ll|going to|plan to|agree)\b")
"""Keywords of the baseline."""
_WHEN = datetime(2024, 5, 6, 12, tzinfo=UTC)
_APART = re.compile(r"\s*([’'])\s*(?=(?:ll|m|ve|re|d|s|t)\b)", re.IGNORECASE)
_BEFORE_SIGN = re.compile(r"\s+(?=[.,!?;:])")


def joined(text: str) -> str:
    """The text as people write it: the corpus has spaces around its signs ("I ’ ll go .")."""
    return _BEFORE_SIGN.sub("", _APART.sub(r"\1", text))


def measure(folder: Path, examples: bool) -> None:
    turns = rows(folder, "dailydialog_dev")
    if not turns:
        return
    segments = [_segment(turns, position) for position in range(len(turns))]
    found = [extract(segment) for segment in segments]
    signs = [max((s.decision for s in read_segment(segment).signs), default=0.0) for segment in segments]
    true = [turn["act"] == "commissive" for turn in turns]
    gate = [
        any(verdict.gate == "decision_made" and verdict.passed for verdict in one.verdicts) for one in found
    ]
    guesses = {
        "gate decision_made": gate,
        "sign of a decision >= 0.4": [sign >= 0.4 for sign in signs],
        "keywords (will, going to, promise ...)": [bool(_KEYWORDS.search(joined(t["t"]))) for t in turns],
        "every turn": [True] * len(turns),
    }
    shown = table(
        "DailyDialog commitments (act = commissive)", "rule", "precision", "recall", "F1", "found", "of"
    )
    for name, guess in guesses.items():
        result = score(zip(guess, true, strict=True))
        shown.add_row(name, *result.cells(), str(result.found), str(result.wanted))
    out.print(shown)
    if examples:
        wrong = [
            turn["t"] for turn, guess, is_one in zip(turns, gate, true, strict=True) if guess and not is_one
        ]
        for text in wrong[:: max(1, len(wrong) // 5)][:5]:
            out.print(f"  found, not labelled: {text}", markup=False)


def _segment(turns: list[dict[str, Any]], position: int) -> Segment:
    turn = turns[position]
    before = turns[position - 1] if position and turns[position - 1]["d"] == turn["d"] else None
    said = Utterance(UUID(int=2), "user", joined(turn["t"]), "Ann", _WHEN)
    context = (Utterance(UUID(int=1), "user", joined(before["t"]), "Ben", _WHEN),) if before else ()
    return Segment(UUID(int=0), (said,), context)
