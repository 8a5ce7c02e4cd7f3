"""What rules make of several episodes: their own sentences, whose they are and when, in few tokens."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from uuid import UUID

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_service.jobs.episode_groups import LEAST_KEPT, PIECE, ROOM, pieces, shortens
from memory_service.jobs.group_summary import LEAST_TOKENS, length_of, room_for, summarize
from memory_service.rules.summaries.summary import tokens
from memory_service.store.consolidation import Episode

DAY = datetime(2026, 5, 3, 9, tzinfo=UTC)


def episode(number: int, text: str, *, day: int = 0, represents: int = 1, axis: int = 0) -> Episode:
    at = DAY + timedelta(days=day, minutes=number)
    vector = np.zeros(768, dtype=np.float32)
    vector[axis] = 1
    return Episode(
        UUID(int=number), UUID(int=0), at, at, text, 0.5, represents, (), True, False, True, None, "rules", at,
        1, vector,
    )  # fmt: skip


def test_who_said_it_and_when() -> None:
    summary = summarize(
        [
            episode(1, "Ann (to Ben): I sold your boat. That's great! Ben: I moved to Oslo."),
            episode(2, 'Ann, asked by Ben "Where to?": Bergen.', day=2),
        ]
    )
    assert summary.text == (
        "3 May 2026: Ann (to Ben): I sold your boat. Ben: I moved to Oslo. "
        '5 May 2026: Ann, asked by Ben "Where to?": Bergen.'
    )
    assert summary.parts == (
        "Ann (to Ben): I sold your boat. Ben: I moved to Oslo.", 'Ann, asked by Ben "Where to?": Bergen.',
    )  # fmt: skip


@pytest.mark.parametrize("label", ['user, asked by the assistant "How is it?"', 'user, asked "How is it?"'])
def test_a_label_with_a_question_is_no_sentence(label: str) -> None:
    """Summaries of former versions do not name who asked."""
    summary = summarize([episode(1, f"I sold the boat. {label}: Fast."), episode(2, f"{label}: Fast.")])
    assert summary.text == f"I sold the boat. {label}: Fast. {label}: Fast."


def test_one_day_is_the_memorys_own_date() -> None:
    assert summarize([episode(1, "I sold the boat."), episode(2, "I moved to Oslo")]).text == (
        "I sold the boat. I moved to Oslo."
    )


def test_what_was_said_in_the_same_words_is_said_once_and_counted() -> None:
    summary = summarize([episode(n, "The pharmacy was closed.", day=n, represents=2) for n in (1, 2, 3)])
    assert summary.text == "4 May 2026: The pharmacy was closed. (6 times)"


def test_names_numbers_and_days_are_kept_before_other_words() -> None:
    talk = "Somehow it felt like a rather long and slow kind of afternoon with not much in it. "
    text = summarize(
        [
            episode(1, talk * 3 + "I met Marguerite Dubois in Lyon."),
            episode(2, talk * 3 + "My sister pays 740 euros for her flat."),
            episode(3, talk * 3 + "We decided to leave on Friday."),
        ]
    ).text
    for kept in ("Marguerite Dubois in Lyon", "740 euros", "on Friday"):
        assert kept in text


said = st.lists(
    st.sampled_from(
        ["I sold the boat.", "Ann: I met Ben in Lyon in 2019.", "Wow!", "Where?", "no end", "It was a long, long day.",
         "We keep " + "very " * 40 + "still.", "x" * 400, "Ann (to Ben): Your car is red. Ben: It is blue."]
    ),
    min_size=1,
    max_size=6,
).map(" ".join)  # fmt: skip


@settings(deadline=None)
@given(st.lists(said, min_size=3, max_size=12))
def test_short_and_nothing_that_was_not_said(texts: Sequence[str]) -> None:
    episodes = [episode(n, text, day=n % 4) for n, text in enumerate(texts)]
    summary = summarize(episodes)
    longest = max(tokens(sentence) for text in texts for sentence in re.split(r"(?<=[.!?])\s", text))
    counts = 5 * summary.text.count(" times)")
    assert tokens(summary.text) <= max(room_for(episodes), longest + 20) + counts + len(texts)
    spoken = {word for text in texts for word in re.findall(r"\w+", text)}
    for part in summary.parts:
        assert set(re.findall(r"\w+", part)) <= spoken
        assert part in summary.text


@given(st.lists(st.tuples(said, st.integers(0, 5)), max_size=40), st.booleans())
def test_pieces_hold_what_one_summary_has_room_for(told_of: Sequence[tuple[str, int]], whole: bool) -> None:
    episodes = [episode(n, text, axis=axis) for n, (text, axis) in enumerate(told_of)]
    found = pieces(episodes, whole=whole)
    ids = [one.memory_id for piece in found for one in piece]
    assert len(ids) == len(set(ids))
    for piece in found:
        assert 3 <= len(piece) <= PIECE
        length = sum(map(length_of, piece))
        assert length <= LEAST_TOKENS or len(piece) == 3 or length <= ROOM
    # Whatever is done already, the rest is cut as before: a night that is killed ends as an undisturbed one.
    for done in range(len(found)):
        gone = {one.memory_id for piece in found[:done] for one in piece}
        left = [one for one in episodes if one.memory_id not in gone]
        assert pieces(left, whole=whole) == found[done:]


def test_what_a_summary_would_not_shorten_stays() -> None:
    """A date for each day makes short sentences longer; small talk that is left out makes room for them."""
    bare = [episode(n, f"Tea number {n}.", day=n) for n in (1, 2, 3)]
    chatty = [episode(n, f"Tea number {n}. Thanks so much! See you later!", day=n) for n in (1, 2, 3)]
    assert not shortens(bare, 0.0)
    assert shortens(chatty, LEAST_KEPT)


def test_by_rules_only_what_is_kept_nearly_whole_is_compressed() -> None:
    talk = "Somehow the afternoon felt long, slow, grey, windy, noisy, crowded, tiring, dusty, hopeless and strange. "
    long = [
        episode(n, talk * 2 + f"I met Marguerite number {n} in Lyon, near bridge {n}.", day=n)
        for n in range(1, 9)
    ]
    long = [episode(n, one.content + f" Item{n} thing{n} stuff{n} matter{n} piece{n} was odd.", day=n)
            for n, one in enumerate(long, 1)]  # fmt: skip
    assert summarize(long).kept < LEAST_KEPT
    assert shortens(long, 0.0)
    assert not shortens(long, LEAST_KEPT)
