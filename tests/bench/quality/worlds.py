"""Banks of different worlds with questions about them: labelled files of others, and this project's own chats.

The questions of a world are asked as by a live user, after its last message. Missing files are skipped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, cast

from memory_service.requests import NewMessage
from tests.bench.quality import own_chats
from tests.bench.quality.data import flat, rows
from tests.bench.quality.evidence import Question, Said, conversation, own_bank

OWN_BANKS = ("group_chat", "diary")
MOST_CHARS = 30_000
"""Longer messages are cut here: one of these files has a reply of 53,000 characters."""
LATER = timedelta(hours=1)
"""Time from the last message to the questions."""


@dataclass(frozen=True, slots=True)
class World:
    """One bank: its messages, and the questions asked after the last one."""

    set: str
    """The data set it belongs to; figures are averaged over a set's questions."""
    bank: str
    said: Said
    questions: Sequence[Question]
    settings: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """The bank's own settings, `subject` and `agent_name` where they are known."""

    @property
    def end(self) -> datetime:
        """The moment of the questions."""
        return max(m.occurred_at for said in self.said.values() for m in said if m.occurred_at) + LATER


def locomo(folder: Path) -> Iterator[World]:
    """Two friends with names over months; questions of four categories, by evidence turns."""
    for file in sorted(folder.glob("locomo_conv-*.json")):
        yield World("locomo", file.stem, *conversation(file))


def without_names(world: World, *, known: bool = True) -> World:
    """The same two persons as user and assistant without names. `known`: the bank's settings name both."""
    names: dict[str, str] = {}
    for said in world.said.values():
        for message in said:
            if message.name:
                names.setdefault(message.role, message.name)
    plain = {key: [replace(m, name=None) for m in said] for key, said in world.said.items()}
    settings = {"subject": names.get("user"), "agent_name": names.get("assistant")} if known else {}
    return replace(
        world, set=f"{world.set} nameless", bank=f"{world.bank}_nameless", said=plain, settings=settings
    )


def own() -> Iterator[World]:
    """Five friends, and a diary of one."""
    for name in OWN_BANKS:
        yield World(name, name, *own_bank(name))


def chats(*, held: bool) -> Iterator[World]:
    """This project's own chats of many kinds; `held`: those that nothing is fitted on."""
    for file in own_chats.files(held=held):
        data = own_chats.read(file)
        questions = [
            Question(q["question"], frozenset(q["evidence"]), q.get("answer", ""), q["ability"])
            for q in data["questions"]
        ]
        settings = {name: data[name] for name in ("subject", "agent_name") if data.get(name)}
        yield World(
            "own chats, held" if held else "own chats",
            file.stem,
            own_chats.said_in(data),
            questions,
            settings,
        )


def beam(folder: Path) -> Iterator[World]:
    """A person and an assistant with long replies; ten abilities."""
    for row in rows(folder, "beam_dev"):
        said: Said = {}
        session, at = 0, datetime(2024, 1, 1, tzinfo=UTC)
        for turn in row["turns"]:
            if turn.get("time_anchor"):
                session += 1
                at = datetime.strptime(turn["time_anchor"], "%B-%d-%Y").replace(tzinfo=UTC, hour=9)
            at += timedelta(minutes=1)
            message = NewMessage(turn["role"], turn["content"][:MOST_CHARS], None, at, f"{turn['id']}")
            said.setdefault(f"beam{row['chat']}/{session}", []).append(message)
        questions = [
            Question(
                q["question"], frozenset(f"{i}" for i in flat(q.get("source_chat_ids", []))), "", ability
            )
            for ability, asked in row["questions"].items()
            for q in asked
        ]
        yield World("beam", f"beam{row['chat']}", said, questions)


