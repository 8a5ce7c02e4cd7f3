"""What fills a context: memories by score and length, nothing said twice, nothing that the message does not need."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from memory_service.memory import Memory
from memory_service.recall.context import answers, held_by, norm_lines
from memory_service.recall.line_order import LONG_LINE, by_worth, says_no_more
from memory_service.recall.norm_view import NOTHING, person_view, touches
from memory_service.recall.token_budget import LAST
from memory_service.requests import NewMessage
from memory_service.rules.summaries.assistant_reply import content_words
from memory_service.store.context_entries import PersonEntry
from memory_service.types import Candidate
from tests.conftest import settle

START = datetime(2026, 3, 1, 9, tzinfo=UTC)


def test_a_long_line_must_be_worth_its_length() -> None:
    short, long = "x" * (LONG_LINE // 4), "x" * (4 * LONG_LINE)
    assert by_worth([0.9, 0.5], [long, short]) == [1, 0]
    assert by_worth([0.9, 0.4], [long, short]) == [0, 1]
    assert by_worth([0.51, 0.5], ["x" * LONG_LINE, short]) == [0, 1], "up to LONG_LINE the score alone counts"
    assert by_worth([0.5, 0.5, 0.5], [short, short, short]) == [0, 1, 2], "equal ones keep their order"


@pytest.mark.parametrize(
    ("text", "than", "same"),
    [
        ("Always use metric units.", "user wants the assistant always to use metric units", True),
        ("No emoji, and never push to main.", "user wants no emoji", False),
        ("I took two days off in July, how do I avoid burnout?", "user wants to avoid burnout", False),
        ("And so it is.", "anything", False),
    ],
)
def test_a_text_says_no_more_than_another(text: str, than: str, same: bool) -> None:
    assert says_no_more(text, than) is same


def candidate(figures: Mapping[str, float], *, from_reply: bool = False) -> Candidate:
    return Candidate(
        UUID(int=1), "episodic", "Which bulbs?", START, 0.5, 0.5, None, (), (), (), {}, "user", 0.5, figures,
        reply="Tulips.", from_reply=from_reply,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("figures", "from_reply", "shown"),
    [
        ({"cosine": 0.3, "reply": 0.6}, True, True),
        ({"cosine": 0.55, "reply": 0.6}, True, False),
        ({"cosine": 0.3, "reply": 0.6}, False, False),
        ({"cosine": 0.0, "reply": 0.0}, True, True),
    ],
)
def test_a_reply_is_shown_where_it_matches_clearly_better(
    figures: Mapping[str, float], from_reply: bool, shown: bool
) -> None:
    assert answers(candidate(figures, from_reply=from_reply)) is shown


def test_an_episode_is_held_by_a_norm_and_by_a_fact() -> None:
    """Whichever of the two is printed: a norm that was offered may have found no room."""
    told = candidate({})._replace(content="I avoid street food.")
    stated = PersonEntry("norm", UUID(int=2), "I avoid street food.", "", 0.4, START, {"kind": "preference"})
    view = replace(NOTHING, stated={told.memory_id: [stated]})
    facts = [(UUID(int=3), frozenset(content_words("user avoids street food.")))]
    assert held_by(told, facts, view) == {UUID(int=2), UUID(int=3)}
    assert held_by(told._replace(unconfirmed=True), facts, view) == frozenset()


def norm(number: int, cosine: float, kind: str = "preference") -> PersonEntry:
    detail = {"kind": kind, "slot": f"{number}", "pinned": False, "level": None}
    return PersonEntry("norm", UUID(int=number), f"I avoid dish {number}.", "", cosine, START, detail)


def test_norms_beyond_the_best_one_compete_by_their_cosine() -> None:
    entries = [norm(1, 0.4), norm(2, 0.6), norm(3, 0.1), norm(4, 0.0, "instruction")]
    view = person_view(entries, "What shall we eat?", 700, None)
    assert [line.memory_id.int for line in view.norms] == [2, 4, 1], (
        "the best, a general one, the others that fit"
    )
    assert [line.share for line in view.norms] == [1.0, 1.0, 0.0]
    kept = [candidate({"cosine": cosine}) for cosine in (0.7, 0.5, 0.3)]
    assert [line.rank for line in norm_lines(view, kept)] == [1.0, LAST, 2.0]


async def told(memory: Memory, *texts: str) -> None:
    messages: list[NewMessage] = []
    for n, text in enumerate(texts):
        at = START + timedelta(hours=n)
        messages += [
            NewMessage("user", text, occurred_at=at),
            NewMessage("assistant", "I see.", occurred_at=at + timedelta(seconds=20)),
        ]
    await memory.add_messages("anna", "c1", messages)
    await settle(memory, "anna")


async def asked(memory: Memory, message: str, knowledge_tokens: int) -> dict[str, list[str]]:
    """The lines of a context by section."""
    made = await memory.context(
        "anna",
        message,
        recent_tokens=0,
        knowledge_tokens=knowledge_tokens,
        as_of=START + timedelta(days=60),
    )
    found: dict[str, list[str]] = {}
    for row in made.text.split("\n"):
        if row.startswith("## "):
            found[row[3:]] = []
        elif row.startswith("- "):
            found[list(found)[-1]].append(row)
    return found


async def test_an_episode_that_says_more_than_its_norm_is_printed(memory: Memory) -> None:
    """Both state a norm. One says no more than it, and gives way to other memories; the other names a day."""
    await memory.create_bank("anna", {"merge_duplicates": False})
    await told(
        memory,
        "Always answer in metric units.",
        "I avoid street food. Rodrigo fell ill at the wedding in Puebla, with half of the guests.",
        *(
            f"I bought {n} metres of blue cloth for the curtains of the kitchen in Lund."
            for n in range(3, 30)
        ),
    )
    question = "In which metric units do I measure cloth, and was there street food in Lund or Puebla?"
    shown = await asked(memory, question, 250)
    assert any("metric units" in row for row in shown["RELATIONAL"])
    assert not any("metric units" in row for row in shown["RELEVANT"])
    assert any("Puebla" in row for row in shown["RELEVANT"])


async def test_a_message_about_other_matters_pays_for_few_norms(memory: Memory) -> None:
    await memory.create_bank("anna", {"merge_duplicates": False})
    dishes = ("street food", "fried rice", "goat cheese", "raw fish", "sweet wine", "cold soup", "black tea")
    await told(
        memory,
        *(f"I avoid {dish} due to hygiene concerns." for dish in dishes),
        *(f"Tom saw {n} grey geese at the lake near Lund." for n in range(3, 40)),
    )
    for tokens in (250, 700):
        geese = await asked(memory, "Which geese did Tom see at the lake?", tokens)
        assert len(geese["RELATIONAL"]) <= 2
        food = await asked(memory, "May I eat fried rice or goat cheese at the market?", tokens)
        assert {dish for dish in ("fried rice", "goat cheese") if dish in str(food["RELATIONAL"])} == {
            "fried rice",
            "goat cheese",
        }


async def test_an_episode_that_says_only_what_a_printed_fact_says_is_left_out(memory: Memory) -> None:
    await memory.create_bank("anna", {"merge_duplicates": False})
    await told(
        memory,
        "I'm allergic to peanuts.",
        "I'm allergic to peanuts, I found out in Lund when I was nine and ate a satay.",
    )
    shown = await asked(memory, "Am I allergic to anything, peanuts for example?", 700)
    assert len([row for row in shown["FACTS"] if "peanuts" in row]) == 1
    (row,) = [row for row in shown["RELEVANT"] if "peanuts" in row]
    assert "satay" in row, "the other episode says no more than the fact"


async def test_an_episode_is_printed_where_its_fact_is_not(memory: Memory) -> None:
    await memory.create_bank("anna", {"merge_duplicates": False})
    await told(memory, "I'm allergic to peanuts.")
    (fact,) = (await memory.list_facts("anna")).items
    await memory.retract_fact("anna", fact.memory_id, actor="anna")
    shown = await asked(memory, "Am I allergic to anything, peanuts for example?", 700)
    assert "FACTS" not in shown
    assert any("peanuts" in row for row in shown["RELEVANT"])


def test_sensitive_topics_are_held_back_from_a_level() -> None:
    def sensitive(number: int, topic: str, level: float) -> PersonEntry:
        detail = {"kind": "sensitivity", "slot": topic, "level": level, "pinned": False}
        return PersonEntry("norm", UUID(int=number), f"sensitive about {topic}", "", 0.0, START, detail)

    entries = [sensitive(1, "divorce", 1.0), sensitive(2, "wedding", 0.7), sensitive(3, "debts", 0.69)]
    assert person_view(entries, "Where is the museum?", 700, None).held_back == ["divorce", "wedding"]


async def test_a_loss_that_is_not_to_be_brought_up_is_shown_only_if_the_message_raises_it(
    memory: Memory,
) -> None:
    await memory.create_bank("anna", {"merge_duplicates": False})
    await told(memory, "My dad died in February.", "Please don't bring up my dad.")
    quiet = await asked(memory, "What should I bake for the weekend?", 700)
    assert "father" not in str(quiet), quiet
    raised = await asked(memory, "My dad loved plum cake.", 700)
    assert any("father died" in row for row in raised["FACTS"])
    assert any("dad" in row for row in raised["RELATIONAL"])


async def test_an_allergy_that_is_not_to_be_brought_up_is_shown_with_the_warning(memory: Memory) -> None:
    await memory.create_bank("anna", {"merge_duplicates": False})
    await told(memory, "I'm allergic to hazelnuts.", "Please don't bring up my hazelnut allergy.")
    shown = await asked(memory, "What should I bake for the weekend?", 700)
    assert any("hazelnuts" in row for row in shown["FACTS"])
    assert any("hazelnut" in row for row in shown["RELATIONAL"])


def test_parents_have_one_name_in_sensitive_topics() -> None:
    assert touches("user's mother moved to Lund", "topic: mum")
    assert touches("Mum called", "topic: mother")
    assert not touches("user's father moved to Lund", "topic: mum")
