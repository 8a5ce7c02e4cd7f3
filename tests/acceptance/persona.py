"""Ines: a year and a half of conversations, and the facts and conflicts expected after them.

persona.jsonl has her messages with dates, and the extraction that a language model returns for each: an exchange
without a summary states nothing and is refused. persona_facts.json has the expected rows, worked out by hand with the
rules of docs/design.md, "Confidence" and "Facts and time":
- facts: a row per period; `said`: the exchanges that are its evidence, the first of which begins it; `to`: the exchange
  that ends it; `weight`: the confidence at birth, the number of episodes, and for each conflict its factor and the
  number of episodes after it.
- conflicts: each pair by the first exchanges of its facts, and its question.
- questions: the values true at a date; believed_then: the values believed at that date that later evidence changed.
"""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any, cast

from pydantic import SecretStr

from memory_service.config import Settings
from memory_service.importance import stored_importance
from memory_service.memory import Memory
from memory_service.requests import NewMessage
from memory_service.rules.facts.attributes import canonical
from memory_service.types import EMOTIONS, CandidateFact, ImportanceFeatures
from tests.support.fake_gemini import FakeGemini, prompt_texts

Json = dict[str, Any]

HERE = Path(__file__).parent
GROWTH = 0.05
ASKED = 'Earlier I understood: "{}" More recently: "{}" Which of the two is right now?'


@dataclass(frozen=True, slots=True)
class Exchange:
    """A message of Ines, the assistant's reply, and the extraction that the scripted model returns for them."""

    number: int
    conversation: int
    at: datetime
    user: str
    assistant: str
    summary: str | None
    """None: the exchange states nothing, and no gate passes."""
    features: Mapping[str, float]
    valence: float
    facts: Sequence[Json]

    @property
    def importance(self) -> float:
        return stored_importance(ImportanceFeatures(**self.features))

    def messages(self, name: str | None = None) -> list[NewMessage]:
        """The two messages. `name` is the speaker's name, needed where the model's answers contain it."""
        return [
            NewMessage("user", self.user, name, self.at, f"{self.number}-user"),
            NewMessage("assistant", self.assistant, occurred_at=self.at, id=f"{self.number}-assistant"),
        ]

    def answer(self, segment: int) -> Json:
        """The entry for this exchange in the model's answer to a request for extraction."""
        kept = self.summary is not None
        return {
            "segment": segment,
            "gates": {
                "explicit_request": self.features.get("asked", 0) > 0,
                "relational_damage": False,
                "identity_defining": False,
                "stable_fact": kept,
                "decision_made": False,
            },
            "harm": "none",
            "summary": self.summary or f"Ines said: {self.user}",
            "valence": self.valence,
            "emotions": [EMOTIONS[-1]],
            "topics": [],
            "entities": [],
            "features": {name: self.features.get(name, 0.0) for name in FEATURES},
            "weight": 0.5,
            "lesson": None,
            "facts": [{"holds": True, "stated": True, **fact} for fact in self.facts],
        }


FEATURES = ("emotion", "personal", "decision", "asked", "conflict")


@cache
def exchanges() -> tuple[Exchange, ...]:
    lines = (HERE / "persona.jsonl").read_text(encoding="utf-8").splitlines()
    return tuple(
        Exchange(
            row["id"], row["conversation"], datetime.fromisoformat(row["at"]), row["user"], row["assistant"],
            row.get("summary"), row.get("features", {}), row.get("valence", 0.0), row.get("facts", ()),
        )
        for row in map(json.loads, lines)
    )  # fmt: skip


def conversations() -> list[list[Exchange]]:
    """The exchanges of each conversation, in order of time."""
    found: dict[int, list[Exchange]] = {}
    for exchange in exchanges():
        found.setdefault(exchange.conversation, []).append(exchange)
    return list(found.values())


def name_for(memory: Memory) -> str | None:
    """The speaker's name of Ines if there is a language model: the scripted model's answers contain it."""
    return "Ines" if memory.models.language_model() is not None else None


def shuffled(seed: int) -> list[list[Exchange]]:
    return random.Random(seed).sample(conversations(), len(conversations()))


