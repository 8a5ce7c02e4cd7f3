"""Contexts on real rows: visible statuses, token budgets, restarts, moods, and a conversation of several weeks."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import psycopg
import pytest

from memory_service.config import Settings
from memory_service.memory import Memory
from memory_service.models.token_counter import token_counter
from memory_service.recall.context import CHATTER
from memory_service.recall.mood import OPPOSITE, present_mood
from memory_service.requests import Mood, NewMessage
from memory_service.results import Context
from tests.conftest import settle
from tests.growth import check_growth

Admin = psycopg.Connection[tuple[object, ...]]
NOW = datetime.now(UTC)


async def remember(memory: Memory, content: str, **fields: object) -> UUID:
    return (await memory.remember("anna", content, **fields)).memory_id  # type: ignore[arg-type]


async def context(memory: Memory, message: str, **fields: Any) -> Context:
    return await memory.context("anna", message, **fields)


def sections(made: Context) -> dict[str, tuple[UUID, ...]]:
    return {section.name: section.memory_ids for section in made.sections}


@pytest.fixture
async def bank(memory: Memory) -> str:
    await memory.create_bank("anna", {"merge_duplicates": False})
    return "anna"


# Who is seen


async def recalled(memory: Memory, mode: Any) -> str:
    answer = await memory.recall("anna", "geese", mode=mode)
    return " ".join(item.content for item in answer.items)


async def in_context(memory: Memory) -> str:
    made = await context(memory, "geese")
    return made.text + str(made.dropped)


async def in_compaction(memory: Memory) -> str:
    made = await memory.compact("anna", "Tom", "geese")
    return made.text + str(made.dropped)


READS: dict[str, Callable[[Memory], Awaitable[str]]] = {
    "recall as a tool": lambda memory: recalled(memory, "tool"),
    "recall, passive": lambda memory: recalled(memory, "passive"),
    "context": in_context,
    "compact": in_compaction,
}
TOOLS = {"recall as a tool", "compact"}
SEEN_BY: dict[str, set[str]] = {
    "active": set(READS),
    "archived": TOOLS,
    "pending_embedding": set(),
    "deprecated": set(),
    "merged_into": set(),
    "quarantined": set(),
    "failed": set(),
}
"""The reads that show each status of an episode (docs/design.md, "States")."""


async def test_each_status_is_seen_by_the_reads_it_is_meant_for(
    memory: Memory, bank: str, admin: Admin
) -> None:
    # Important, recent, tagged, about the recipient: any arm of any read would bring it in.
    memory_id = await remember(
        memory, "Tom is afraid of geese.", importance=0.95, tags=["geese"], recipients=["Tom"]
    )
    await settle(memory, bank)
    row = admin.execute(
        "select pg_get_constraintdef(oid) from pg_constraint where conname = 'episodic_memory_status_check'"
    ).fetchone()
    assert row is not None
    assert all(f"'{status}'" in str(row[0]) for status in SEEN_BY)
    assert str(row[0]).count("::text") == len(SEEN_BY), "every status there is"
    for status, reads in SEEN_BY.items():
        admin.execute("update memory.episodic_memory set status = %s", (status,))
        seen: set[str] = set()
        for name, read in READS.items():
            answer = await read(memory)
            if "afraid of geese" in answer or str(memory_id) in answer:
                seen.add(name)
        assert seen == reads, status


@pytest.mark.parametrize(
    ("status", "seen"), [("pending", True), ("refused", True), ("stored", False), ("failed", False)]
)
async def test_recent_shows_messages_that_are_in_no_episode(
    memory: Memory, bank: str, admin: Admin, status: str, seen: bool
) -> None:
    await memory.add_messages(bank, "c1", [NewMessage("user", "My arm is broken.")])
    admin.execute("update memory.message set status = %s", (status,))
    assert ("arm is broken" in (await context(memory, "How am I?", conversation_id="c1")).text) is seen


# Token budgets

MATCHES = [
    f"Tom saw {n} {'grey' if n % 2 else 'white'} geese at the {place}."
    for n, place in enumerate(["lake", "river", "farm", "park", "harbour", "mill"] * 10)
]


async def test_sixty_matches_hold_the_budget_and_important_ones_stay(memory: Memory, bank: str) -> None:
    priorities = [
        await remember(memory, f"Tom must never be left alone with geese, {why}.", importance=0.95)
        for why in ("he was bitten", "his doctor says so", "he promised his wife")
    ]
    old = NOW - timedelta(days=300)
    low = [await remember(memory, text, importance=0.2, occurred_at=old) for text in MATCHES]
    weak = await remember(
        memory, "The old kettle whistles in the kitchen every single night.", importance=0.2, occurred_at=old
    )
    await settle(memory, bank)
    for recent_tokens, knowledge_tokens in ((300, 700), (0, 250), (150, 100), (0, 100), (30, 20), (0, 0)):
        made = await context(
            memory, "Where were the geese that Tom saw?",
            recent_tokens=recent_tokens, knowledge_tokens=knowledge_tokens, profile="balanced",
        )  # fmt: skip
        assert made.tokens == token_counter("wordpiece")(made.text) <= recent_tokens + knowledge_tokens
        printed = {memory_id for ids in sections(made).values() for memory_id in ids}
        dropped = {one.memory_id for one in made.dropped}
        assert printed.isdisjoint(dropped)
        # The least relevant of more than 60 may not even be a candidate.
        assert (printed | dropped) - {weak} == {*priorities, *low}
        if printed & set(low):
            assert printed >= set(priorities), "an important memory gave way to a trifle"
        assert weak not in printed or not dropped, "the least relevant goes first"
        rows = [row for row in made.text.split("\n") if row.startswith("- ")]
        assert len(rows) == len(printed)
    assert made.text == ""


async def test_each_counter_holds_its_own_budget(memory: Memory, bank: str) -> None:
    for text in MATCHES[:20]:
        await remember(memory, text + " Sie flogen über Köln 😀, 再见.")
    await settle(memory, bank)
    lengths: dict[str, int] = {}
    for tokenizer in ("wordpiece", "o200k_base", "cl100k_base", "chars4"):
        made = await context(memory, "geese", recent_tokens=0, knowledge_tokens=300, tokenizer=tokenizer)
        assert 240 < made.tokens == token_counter(tokenizer)(made.text) <= 300
        lengths[tokenizer] = len(made.text)
    assert len(set(lengths.values())) > 1


async def test_what_is_dropped_is_listed_once_with_why(memory: Memory, bank: str) -> None:
    important = await remember(memory, "Tom adores his geese.", importance=0.9, valence=0.9)
    other = await remember(memory, "Tom hates geese.", importance=0.5, valence=-0.9)
    await settle(memory, bank)
    made = await context(memory, "geese", valence=-0.5)
    assert sections(made) == {"EMOTIONAL": (), "RELEVANT": (other,)}, "the caller's mood holds for RECENT too"
    assert [(one.memory_id, one.reason) for one in made.dropped] == [(important, "opposite valence")]
    made = await context(memory, "geese", valence=0.0)
    assert sections(made) == {"EMOTIONAL": (), "RECENT": (important,), "RELEVANT": (other,)}
    assert made.dropped == ()
    made = await context(memory, "geese", valence=0.5, recent_tokens=0)
    assert [(one.memory_id, one.reason) for one in made.dropped] == [(other, "opposite valence")]


# Restarts


async def test_the_same_context_after_a_restart(memory: Memory, bank: str, settings: Settings) -> None:
    for n, text in enumerate(MATCHES[:12]):
        await remember(memory, text, occurred_at=NOW - timedelta(days=n), importance=0.3 + n / 20)
    await memory.add_messages(bank, "c1", [NewMessage("user", "ok"), NewMessage("assistant", "Fine.")])
    await settle(memory, bank)
    await memory.add_messages(bank, "c1", [NewMessage("user", "I fed the geese just now.")])
    asked: dict[str, Any] = {"conversation_id": "c1", "as_of": datetime.now(UTC) + timedelta(seconds=5)}
    before = await context(memory, "Which geese?", **asked)
    compacted = await memory.compact(bank, "Tom", "x", as_of=asked["as_of"])
    await memory.flush()
    assert {"RECENT", "RELEVANT"} <= sections(before).keys()
    async with await Memory.open(settings, migrated=False) as restarted:
        for _ in range(
            3
        ):  # reads are counted as accesses, which must not change a context as of an earlier time
            assert (await context(restarted, "Which geese?", **asked)).text == before.text
            again = await restarted.compact(bank, "Tom", "x", as_of=asked["as_of"])
            assert again.text == compacted.text
            await restarted.flush()


# Moods that the caller did not give


@pytest.mark.parametrize(
    ("message", "strong"),
    [
        ("My father died this morning. I am heartbroken.", -1),
        ("I am so happy, we are getting married, this is wonderful!", 1),
        ("What did we say about the boiler?", 0),
        ("Thanks, that is nice.", 0),
        ("", 0),
    ],
)
def test_only_strong_feelings_count(message: str, strong: int) -> None:
    felt = present_mood(message, Mood()).felt
    assert felt is not None
    assert (abs(felt) > 0.6) == bool(strong)
    assert felt * strong >= 0


@pytest.mark.parametrize(
    "message",
    [
        'Translate this: "I am so heartbroken and devastated, I hate everything."',
        "Please proofread my letter: I am heartbroken and miserable, I cried all night.",
        "Rewrite this email: I am furious and devastated about your terrible service.",
        "> I am furious and devastated.\nWhich line number is that?",
        "Here is chapter one: I am so heartbroken and devastated, I cried all night.",
    ],
)
def test_a_text_of_others_and_a_draft_show_no_mood(message: str) -> None:
    present = present_mood(message, Mood())
    assert (present.felt, present.mood.emotions in (None, ("curiosity",))) == (0, True)


@pytest.mark.parametrize(
    ("message", "sign"),
    [
        ('She wrote: "I am heartbroken." I am so happy and thrilled today!', 1),
        ("I am so furious and devastated: the letter came today. Can you rewrite it?", -1),
        ('I feel "heartbroken", devastated and miserable.', -1),
        ("My boss says I am wonderful, I am thrilled and so happy!", 1),
    ],
)
def test_the_words_beside_a_quotation_do(message: str, sign: int) -> None:
    assert (present_mood(message, Mood()).felt or 0) * sign > 0.6


def test_what_the_caller_gives_is_left_alone() -> None:
    given = Mood(emotions=["joy"], valence=0.3, topics=["work"])
    assert present_mood("I am heartbroken.", given).mood is given
    assert present_mood("I am heartbroken.", given).felt is None
    half = present_mood("I am heartbroken.", Mood(valence=0.3))
    assert half.mood.valence == 0.3
    assert half.felt is None
    assert half.mood.emotions
    assert "neutral" not in half.mood.emotions
    assert present_mood("I am heartbroken.", Mood(emotions=["joy"])).mood.emotions == ("joy",)
    assert present_mood("The bus is late.", Mood()).mood == Mood()


async def test_a_grieving_person_is_spared_trifles_not_memories(memory: Memory, bank: str) -> None:
    """The mood filter leaves out strong episodes of the opposite sign with an importance below 0.7 (docs/design.md,
    "Recall"), not important or mild ones."""
    old = NOW - timedelta(days=60)
    trifle = await remember(
        memory, "The pizza with father was hilarious.", importance=0.4, valence=0.9, occurred_at=old
    )
    summer = await remember(
        memory,
        "Father's last summer at the lake was wonderful.",
        importance=0.8,
        valence=0.9,
        occurred_at=old,
    )
    mild = await remember(memory, "Father liked tea.", importance=0.4, valence=0.3, occurred_at=old)
    await settle(memory, bank)
    made = await context(memory, "My father died this morning. I am heartbroken.")
    assert set(sections(made)["RELEVANT"]) == {summer, mild}
    assert [(one.memory_id, one.reason) for one in made.dropped] == [(trifle, OPPOSITE)]
    for calm in ("What did father like?", "The bus was late again and that is a bit annoying. Father?"):
        made = await context(memory, calm)
        assert set(sections(made)["RELEVANT"]) == {trifle, summer, mild}


def test_a_long_message_is_read_from_its_end() -> None:
    glad = "I am so happy today, and my dear friend is wonderful! " * 500
    calm = "The bus leaves at nine. " * 200
    check_growth(
        lambda text: present_mood(text, Mood()), "I am so happy today, and my dear friend is wonderful! "
    )
    assert present_mood(glad + calm, Mood()).felt == 0
    assert (present_mood(calm + glad, Mood()).felt or 0) > 0


# A conversation of several weeks


async def test_a_conversation_over_weeks(memory: Memory, bank: str) -> None:
    """What a person would expect to be put before them when the talk goes on."""
    talk = [
        (40, "user", "Please remember that my daughter Mira is allergic to peanuts."),
        (40, "assistant", "I will keep that in mind."),
        (39, "user", "ok thanks"),
        (25, "user", "I have decided to leave my job at the bank in spring."),
        (25, "assistant", "A big step."),
        (3, "user", "My mother had a stroke on Friday, I am terrified of losing her."),
        (3, "assistant", "I am so sorry."),
        (0, "user", "Could you tell me a joke?"),
        (0, "assistant", "Why did the goose cross the road?"),
    ]
    await memory.add_messages(
        bank,
        "c1",
        [
            NewMessage(role, content, occurred_at=NOW - timedelta(days=days, seconds=30), id=str(n))
            for n, (days, role, content) in enumerate(talk)
        ],
    )
    await settle(memory, bank)
    await memory.add_messages(bank, "c1", [NewMessage("user", "Mira has her birthday on Sunday.")])
    made = await context(memory, "What cake can I bake for Mira?", conversation_id="c1")
    text = {name: part for name, part in split(made.text).items() if name}
    assert list(text) == ["EMOTIONAL", "RECENT", "FACTS", "RELEVANT"]
    assert "Mira" in text["FACTS"]
    assert "stroke" in text["RECENT"], "important, and of the last seven days"
    assert "birthday on Sunday" in text["RECENT"], "just said, no memory yet"
    assert "joke" in text["RECENT"], "refused, but the thread of the talk"
    assert text["RECENT"].index("stroke") < text["RECENT"].index("joke") < text["RECENT"].index("birthday")
    assert "peanuts" in text["RELEVANT"].split("\n")[1], "the best match comes first"
    for said in ("stroke on Friday", "birthday"):
        assert made.text.count(said) == 1, "nothing twice"
    assert "allergic to peanuts" in text["FACTS"], "the fact, beside the memory that states it"
    assert made.text.count("peanuts") == 2, "once each"
    elsewhere = await context(memory, "What cake can I bake for Mira?", conversation_id="c2")
    assert "birthday on Sunday" not in elsewhere.text
    assert "peanuts" in elsewhere.text


def split(text: str) -> dict[str, str]:
    """The text of each section by its name."""
    parts: dict[str, str] = {}
    name = ""
    for row in text.split("\n"):
        if row.startswith("## "):
            name = row[3:]
        parts[name] = parts.get(name, "") + row + "\n"
    return parts


# What does not concern the message


LIFE = (
    "My kayak is nine years old.",
    "The roof of the shed leaks.",
    "Marta sings in the choir of the opera.",
)
TASKS = ("Convert 14 stone to kilograms.", "Write a haiku about spring.", "What is the capital of Mongolia?")
GREETING = "Good morning runs along the river are the best."


@pytest.mark.parametrize("message", TASKS)
async def test_a_message_that_concerns_nothing_known_gets_no_memories(
    memory: Memory, bank: str, message: str
) -> None:
    ids = {await remember(memory, text) for text in LIFE}
    await settle(memory, "anna")
    made = await context(memory, message, recent_tokens=0)
    assert made.sections == ()
    assert {one.reason for one in made.dropped if one.memory_id in ids} == {"below the cut-off of 0.06"}
    assert sections(await context(memory, message, recent_tokens=0, min_score=0))["RELEVANT"]


@pytest.mark.parametrize(
    "message", ["good morning", "Good morning! \N{THUMBS UP SIGN}", "ok good morning, thanks"]
)
async def test_small_talk_gets_no_memories(memory: Memory, bank: str, message: str) -> None:
    greeting = await remember(memory, GREETING)
    await settle(memory, "anna")
    made = await context(memory, message, recent_tokens=0)
    assert made.sections == ()
    assert {one.memory_id: one.reason for one in made.dropped} == {greeting: CHATTER}
    assert sections(await context(memory, message, recent_tokens=0, min_score=0))["RELEVANT"] == (greeting,)


async def test_small_talk_before_a_question_hides_nothing(memory: Memory, bank: str) -> None:
    ids = [await remember(memory, text) for text in LIFE]
    await settle(memory, "anna")
    made = await context(memory, "Good morning! How old is my kayak?", recent_tokens=0)
    assert sections(made)["RELEVANT"][0] == ids[0]


async def test_small_talk_leaves_vital_facts(memory: Memory, bank: str) -> None:
    await memory.add_messages("anna", "Tom", [NewMessage("user", "I'm allergic to peanuts.")])
    await memory.end_import("anna", ["Tom"])
    await settle(memory, "anna")
    assert "peanuts" in (await context(memory, "good morning", recent_tokens=0)).text
