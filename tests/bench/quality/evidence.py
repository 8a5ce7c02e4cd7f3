"""LoCoMo conversations and the project's banks: their messages, and questions with the evidence of their answers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, cast

from memory_service.requests import NewMessage
from memory_service.transfer.transcripts import read_transcript

ANSWERABLE = (1, 2, 3, 4)
"""Question categories that have an answer; 5 are adversarial."""

Said = dict[str, list[NewMessage]]
"""Messages by conversation, in order; each with the id that evidence names."""


@dataclass(frozen=True, slots=True)
class Question:
    text: str
    evidence: frozenset[str]
    answer: str = ""
    """Empty where only the evidence is known."""
    ability: str = ""
    """The ability that the question tests, as the set's authors name it."""
    itself: frozenset[str] = frozenset()
    """Messages in which the question itself was asked in the chat: they do not count as answers."""
    at: datetime | None = None
    """The time of the question, if it was asked before the end."""


def conversation(file: Path) -> tuple[Said, Sequence[Question]]:
    """The messages of a LoCoMo file, and its questions."""
    said: Said = {}
    for turn in read_transcript(file):
        said.setdefault(turn.conversation_id, []).append(turn.message)
    return said, questions(file)


def questions(file: Path) -> list[Question]:
    rows = cast("list[dict[str, Any]]", json.loads(file.read_text())["qa"])
    return [
        Question(str(row["question"]), frozenset(row["evidence"]), str(row.get("answer", "")))
        for row in rows
        if row["category"] in ANSWERABLE and row.get("evidence")
    ]


def own_bank(name: str) -> tuple[Said, Sequence[Question]]:
    """The messages of a bank written for this project (no chat of two persons), and its questions with evidence."""
    held = json.loads((Path(__file__).parent / f"{name}.json").read_text(encoding="utf-8"))
    said: Said = {}
    for turn in held["turns"]:
        at = datetime.fromisoformat(turn["occurred_at"])
        message = NewMessage("user", turn["text"], turn["speaker"], at, turn["id"])
        said.setdefault(turn["conversation_id"], []).append(message)
    return said, [Question(q["question"], frozenset(q["evidence"])) for q in held["questions"]]