def candidates(exchange: Exchange) -> list[CandidateFact]:
    return [
        CandidateFact(
            fact["text"], fact["subject"], fact["attribute"], fact["value"],
            fact.get("stated", True), fact.get("holds", True),
        )
        for fact in exchange.facts
    ]  # fmt: skip


@contextmanager
def answering(settings: Settings, reply: Callable[[Json], str]) -> Generator[Settings]:
    """Settings with a fake Gemini that answers with `reply`, and with the built-in embedding model."""
    with FakeGemini(reply=reply) as fake:
        yield settings.model_copy(
            update={
                "gemini_api_key": SecretStr("not-a-key"),
                "gemini_base_url": fake.url,
                "embedding_model": "all-MiniLM-L6-v2-memory",
            }
        )


def reply(body: Json) -> str:
    """The scripted model's answer: for segments the scripted extraction, found by the date of the segment; for pairs of
    facts the verdict `compatible`, since rules find all contradictions of this story."""
    by_date = {exchange.at.isoformat(timespec="minutes"): exchange for exchange in exchanges()}
    asked = cast("Json", json.loads(prompt_texts(body)[0]))
    if "pairs" in asked:
        return json.dumps(
            {"pairs": [{"pair": one["pair"], "verdict": "compatible"} for one in asked["pairs"]]}
        )
    entries = [
        by_date[one["utterances"][0]["date"].partition(" ")[2]].answer(one["segment"])
        for one in asked["segments"]
    ]
    return json.dumps({"segments": entries})


# Expected rows


@cache
def script() -> Json:
    return cast("Json", json.loads((HERE / "persona_facts.json").read_text(encoding="utf-8")))


def by_number(number: int) -> Exchange:
    found = exchanges()[number - 1]
    assert found.number == number
    return found


def weighed(weight: Sequence[float]) -> float:
    """The confidence for a `weight` of persona_facts.json: that at birth, the number of episodes, then for each
    conflict its factor and the number of episodes after it (docs/design.md, "Confidence")."""
    confidence, episodes = weight[0], int(weight[1]) - 1
    for place in range(2, len(weight) + 2, 2):
        for _ in range(episodes):
            confidence += GROWTH * (1 - confidence)
        if place < len(weight):
            confidence, episodes = confidence * weight[place], int(weight[place + 1])
    return confidence


def expected_facts(answered: bool) -> list[Json]:
    """The expected rows of `semantic_memory`; with `answered`, after settle_over_interfaces."""
    found: list[Json] = []
    for fact in script()["facts"]:
        changed = after(fact, answered)
        said = [by_number(number) for number in changed["said"]]
        heard = said or [by_number(changed["ended"])]
        found.append(
            {
                "subject": changed["subject"],
                "attribute": changed["attribute"],
                "value": changed["value"],
                "valid_from": heard[0].at,
                "valid_to": by_number(changed["to"]).at if changed["to"] else None,
                "successor": changed["successor"],
                "evidence_count": len(said),
                "first_observed": heard[0].at,
                "last_confirmed": None if changed.get("confirmed") else heard[-1].at,
                "confidence": round(weighed(changed["weight"]), 9),
                "status": changed["status"],
                "importance": round(max(one.importance for one in heard + endings(changed)), 9),
                "text": changed.get("text") or first_said(changed),
            }
        )
    return sorted(found, key=place)


def expected_conflicts(answered: bool) -> list[Json]:
    """The expected rows of `fact_conflict`, each with the status of its clarification."""
    found: list[Json] = []
    facts = {fact["valid_from"]: fact for fact in expected_facts(answered=False)}
    for conflict in script()["conflicts"]:
        changed = after(conflict, answered)
        older, newer = facts[by_number(changed["older"]).at], facts[by_number(changed["newer"]).at]
        asked = changed["question"] is not None
        found.append(
            {
                "older": older["valid_from"],
                "newer": newer["valid_from"],
                "rule": changed["rule"],
                "kept": by_number(changed["kept"]).at if "kept" in changed else None,
                "question": changed["question"],
                "asked": ASKED.format(older["text"], newer["text"]) if asked else None,
                "importance": max(older["importance"], newer["importance"]) if asked else None,
            }
        )
    return sorted(found, key=lambda row: (row["newer"], row["older"]))


