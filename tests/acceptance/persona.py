"""Ines: a year and a half of conversations, and what is to be believed after them.

persona.jsonl holds what she says, with dates, and what a language model writes down of it: an exchange without a
summary states nothing and is refused. persona_facts.json holds what follows from that by DESIGN §4, by hand:
- facts: a row per period; `said` are the exchanges that are its evidence, the first of which begins it; `to` the
  exchange that ends it; `weight` is birth, episodes, and for each conflict the share that it left and the episodes
  since.
- conflicts: each pair by the first exchanges of its facts, and its question.
- questions: what was true at a date; believed_then: what was believed at that date, where we know better today.
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
    """What Ines and her assistant say, and what a model writes down of it."""

    number: int
    conversation: int
    at: datetime
    user: str
    assistant: str
    summary: str | None
    """None: it states nothing, no gate passes."""
    features: Mapping[str, float]
    valence: float
    facts: Sequence[Json]

    @property
    def importance(self) -> float:
        return stored_importance(ImportanceFeatures(**self.features))

    def messages(self, name: str | None = None) -> list[NewMessage]:
        """What is said; a model that calls the user by name has to be given it."""
        return [
            NewMessage("user", self.user, name, self.at, f"{self.number}-user"),
            NewMessage("assistant", self.assistant, occurred_at=self.at, id=f"{self.number}-assistant"),
        ]

    def answer(self, segment: int) -> Json:
        """A model's entry for it."""
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
    """Exchanges by conversation, in the order of time."""
    found: dict[int, list[Exchange]] = {}
    for exchange in exchanges():
        found.setdefault(exchange.conversation, []).append(exchange)
    return list(found.values())


def name_for(memory: Memory) -> str | None:
    """The name under which Ines speaks: the scripted model's answers call her by it."""
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
    """Settings for a model that answers as the script says, and the built-in embedding model."""
    with FakeGemini(reply=reply) as fake:
        yield settings.model_copy(
            update={
                "gemini_api_key": SecretStr("not-a-key"),
                "gemini_base_url": fake.url,
                "embedding_model": "all-MiniLM-L6-v2-memory",
            }
        )


def reply(body: Json) -> str:
    """The scripted model's answer to a request for extraction: each segment is known by its date. Of pairs of facts it
    says that both can be true: what contradicts in this story rules can see."""
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


# What is expected


@cache
def script() -> Json:
    return cast("Json", json.loads((HERE / "persona_facts.json").read_text(encoding="utf-8")))


def by_number(number: int) -> Exchange:
    found = exchanges()[number - 1]
    assert found.number == number
    return found


def weighed(weight: Sequence[float]) -> float:
    """Birth, episodes, then for each conflict the share that it leaves, and the episodes since (DESIGN §4)."""
    confidence, episodes = weight[0], int(weight[1]) - 1
    for place in range(2, len(weight) + 2, 2):
        for _ in range(episodes):
            confidence += GROWTH * (1 - confidence)
        if place < len(weight):
            confidence, episodes = confidence * weight[place], int(weight[place + 1])
    return confidence


def expected_facts(answered: bool) -> list[Json]:
    """The rows that the table of facts must hold; `answered` where the questions at the doors were."""
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
    """The rows that the table of conflicts must hold, each with what became of its question."""
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
    """What the user's facts were at a moment, by attribute, as it was known at another."""

    at: datetime
    known: datetime
    answers: Mapping[str, Sequence[str]]


def questions() -> list[Question]:
    """What was true at twelve dates, in order; known: the same date."""
    return [question(row) for row in script()["questions"]]


def believed_then() -> list[Question]:
    """What was believed at some of these dates, where we know better today."""
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
"""How much slower than others the facts of an attribute decay."""


def days_between(begin: datetime, end: datetime) -> float:
    return max((end - begin).total_seconds(), 0) / 86_400


def faded(
    confidence: float, importance: float, last_confirmed: datetime, status: str, attribute: str | None,
    contradicted_at: datetime | None, at: datetime,
) -> float:  # fmt: skip
    """exp(-0.02 (1 - importance) decay_factor days), the factor 1 once it is contradicted; a stable fact not below
    0.35."""
    decay_factor = 1.0 if attribute is None else DECAY_FACTORS.get(attribute, 1.0)
    until = at if contradicted_at is None else min(at, max(contradicted_at, last_confirmed))
    days = decay_factor * days_between(last_confirmed, until) + days_between(max(until, last_confirmed), at)
    left = confidence * math.exp(-0.02 * (1 - importance) * days)
    return max(left, min(confidence, 0.35)) if status == "stable" else left


def endings(fact: Json) -> list[Exchange]:
    """The exchange that says that this value, by name, holds no longer."""
    ended = [by_number(fact["to"])] if fact["to"] else []
    return [
        one for one in ended
        if any(not c.holds and c.attribute == fact["attribute"] and c.value and fact["value"] for c in candidates(one))
    ]  # fmt: skip


STATED_OF = {"user's dog pixel": "pixel", "user's sister clara": "user's sister"}
"""What the script calls persons and animals, by the subject that their facts have once their names are known."""


def first_said(fact: Json) -> str:
    """The words of who said first that this value holds; of an ending alone, its own."""
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
    """A row's place in the table."""
    return (
        row["subject"],
        row["attribute"] or "",
        row["valid_from"].isoformat(),
        row["value"] or "",
        row["text"] or "",
    )
