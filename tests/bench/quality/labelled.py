"""Users' messages labelled as worth remembering or not, from several sets of different worlds.

A label means: the message is evidence for a later question (LoCoMo, BEAM), the source of a gold memory (RealMem), a
coding instruction (MemoryCode), a preference among filler chats (PrefEval), or was marked as worth remembering for
months (the project's own chats and sentences).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast
from uuid import UUID

from memory_service.types import Role, Segment, Utterance
from tests.bench.quality import own_chats
from tests.bench.quality.data import flat, rows

SENTENCES = Path(__file__).parent / "sentences.json"
_WHEN = datetime(2025, 3, 2, tzinfo=UTC)
_ANSWERABLE = (1, 2, 3, 4)
_QUOTED = re.compile(r"'([^']+)'")
_LINE = re.compile(r"\s*([A-Z][\w. ]{1,20}): (.*)")


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a user."""

    text: str
    before: str
    """The last message of the other speaker in the same conversation, or empty."""
    worth: bool
    group: str
    """Its chat; cross-validation within a set leaves out whole groups."""
    name: str | None = None
    kind: str = ""


def segment_of(message: Message) -> Segment:
    """A segment of the message, with `before` as its context."""
    other: Role = "assistant" if message.name is None else "user"
    before = Utterance(UUID(int=1), other, message.before, message.name and "Other", _WHEN)
    said = Utterance(UUID(int=2), "user", message.text, message.name, _WHEN)
    return Segment(UUID(int=0), (said,), (before,) if message.before else ())


def chats(folder: Path | None = None, *, held: bool = False) -> list[Message]:
    """The project's own chats; with `held` the held-out ones alone."""
    found: list[Message] = []
    for path in own_chats.files(held=held):
        chat = own_chats.read(path)
        worth = set(chat["worth"])
        found += [
            Message(message["content"], before, message["id"] in worth, chat["name"], message.get("name"))
            for message, before in _with_before(chat["messages"], "content", "conversation_id")
            if message["role"] == "user"
        ]
    return found


def held_chats(folder: Path | None = None) -> list[Message]:
    return chats(held=True)


def own_sentences(folder: Path | None = None) -> list[Message]:
    """Sentences written for this benchmark: standing instructions, choices, conditions of the body, life, and small
    talk."""
    read = cast("list[dict[str, Any]]", json.loads(SENTENCES.read_text(encoding="utf-8")))
    return [Message(r["text"], "Sure, here you go.", r["worth"], r["kind"], kind=r["kind"]) for r in read]


def locomo(folder: Path) -> list[Message]:
    evidence: dict[str, set[str]] = {}
    for question in rows(folder, "locomo_dev_qa"):
        if question["cat"] in _ANSWERABLE:
            evidence.setdefault(question["c"], set()).update(question["ev"])
    turns = rows(folder, "locomo_dev_turns")
    for turn in turns:
        turn["session"] = f"{turn['c']}:{turn['s']}"
    return [
        Message(t["text"], before, t["id"] in evidence.get(t["c"], ()), t["c"], t["speaker"])
        for t, before in _with_before(turns, "text", "session")
    ]


def beam(folder: Path) -> list[Message]:
    found: list[Message] = []
    for chat in rows(folder, "beam_dev"):
        evidence = {
            number
            for ability, questions in chat["questions"].items()
            if ability != "abstention"
            for question in questions
            for number in flat(question.get("source_chat_ids", []))
        }
        for turn in chat["turns"]:
            turn["content"] = turn["content"].split("->->")[0].strip()
        found += [
            Message(t["content"], before, t["id"] in evidence, str(chat["chat"]))
            for t, before in _with_before(chat["turns"], "content", None)
            if t["role"] == "user"
        ]
    return found


def realmem(folder: Path) -> list[Message]:
    found: list[Message] = []
    for session in rows(folder, "realmem_dev"):
        sources = {
            (memory.get("source_content_snapshot") or "").strip()
            for memory in session["extracted_memory"]
            if memory.get("source_role_snapshot") == "User"
        }
        found += [
            Message(t["content"], before, t["content"].strip() in sources, session["person"])
            for t, before in _with_before(session["dialogue_turns"], "content", None)
            if t["speaker"] == "User"
        ]
    return found


def memorycode(folder: Path) -> list[Message]:
    """What the mentor says; worth it is what names the object of one of the session's instructions."""
    found: list[Message] = []
    for dialogue in rows(folder, "memorycode_dev"):
        for session in dialogue["sessions"]:
            kinds = zip(session["topic"], session["type"], strict=True)
            objects = [q for topic, kind in kinds if "instruction" in kind for q in _QUOTED.findall(topic)]
            lines = [m for line in session["text"].split("\n") if (m := _LINE.match(line.strip()))]
            for number, line in enumerate(lines):
                if line[1] == lines[0][1]:
                    before = lines[number - 1][2] if number else ""
                    found.append(Message(line[2], before, any(o in line[2] for o in objects), dialogue["id"]))
    return found


def prefeval(folder: Path) -> list[Message]:
    found = [Message(row["preference"], "", True, row["topic"]) for row in rows(folder, "prefeval_dev")]
    for chat in rows(folder, "prefeval_fillers_dev"):
        found += [
            Message(t["content"], before, False, chat["id"])
            for t, before in _with_before(chat["turns"], "content", None)
            if t["role"] == "user"
        ]
    return found


FITTED: dict[str, Callable[[Path], list[Message]]] = {
    "own chats": chats,
    "RealMem": realmem,
    "own sentences": own_sentences,
}
"""What the shipped weights are fitted on."""
VALIDATING: dict[str, Callable[[Path], list[Message]]] = {
    "LoCoMo": locomo,
    "BEAM": beam,
    "PrefEval": prefeval,
    "MemoryCode": memorycode,
    "held-out chats": held_chats,
}
SETS = FITTED | VALIDATING


def labelled_sets(folder: Path) -> dict[str, list[Message]]:
    """All sets that are there and hold both kinds of messages."""
    read = {name: load(folder) for name, load in SETS.items()}
    return {name: messages for name, messages in read.items() if len({m.worth for m in messages}) == 2}


def _with_before(
    turns: list[dict[str, Any]], text: str, conversation: str | None
) -> Iterator[tuple[dict[str, Any], str]]:
    """Each turn with the text of the one before it in its conversation."""
    last: dict[str, Any] | None = None
    for turn in turns:
        same = last is not None and (conversation is None or last[conversation] == turn[conversation])
        yield turn, str(last[text]) if same and last is not None else ""
        last = turn