def after(row: Json, answered: bool) -> Json:
    return {**row, **(row.get("after_answer", {}) if answered else {})}


@dataclass(frozen=True, slots=True)
class Question:
    """The values of the user's facts by attribute, with the valid time `at` and the transaction time `known`."""

    at: datetime
    known: datetime
    answers: Mapping[str, Sequence[str]]


def questions() -> list[Question]:
    """The values true at twelve dates, in order; `known` is the same date."""
    return [question(row) for row in script()["questions"]]


def believed_then() -> list[Question]:
    """The values believed at some of these dates that later evidence changed."""
    return [question(row) for row in script()["believed_then"]]


def question(row: Json) -> Question:
    answers = {name: values for name, values in row.items() if name not in ("at", "known")}
    return Question(midnight(row["at"]), midnight(row.get("known", row["at"])), answers)


def midnight(day: str) -> datetime:
    return datetime.fromisoformat(f"{day}T00:00:00+00:00")


DECAY_FACTORS = {
    **dict.fromkeys(
        ("name", "birthday", "born_in", "native_language", "blood_type", "sibling", "allergic_to"), 0.0
    ),
    **dict.fromkeys(("lives_in", "works_at", "works_as", "speaks", "relationship_status", "partner"), 0.05),
    **dict.fromkeys(("pet", "best_friend", "diet", "number_of_tomato_plants"), 0.05),
    **dict.fromkeys(
        ("likes", "dislikes", "plays", "age", "favorite_color", "fears", "drives", "sunday_habit"), 0.1
    ),
}
"""Decay factor by attribute; 1 for all others (docs/design.md, "Confidence")."""


def days_between(begin: datetime, end: datetime) -> float:
    return max((end - begin).total_seconds(), 0) / 86_400


def faded(
    confidence: float, importance: float, last_confirmed: datetime, status: str, attribute: str | None,
    contradicted_at: datetime | None, at: datetime,
) -> float:  # fmt: skip
    """The confidence decayed to `at`: times exp(-0.02 (1 - importance) decay_factor days), with a factor of 1 from
    `contradicted_at` on; of a stable fact at least 0.35."""
    decay_factor = 1.0 if attribute is None else DECAY_FACTORS.get(attribute, 1.0)
    until = at if contradicted_at is None else min(at, max(contradicted_at, last_confirmed))
    days = decay_factor * days_between(last_confirmed, until) + days_between(max(until, last_confirmed), at)
    left = confidence * math.exp(-0.02 * (1 - importance) * days)
    return max(left, min(confidence, 0.35)) if status == "stable" else left


def endings(fact: Json) -> list[Exchange]:
    """The exchange that ends this fact by naming its value, in a list; empty if there is none."""
    ended = [by_number(fact["to"])] if fact["to"] else []
    return [
        one for one in ended
        if any(not c.holds and c.attribute == fact["attribute"] and c.value and fact["value"] for c in candidates(one))
    ]  # fmt: skip


STATED_OF = {"user's dog pixel": "pixel", "user's sister clara": "user's sister"}
"""The script's subject of a person or animal, by the subject of their facts once the name is known."""


def first_said(fact: Json) -> str:
    """The text of the earliest statement of this value; for a fact with an ending only, that of the ending."""
    numbers = [
        number
        for one in script()["facts"]
        if all(one[name] == fact[name] for name in ("subject", "attribute", "value"))
        for number in one["said"] or [one["ended"]]
    ]
    said = by_number(min(numbers))
    return next(
        c.text for c in map(canonical, candidates(said))
        if (c.subject, c.attribute, c.value)
        == (STATED_OF.get(fact["subject"], fact["subject"]), fact["attribute"], fact["value"])
    )  # fmt: skip


def place(row: Json) -> tuple[str, ...]:
    """Sort key of a row."""
    return (
        row["subject"],
        row["attribute"] or "",
        row["valid_from"].isoformat(),
        row["value"] or "",
        row["text"] or "",
    )
