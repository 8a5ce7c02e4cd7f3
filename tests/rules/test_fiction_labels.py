"""Labels before fiction, prompts of shells and roles hide no statement of the writer's own."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from memory_service.rules.facts.attributes import canonical
from memory_service.rules.facts.statements import statements
from memory_service.rules.norms.norms import norms_of
from memory_service.types import Segment, Utterance

_START = datetime(2026, 11, 1, 12, tzinfo=UTC)
_LEITH = ("lives_in", "leith")


def _found(said: str) -> set[tuple[str | None, str | None]]:
    return {(form.attribute, form.value) for form in map(canonical, statements(said, None))}


def _segment(*said: tuple[str, float]) -> Segment:
    turns = (
        Utterance(uuid4(), "user", text, None, _START + timedelta(minutes=minute)) for text, minute in said
    )
    return Segment(uuid4(), tuple(turns))


@pytest.mark.parametrize(
    "said",
    [
        "New chapter: I moved to Leith!", "Questions. First part: I moved to Leith", "Draft: done. I moved to Leith",
        "Next chapter: I moved to Leith", "The play starts: 8 pm. I live in Leith", "short story: i live in Leith",
        "I watched a play last night. Chorus: amazing. I live in Leith", "last bit - I live in Leith",
        "Draft: hello Tom.\n\nBy the way, I moved to Leith. I'm allergic to nuts", "Extract: fine. I live in Leith",
        "Draft: sent! I live in Leith", "My plan is done. Scene: I live in Leith",
        "First draft: finally done! I live in Leith",
        "Draft: submitted to the council. I live in Leith", "chorus: Tuesdays. I live in Leith",
        "Lyrics - love them. I live in Leith",
        "Lyrics matter to me. I live in Leith",
    ],
)  # fmt: skip
def test_what_only_resembles_fiction_or_a_command_is_read(said: str) -> None:
    assert _LEITH in _found(said)


@pytest.mark.parametrize(
    ("said", "attribute", "value"),
    [
        ("A new chapter: I'm pregnant", "is", "pregnant"),
        ("Last chapter: I divorced Tom in May. I'm single now.", "relationship_status", "single"),
        ("Exam on Friday. Last part: oral. I'm a nurse at Aldi.", "works_as", "nurse"),
        ("Extract: fine. Nuts: I'm allergic to nuts", "allergic_to", "nuts"),
        ("Draft: hello Tom.\n\nBy the way, I moved to Leith. I'm allergic to nuts", "allergic_to", "nuts"),
    ],
)
def test_other_statements_behind_such_labels(said: str, attribute: str, value: str) -> None:
    assert (attribute, value) in _found(said)


@pytest.mark.parametrize(
    "said",
    [
        "DRAFT: I was born in Brittany. I live in Leith.", "DRAFT\nI live in Leith.", "lyrics so far: I live in Leith",
        "DRAFT: I'm divorced, I live in Leith above a chip shop and my cat is called Bo.",
        "DRAFT: My name is Neil and I don't want to be helped.", "song lyrics: I live in Leith",
        "Narrator: I live in Leith", "haiku: I live in Leith", "Chapter 3: I live in Leith",
        "I'm writing a poem. Draft: I live in Leith", "Here it is. Scene 2: I live in Leith",
        "Here it is. CHAPTER: I live in Leith", "Next page of my novel: I live in Leith",
        "a story that starts with: I live in Leith", "DRAFT: I live in Leith.\n\nI am vegan. My name is Neil.",
    ],
)  # fmt: skip
def test_fiction_and_output_state_nothing(said: str) -> None:
    assert _found(said) == set()
    assert norms_of(_segment((said, 0))) == ()


@pytest.mark.parametrize(
    ("said", "norm"),
    [
        ("draft: always keep it short", "keep it short"),
        ("DRAFT: I was born there.\n\nPlease always answer in German from now on.", "answer in German"),
        ("new chapter: don't call me Tom", "not to call the user Tom"),
        ("New chapter: I don't want to talk about my ex.", "the user's ex"),
    ],
)
def test_an_order_by_a_label_is_a_norm(said: str, norm: str) -> None:
    assert any(norm in found.norm for found in norms_of(_segment((said, 0))))
