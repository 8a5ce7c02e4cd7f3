"""What a mood is about, whose words state it, and feelings that are over or of others."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import UUID

import pytest

from memory_service.rules.emotions.felt_words import felt_words
from memory_service.rules.emotions.mood_topic import mood_topic
from memory_service.rules.extractor import extract
from memory_service.types import Extraction, Segment, Utterance
from tests.growth import check_growth


def _extract(text: str) -> Extraction:
    said = Utterance(UUID(int=1), "user", text, None, datetime(2026, 5, 8, tzinfo=UTC))
    return extract(Segment(UUID(int=0), (said,)))


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("I'm so worried about my job interview on Friday.", "job interview"),
        ("My grandmother died last night.", "grandmother"),
        ("I'm so proud of my daughter Lena", "daughter Lena"),
        ("The exam makes me so nervous", "exam"),
        ("I had a terrible fight with my boss and I'm furious", "boss"),
        ("I was laid off today. I feel awful", "job loss"),
        ("I miss Rex so much", "Rex"),
        ("my knee is killing me tho", "knee"),
        ("We broke up.", "breakup"),
        ("I'm pregnant.", "pregnancy"),
        ("I'm so nervous. My exam is tomorrow.", "exam"),
        ("I'm so stressed about work", "work"),
        ("I'm so angry at my sister Anna for selling the house", "sister Anna"),
        ("I have an interview at Siemens on Friday and I'm really worried about it.", "interview"),
        ("my boss drives me crazy, i hate it", "boss"),
        ("tired of my boss's stupid attitude", "boss's attitude"),
    ],
)
def test_a_mood_is_about_what_its_sentence_names(text: str, topic: str) -> None:
    assert _extract(text).mood_topic == topic


@pytest.mark.parametrize(
    "text",
    [
        "i honestly feel so sad today", "I cried in my kitchen", "god i hate my life", "My heart is broken",
        "I'm afraid I can't come", "sorry the kitchen is a mess, i feel guilty", "I cried all night",
        "My sister Eva drives me to the interview at Siemens, I'm so nervous!", "I'm so tired of this",
        "I'm sad on Monday",
        "In my opinion this is awful and I hate it", "Why did the bot cross the road? haha lol",
    ],
)  # fmt: skip
def test_no_topic_is_better_than_an_odd_one(text: str) -> None:
    assert _extract(text).mood_topic is None


@pytest.mark.parametrize(
    "text",
    [
        'How would you say in German: "My mother died when I was six"?',
        '"I\'m pregnant," she told him and he stared at the wall.',
        "Here is chapter 3 of my novel: Anna was furious. She hated him and she screamed.",
        "commit 8a7f3e2d\nAuthor: Lindqvist\n\n    fix stupid bug, I hate this fucking parser",
        "Translate this email: I am so angry with you and I hate you.",
        "only one child cried",
        "i cried at the cathedral",
    ],
)
def test_words_of_others_make_no_mood(text: str) -> None:
    found = _extract(text)
    assert abs(found.valence) < 0.2
    assert found.emotions[0] == "neutral"


@pytest.mark.parametrize(
    ("text", "emotion"),
    [
        ("sunday dread is just gone. i noticed today", "relief"),
        ("the pain has finally gone away", "relief"),
        ("wife cried. we're off to Tenerife in feb to celebrate", "joy"),
        ("I dread Sundays", "fear"),
        ("the fear is back", "fear"),
        ("I cried at the funeral", "sadness"),
        ("She made me cry", "sadness"),
        ('I am furious, he said "no way" again', "anger"),
        ("I hate chapter 3: boring", "anger"),
    ],
)
def test_feelings_that_are_over_or_of_others(text: str, emotion: str) -> None:
    assert _extract(text).emotions[0] == emotion


def test_words_about_a_draft_stay() -> None:
    assert felt_words("I love it. Chapter 3: she left.").strip().endswith("Chapter 3:")


@pytest.mark.parametrize("piece", ["my ", "worried about ", "chapter ", "the fear is just ", "she was cry"])
def test_long_texts_take_linear_time(piece: str) -> None:
    check_growth(lambda text: (felt_words(text), mood_topic([text[:400]], [1.0])), piece)
