"""Labels before fiction, prompts of shells and roles hide no statement of the writer's own."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from memory_service.rules.extractor import extract
from memory_service.rules.facts.attributes import canonical
from memory_service.rules.facts.statements import statements
from memory_service.rules.facts.user_text import plays_role
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
        "New chapter: I moved to Leith!", "verse\nI live in Leith",
        "Questions. First part: I moved to Leith", "Draft: done. I moved to Leith",
        "Next chapter: I moved to Leith", "The play starts: 8 pm. I live in Leith", "short story: i live in Leith",
        "I watched a play last night. Chorus: amazing. I live in Leith", "last bit - I live in Leith",
        "Draft: hello Tom.\n\nBy the way, I moved to Leith. I'm allergic to nuts", "Extract: fine. I live in Leith",
        "Draft: sent! I live in Leith", "My plan is done. Scene: I live in Leith",
        "First draft: finally done! I live in Leith",
        "Draft: submitted to the council. I live in Leith", "chorus: Tuesdays. I live in Leith",
        "Lyrics - love them. I live in Leith", "$ docker is hard\nI live in Leith",
        "Lyrics matter to me. I live in Leith", "I ran\n$ pip install flask\nand it failed. I live in Leith.",
        "$ go figure...\nI live in Leith", "% go up each year\nI live in Leith",
        "$ brew is my budget. ha\nI live in Leith",
        "$ less than last year\nI live in Leith", "$ git pull\nbut it failed. I live in Leith.",
        "$ pip install flask\nSuccessfully installed flask\nI live in Leith now. Help!",
        "C:\\Users\\tom is my folder.\nI live in Leith.",
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
        "I'm writing a poem. Draft: I live in Leith",
        "Title: Home\n\nVerse 1\nI live in Leith", "ok so draft 3 - I live in Leith",
        "Here it is. Scene 2: I live in Leith",
        "Here it is. CHAPTER: I live in Leith", "Next page of my novel: I live in Leith",
        "a story that starts with: I live in Leith", "DRAFT: I live in Leith.\n\nI am vegan. My name is Neil.",
        "(venv) $ python --version\nI use Python 3.9", "tom@mac ~ % node -v\nI use Node 18",
        "[root@box]# cat notes.txt\nI live in Leith", "[root@box ~]# cat notes.txt\nI live in Leith",
        "PS C:\\> git log\nI live in Leith", "PS C:\\Users\\tom> node -v\nI use Node 18",
        "(venv) tom@mac:~/x$ pip list\nI use Django 3.2", "$ make test\nI use pytest 8",
        "$ cat notes.txt\nThis is my note. I live in Leith.",
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


@pytest.mark.parametrize(
    ("before", "said", "plays"),
    [
        ("Pretend you are a senior engineer and review my code", "We use Postgres 16", False),
        ("why do you pretend to be a therapist?", "I live in Leith", False),
        ("Don't you pretend to be a doctor", "I live in Leith", False),
        ("My daughter: pretend to be a nurse is her favourite game", "I live in Leith", False),
        ("pretend to be my doctor please", "doctor, I live in Leith", True),
        ("Can you pretend to be a waiter?", "I'm allergic to fish", True),
        ("Pretend you're a waiter and I'm a customer", "I'm allergic to fish", True),
        ("let's role play", "ok stop. I live in Leith", False),
        ("let's role play", "ok stop, thanks. I'm allergic to nuts for real", False),
        ("let's role play", "stop it", False),
        ("let's role play", "please stop pretending", False),
        ("let's role play", "OOC: I live in Leith", False),
        ("let's role play", "no more role play", False),
        ("let's role play", "seriously now: I live in Leith", False),
        ("let's role play", "stop that man! I live in Leith", True),
        ("let's role play", "seriously? I'm Jax", True),
    ],
)
def test_a_role_begins_with_the_whole_message_and_ends_with_stop(before: str, said: str, plays: bool) -> None:
    assert plays_role([before], said) is plays


@pytest.mark.parametrize(
    ("first", "minutes", "read"),
    [
        ("pretend to be my doctor", 5, False),
        ("pretend to be my doctor", 45, True),
        ("let's role play", 45, False),
    ],
)
def test_a_role_without_a_part_of_the_speaker_lasts_half_an_hour(
    first: str, minutes: float, read: bool
) -> None:
    facts = extract(_segment((first, 0), ("I live in Leith and I'm allergic to nuts.", minutes))).facts
    assert any(fact.attribute == "lives_in" for fact in facts) is read


@pytest.mark.parametrize(
    "said",
    [
        "wife: upgraded to iPhone 15", "boss: upgraded to Windows 11", "sister: upgraded to Python 3.12",
        "friend: upgraded to Python 3.12", "todo: upgraded to Python 3.12", "changelog: upgraded to Python 3.12",
        "colleague: switched to Python 3.12", "customers: upgraded to Python 3.12",
    ],
)  # fmt: skip
def test_labels_of_others_state_nothing(said: str) -> None:
    assert list(statements(said, None)) == []


@pytest.mark.parametrize(
    ("said", "ends"),
    [
        ("today: I switched to Python 3.12", True),
        ("finally: upgraded to Python 3.12", True),
        ("anyway: upgraded to Python 3.12", True),
        ("correction: upgraded to Python 3.12", True),
        ("work: upgraded to Python 3.12", True),
        ("parcelbox: upgraded to Python 3.12", False),
    ],
)
def test_only_a_label_of_a_project_keeps_the_former_version(said: str, ends: bool) -> None:
    found = list(statements(said, None))
    assert ("python_version", "3.12") in {(form.attribute, form.value) for form in map(canonical, found)}
    assert any(not fact.holds for fact in found) is ends