def realmem(folder: Path) -> Iterator[World]:
    """Two persons with an assistant over months; a question is a marked message of the person, asked when it was sent;
    its evidence are the turns that its gold memory points come from, and it is no evidence for itself."""
    persons: dict[str, list[dict[str, Any]]] = {}
    for row in rows(folder, "realmem_dev"):
        persons.setdefault(row["person"], []).append(row)
    for person, sessions in persons.items():
        said: Said = {}
        points: dict[tuple[str, str], str] = {}
        questions: list[Question] = []
        clock: dict[str, datetime] = {}
        for session in sessions:
            day = session["current_time"].split()[0]
            at = clock.get(day, datetime.fromisoformat(day).replace(tzinfo=UTC, hour=8))
            uuid = session["session_uuid"]
            for i, turn in enumerate(session["dialogue_turns"]):
                at += timedelta(minutes=1)
                message = NewMessage(turn["speaker"].lower(), turn["content"], None, at, f"{uuid}:{i}")
                said.setdefault(uuid, []).append(message)
            clock[day] = at + timedelta(minutes=10)
            contents = [turn["content"] for turn in session["dialogue_turns"]]
            for point in session["extracted_memory"]:
                shown = point.get("source_content_snapshot") or ""
                if shown in contents:
                    points[uuid, point["content"]] = f"{uuid}:{contents.index(shown)}"
        said_at = {
            m.id: m.occurred_at - timedelta(seconds=30)
            for turns in said.values()
            for m in turns
            if m.occurred_at
        }
        for session in sessions:
            turns = session["dialogue_turns"]
            for i, turn in enumerate(turns):
                if not turn["is_query"] or i + 1 == len(turns):
                    continue
                used = cast("list[dict[str, Any]]", turns[i + 1].get("memory_used") or [])
                evidence = {points[key] for u in used if (key := (u["session_uuid"], u["content"])) in points}
                itself = f"{session['session_uuid']}:{i}"
                if evidence - {itself}:
                    questions.append(
                        Question(
                            turn["content"], frozenset(evidence - {itself}), "", turn["category_name"],
                            frozenset({itself, f"{session['session_uuid']}:{i + 1}"}), said_at[itself],
                        )
                    )  # fmt: skip
        yield World("realmem", person, said, questions)


def prefeval(folder: Path, banks: int = 5, each: int = 20) -> Iterator[World]:
    """Preferences said once among conversations of other matters; questions whose words do not overlap with them."""
    fillers = rows(folder, "prefeval_fillers_dev")
    stated = rows(folder, "prefeval_dev") if fillers else []
    step = max(len(stated) // (banks * each), 1)
    chosen = stated[::step]
    for number in range(banks):
        mine = chosen[number::banks][:each]
        said: Said = {}
        questions: list[Question] = []
        at = datetime(2025, 3, 1, 18, tzinfo=UTC)
        for i, row in enumerate(mine):
            said[f"p{i}"] = [
                NewMessage("user", row["preference"], None, at, f"p{i}"),
                NewMessage(
                    "assistant",
                    "Understood, I will keep that in mind.",
                    None,
                    at + timedelta(minutes=1),
                    f"a{i}",
                ),
            ]
            questions.append(Question(row["question"], frozenset({f"p{i}"}), "", "preference"))
            at += timedelta(days=1)
            if i % 2 == 0 and i // 2 < len(fillers):
                turns = fillers[i // 2]["turns"]
                said[f"f{i}"] = [
                    NewMessage(
                        t["role"], t["content"][:MOST_CHARS], None, at + timedelta(minutes=n), f"f{i}:{n}"
                    )
                    for n, t in enumerate(turns)
                    if t["content"].strip()
                ]
            at += timedelta(days=1)
        yield World("prefeval", f"prefeval{number}", said, questions)


def locomo_plus(folder: Path) -> Iterator[World]:
    """A cue said once, and a later remark that is far from it in wording."""
    said: Said = {}
    questions: list[Question] = []
    at = datetime(2025, 1, 1, 18, tzinfo=UTC)
    for i, row in enumerate(rows(folder, "locomo_plus_dev")):
        cue = [line.split(":", 1)[1].strip() for line in row["cue_dialogue"].split("\n") if ":" in line]
        said[f"c{i}"] = [
            NewMessage(
                ("user", "assistant")[n % 2],
                text,
                ("Ann", "Ben")[n % 2],
                at + timedelta(minutes=n),
                f"c{i}:{n}",
            )
            for n, text in enumerate(cue)
        ]
        text = re.sub(r"^[AB]:\s*", "", row["trigger_query"])
        questions.append(
            Question(text, frozenset(f"c{i}:{n}" for n in range(len(cue))), "", row["relation_type"])
        )
        at += timedelta(days=1)
    if said:
        yield World("locomo_plus", "locomo_plus", said, questions)
