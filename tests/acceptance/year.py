"""Ines's year and a half with noise between the messages of persona.jsonl: Sundays in the park, meals, errands, small
talk, repetitions of facts, and a few landmarks. The facts expected after each nightly run follow from
persona_facts.json and docs/design.md, "Confidence": a repetition is one more episode of evidence, a fact without
repetition decays.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import cache
from itertools import count
from typing import Any, cast

from memory_service.rules.facts.attributes import canonical
from tests.acceptance import persona
from tests.acceptance.persona import Exchange, Json
from tests.support.fake_gemini import prompt_texts

FIRST, LAST = date(2025, 1, 12), date(2026, 6, 28)
"""Sundays."""
END = datetime(2026, 7, 1, tzinfo=UTC)
SUNDAYS = "Ines walks in the park on Sundays."
REPEATED = "I walked round the park and fed the ducks"
SEVERAL = 3
"""Episodes from which a fact is drawn: the habit of the Sundays."""
WORDS = 12
"""Words of each episode in a summary of the scripted model."""

WEATHER = (
    "It rained so hard that the cellar window leaked.", "Fog until noon, I could not see the church tower.",
    "A storm tore two tiles off the roof next door.", "The first warm evening, everybody sat outside.",
    "Frost on the windows when I got up.", "Hail on the way home, I hid under a bridge.",
    "It was so humid that the laundry would not dry.", "A rainbow stood over the station for ten minutes.",
)  # fmt: skip
MEALS = (
    "I cooked lentil soup and it burned a little.", "There were pancakes with plum jam for lunch.",
    "I made a risotto with far too much pepper.", "The bread did not rise, I ate it anyway.",
    "I tried a pumpkin curry from a magazine.", "Dinner was leftover potatoes with mustard.",
    "I baked an apple tart for the people upstairs.", "The soup needed salt, so I added miso.",
)  # fmt: skip
ERRANDS = (
    "I queued at the post office for half an hour.", "The shoemaker fixed the heel of my boots.",
    "I took three bags of glass to the container.", "The pharmacy was closed, I went twice.",
    "I bought light bulbs and forgot the batteries.", "The bicycle tyre was flat, I patched it.",
    "I returned four books to the library, late as always.", "The plumber came about the dripping tap.",
)  # fmt: skip
EVENINGS = (
    "I watched a documentary about lighthouses.", "I fell asleep over a crime novel.",
    "I sorted old photographs until midnight.", "I listened to the radio and mended a jumper.",
    "I lost at chess against the computer.", "I did a puzzle of a windmill, one piece is missing.",
    "I tried to draw the teapot, it looks like a cow.", "I cleaned the fridge while a podcast was on.",
)  # fmt: skip
CHATTER = (
    "lol",
    "ok",
    "thanks",
    "haha yes",
    "good night",
    "hi",
    "bye!",
    "hmm ok",
    "thank you",
    "ok thank you",
)
QUESTIONS = (
    "How long do you boil an egg?", "What is the opposite of nostalgia?", "How far away is the moon?",
    "Which river flows through Vienna?", "Can you tell me a riddle?", "What does ubiquitous mean?",
)  # fmt: skip

LANDMARKS: tuple[tuple[str, str, float], ...] = (
    ("2025-02-23", "My grandmother Odile died this morning, I cannot stop crying.", -0.95),
    ("2025-04-06", "I won the district prize for the cello solo, I am over the moon!", 0.9),
    (
        "2025-07-13",
        "There was a fire in our house, firemen carried the old man from the third floor out.",
        -0.9,
    ),
    ("2025-12-07", "My father and I spoke again after nine years, we both wept with joy.", 0.85),
    ("2026-03-22", "A car hit me on the crossing, nothing is broken, but I am shaking.", -0.85),
    ("2026-05-31", "Rui asked me to marry him on the beach and I said yes!", 1.0),
)
"""Day, message and valence of each landmark."""

DETAILS: tuple[tuple[str, str, str, str], ...] = (
    ("2025-02-09", "I lent my umbrella to Mrs Albrecht from the ground floor.",
     "Who has my umbrella?", "Albrecht"),
    ("2025-03-16", "The spare key is in the blue teapot on the shelf.", "Where is my spare key?", "teapot"),
    ("2025-04-20", "I saw a heron on the roof of the swimming pool.", "Which bird did I see on a roof?", "heron"),
    ("2025-06-08", "The dentist is called Doctor Weissgerber and hums Verdi while drilling.",
     "What is my dentist called?", "Weissgerber"),
    ("2025-06-22", "I planted a quince tree behind the house of a colleague.", "What did I plant?", "quince"),
    ("2025-08-03", "The washing machine broke, the repair cost 140 euros.",
     "What did the repair of the washing machine cost?", "140"),
    ("2025-09-14", "I found an old map of Trieste at the flea market.",
     "What did I find at the flea market?", "Trieste"),
    ("2025-11-09", "I gave my accordion to the neighbours' son Emil.", "Who got my accordion?", "Emil"),
    ("2026-01-18", "I broke the green vase from Aunt Solveig.", "What did I break?", "vase"),
    ("2026-03-08", "The bakery under my window is called Nortada.",
     "What is the bakery under my window called?", "Nortada"),
    ("2026-04-19", "I joined the choir of the harbour church on Tuesdays.", "Where do I sing in a choir?", "harbour"),
    ("2026-06-07", "The ferry to Afurada takes six minutes.", "How long does the ferry take?", "six minutes"),
)  # fmt: skip
"""Day, message, question and answer of each detail; a detail is mentioned once."""

FACTS: tuple[tuple[str, str], ...] = (
    ("What is my name?", "name is ines"), ("Where do I live?", "porto"), ("Where do I work?", "vester health"),
    ("What is my job?", "as a product manager"), ("Who is my partner?", "rui"), ("What is my dog called?", "pixel"),
    ("How old am I?", "34 years"), ("When is my birthday?", "november 2"), ("Where was I born?", "lyon"),
    ("What is my native language?", "french"), ("What am I allergic to?", "hazelnuts"),
    ("What is my diet?", "pescatarian"), ("Which instrument do I play?", "cello"), ("Who is my best friend?", "noor"),
    ("What is my sister called?", "clara"), ("Which languages do I speak?", "portuguese"),
    ("What is my blood type?", "blood type is o"), ("What food do I love?", "sushi"),
)  # fmt: skip
MOMENTS: tuple[tuple[str, str], ...] = (
    ("Who died?", "odile"), ("Which prize did I win?", "district"), ("Was there a fire?", "third floor"),
    ("When did I speak to my father?", "nine years"), ("Did I have an accident?", "crossing"),
    ("Who wants to marry me?", "rui"),
)  # fmt: skip

REMINDERS: tuple[tuple[str, str, str, str, str], ...] = (
    ("2025-04-21", "Everybody calls me Ines, never Inês.", "The user's name is Ines.", "name", "Ines"),
    ("2025-08-17", "My name is Ines, as the parcel says.", "The user's name is Ines.", "name", "Ines"),
    ("2025-12-14", "They wrote Ines on my cup, and that is my name.", "The user's name is Ines.", "name", "Ines"),
    ("2025-06-09", "Minou, my cat, slept in the sink.", "Ines has a cat called Minou.", "pet", "Minou"),
    ("2025-06-10", "At 33 I am the oldest on the team.", "Ines is 33 years old.", "age", "33"),
    ("2026-04-11", "At 34 I bought my first sewing machine.", "Ines is 34 years old.", "age", "34"),
    ("2025-08-26", "Until my birthday, November 2, I want a new bow.", "Ines's birthday is November 2.", "birthday",
     "November 2"),
    ("2026-02-22", "They asked for my birthday, November 2, at the registry.", "Ines's birthday is November 2.",
     "birthday", "November 2"),
    ("2026-05-24", "Rui noted my birthday, November 2.", "Ines's birthday is November 2.", "birthday", "November 2"),
    ("2025-06-11", "French is my native language, so I dream in it.", "Ines's native language is French.",
     "native_language", "French"),
    ("2025-11-16", "French, my native language, is rusty.", "Ines's native language is French.", "native_language",
     "French"),
    ("2025-06-12", "Being born in Lyon I miss quenelles.", "Ines was born in Lyon.", "born_in", "Lyon"),
    ("2025-07-04", "Vegetarian as I am, I brought my own sausages.", "Ines is a vegetarian.", "diet", "vegetarian"),
    ("2026-04-12", "The cook asked what a pescatarian like me eats.", "Ines is a pescatarian.", "diet", "pescatarian"),
    ("2025-08-10", "I love running, five kilometres before breakfast.", "Ines loves running.", "likes", "running"),
    ("2025-08-11", "I love sushi even from the petrol station.", "Ines loves sushi.", "likes", "sushi"),
    ("2025-11-23", "I like coffee so much that I bought a mill.", "Ines likes coffee.", "likes", "coffee"),
    ("2026-02-15", "I like coffee black when I am tired.", "Ines likes coffee.", "likes", "coffee"),
    ("2026-04-05", "I love long walks by the sea.", "Ines loves long walks.", "likes", "long walks"),
    ("2025-06-15", "I speak French to the cat.", "Ines speaks French.", "speaks", "French"),
    ("2025-11-25", "I speak French on the phone every week.", "Ines speaks French.", "speaks", "French"),
    ("2025-06-17", "I speak German with everybody at work.", "Ines speaks German.", "speaks", "German"),
    ("2025-11-26", "I speak German without thinking now.", "Ines speaks German.", "speaks", "German"),
    ("2026-04-14", "I speak Portuguese with the butcher.", "Ines speaks Portuguese.", "speaks", "Portuguese"),
)  # fmt: skip
"""Day, message, and the fact that it repeats: text, attribute and value. Facts that are not repeated fade."""


@cache
def noise() -> tuple[Exchange, ...]:
    """The exchanges added to the persona's, in order of time; their numbers continue those of persona.jsonl."""
    rng = random.Random(7)
    said: list[tuple[datetime, str, float, Json]] = []
    for weeks in range((LAST - FIRST).days // 7 + 1):
        sunday = FIRST + timedelta(weeks=weeks)
        park = f"On Sunday, {sunday:%B} {sunday.day}, {REPEATED}."
        mundane = rng.choice((WEATHER, MEALS, ERRANDS, EVENINGS))
        said.append((at_noon(sunday, 0), park, 0.1, {"personal": 0.2}))
        said.append((at_noon(sunday, 2), rng.choice(mundane), 0.0, {"personal": 0.1}))
        said.append((at_noon(sunday, 4), rng.choice((*CHATTER, *QUESTIONS)), 0.0, {}))
    for day, text, _, _ in DETAILS:
        said.append((at_noon(date.fromisoformat(day), 6), text, 0.0, {"personal": 0.3}))
    for day, text, valence in LANDMARKS:
        said.append((at_noon(date.fromisoformat(day), 8), text, valence, {"personal": 1.0, "emotion": 1.0}))
    for day, text, _, _, _ in REMINDERS:
        said.append((at_noon(date.fromisoformat(day), 10), text, 0.0, {"personal": 0.8}))
    facts = {
        text: [{"text": fact, "subject": "user", "attribute": attribute, "value": value}]
        for _, text, fact, attribute, value in REMINDERS
    }
    numbers = count(len(persona.exchanges()) + 1)
    return tuple(
        Exchange(
            next(numbers), 1_000 + at.toordinal(), at, text, "I see.", f"Ines said: {text}" if features else None,
            features, valence, facts.get(text, ()),
        )
        for at, text, valence, features in sorted(said)
    )  # fmt: skip


def at_noon(day: date, minute: int) -> datetime:
    return datetime(day.year, day.month, day.day, 12, minute, tzinfo=UTC)


@cache
def exchanges() -> tuple[Exchange, ...]:
    return tuple(sorted((*persona.exchanges(), *noise()), key=lambda exchange: exchange.at))


@cache
def kept() -> tuple[Exchange, ...]:
    """The exchanges that become episodes."""
    return tuple(exchange for exchange in exchanges() if exchange.summary is not None)


def sundays() -> list[Exchange]:
    return [exchange for exchange in kept() if REPEATED in exchange.user]


def landmarks() -> list[Exchange]:
    """The exchanges whose episodes are landmarks, which are not archived (docs/design.md, "Importance")."""
    return [exchange for exchange in kept() if abs(exchange.valence) > 0.6 or exchange.importance > 0.8]


def days() -> Iterator[tuple[date, list[list[Exchange]]]]:
    """Each day with messages, with its conversations."""
    found: dict[date, dict[int, list[Exchange]]] = {}
    for exchange in exchanges():
        found.setdefault(exchange.at.date(), {}).setdefault(exchange.conversation, []).append(exchange)
    for day, conversations in found.items():
        yield day, list(conversations.values())


# The scripted model


@cache
def by_date() -> dict[str, Exchange]:
    found = {exchange.at.isoformat(timespec="minutes"): exchange for exchange in exchanges()}
    assert len(found) == len(exchanges())
    return found


@cache
def by_summary() -> dict[str, Exchange]:
    return {exchange.summary: exchange for exchange in kept() if exchange.summary}


def reply(body: Json) -> str:
    """The scripted model's answer: for segments the scripted extraction; for pairs `compatible`; for clusters of
    similar facts `MERGE` if their words are the same, else `KEEP_ALL`; for groups of episodes a summary of their first
    words, each fact that one of them states, and the habit of the Sundays."""
    asked = cast("Json", json.loads(prompt_texts(body)[0]))
    if "pairs" in asked:
        return json.dumps({"pairs": [{"pair": p["pair"], "verdict": "compatible"} for p in asked["pairs"]]})
    if "clusters" in asked:
        return json.dumps({"clusters": [same_or_not(cluster) for cluster in asked["clusters"]]})
    if "groups" in asked:
        return json.dumps({"groups": [distilled(group) for group in asked["groups"]]})
    return json.dumps(
        {
            "segments": [
                by_date()[one["utterances"][0]["date"].partition(" ")[2]].answer(one["segment"])
                for one in asked["segments"]
            ]
        }
    )


def same_or_not(cluster: Json) -> Json:
    words = {fact["text"].lower().strip(".") for fact in cluster["facts"]}
    return {
        "cluster": cluster["cluster"],
        "verdict": "MERGE" if len(words) == 1 else "KEEP_ALL",
        "groups": [],
    }


def distilled(group: Json) -> Json:
    episodes = group["episodes"]
    folded = [episode for episode in episodes if episode["fold"]]
    words = [f"{e['date'].partition(' ')[2]}: {' '.join(e['text'].split()[2 : 2 + WORDS])}" for e in folded]
    facts: list[Json] = []
    for episode in episodes:
        known = by_summary().get(episode["text"])
        for fact in known.facts if known else ():
            if fact.get("holds", True):
                facts.append({"stated": True, "holds": True, **fact, "episodes": [episode["episode"]]})
    walks = [episode["episode"] for episode in episodes if REPEATED in episode["text"]]
    if len(walks) >= SEVERAL:
        habit = {"subject": "user", "attribute": "sunday_habit", "value": "walk in the park"}
        facts.append({"text": SUNDAYS, **habit, "stated": False, "holds": True, "episodes": walks})
    summary = f"{len(folded)} talks. " + "; ".join(words) if group["summarize"] else None
    return {"group": group["group"], "summary": summary, "facts": facts}


# Expected rows


@dataclass(frozen=True, slots=True)
class Period:
    """A period of a fact of persona_facts.json, with the exchanges of the noise that repeat it."""

    fact: Json
    again: tuple[Exchange, ...]

    @property
    def contested(self) -> bool:
        """Whether an open conflict keeps it tentative: a fact with three episodes is stable otherwise."""
        return len(self.fact["said"]) >= SEVERAL and self.fact["status"] == "tentative"


@cache
def again() -> dict[tuple[str, str], list[Exchange]]:
    found: dict[tuple[str, str], list[Exchange]] = {}
    for exchange in noise():
        for fact in map(canonical, persona.candidates(exchange)):
            found.setdefault((str(fact.attribute), str(fact.value)), []).append(exchange)
    return found


def expected_facts(answered: bool, at: datetime = END) -> list[Json]:
    """As persona.expected_facts, after the nightly run of `at`."""
    rows = {key_of(row): row for row in persona.expected_facts(answered)}
    for plain in persona.script()["facts"]:
        fact = persona.after(plain, answered)
        said = fact["said"] or [fact["ended"]]
        begins = persona.by_number(said[0]).at
        ends = persona.by_number(fact["to"]).at if fact["to"] else None
        row = rows[(fact["subject"], fact["attribute"], fact["value"], begins, fact.get("text"))]
        more = [
            exchange for exchange in again().get((fact["attribute"], fact["value"]), [])
            if fact["subject"] == "user" and exchange.at >= begins and (ends is None or exchange.at < ends)
        ]  # fmt: skip
        period = Period(fact, tuple(more))
        if more:
            weight = with_more(period)
            row["evidence_count"] += len(more)
            row["importance"] = max(row["importance"], round(max(e.importance for e in more), 9))
            row["confidence"] = round(persona.weighed(weight), 9)
            if row["evidence_count"] >= SEVERAL and row["status"] == "tentative" and not period.contested:
                row["status"] = "stable"
                row["confidence"] = max(row["confidence"], 0.6)
            if row["last_confirmed"] is not None:
                row["last_confirmed"] = max(row["last_confirmed"], more[-1].at)
        until = min(at, ends or at)
        if (
            row["last_confirmed"]
            and row["status"] == "tentative"
            and faded(row, contradicted_at(fact), until) < 0.3
        ):
            row["status"] = "deprecated"
    return sorted(rows.values(), key=persona.place)


def key_of(row: Json) -> tuple[Any, ...]:
    text = row["text"] if row["attribute"] is None else None
    return (row["subject"], row["attribute"], row["value"], row["valid_from"], text)


def with_more(period: Period) -> list[float]:
    """The `weight` of the fact with the repetitions added at their places between the conflicts."""
    weight: list[float] = list(period.fact["weight"])
    conflicts = [
        persona.by_number(conflict["newer"]).at
        for conflict in persona.script()["conflicts"]
        if conflict["older"] == period.fact["said"][0]
    ]
    for exchange in period.again:
        place = 1 + 2 * sum(at <= exchange.at for at in conflicts)
        weight[min(place, len(weight) - 1)] += 1
    return weight


def contradicted_at(fact: Json) -> datetime | None:
    """The time of the first statement that contradicts the fact; None if there is none."""
    said = [
        persona.by_number(conflict["newer"]).at
        for conflict in persona.script()["conflicts"]
        if fact["said"] and conflict["older"] == fact["said"][0]
    ]
    return min(said, default=None)


def faded(row: Json, contradicted_at: datetime | None, at: datetime) -> float:
    return persona.faded(
        row["confidence"],
        row["importance"],
        row["last_confirmed"],
        row["status"],
        row["attribute"],
        contradicted_at,
        at,
    )


OLD_CARD = persona.midnight("2025-10-20")
"""Transaction time at which the blood type from an old card, unconfirmed for half a year, had faded."""


def as_known() -> list[persona.Question]:
    """The values at the twelve dates as known at each; before the clarification, some had two birthdays."""
    better = {(one.at, one.known): one.answers for one in believed_then()}
    return [
        persona.Question(one.at, one.known, {**one.answers, **better.get((one.at, one.known), {})})
        for one in persona.questions()
    ]


def believed_then() -> list[persona.Question]:
    """As persona.believed_then, without the blood type that had faded by OLD_CARD."""
    return [
        persona.Question(one.at, one.known, {**one.answers, "blood_type": ["o"]})
        if one.known == OLD_CARD and "blood_type" in one.answers
        else one
        for one in persona.believed_then()
    ]


def asked() -> dict[str, Sequence[tuple[str, str]]]:
    """Questions with the words that an answer must contain, by kind."""
    return {
        "facts": FACTS,
        "moments": MOMENTS,
        "details": [(question, answer) for _, _, question, answer in DETAILS],
    }
