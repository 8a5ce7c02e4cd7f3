"""Summaries by rules: sentences kept and left out, and no words that the source does not have."""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet
from datetime import UTC, datetime
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_service.models.token_counter import token_counter
from memory_service.rules.summaries import summary
from memory_service.rules.summaries.summary import (
    MOST_TOKENS,
    Sentence,
    best_within,
    spoken,
    summarize,
    tokens,
)
from memory_service.types import Segment, Utterance

_WHEN = datetime(2023, 5, 8, 12, tzinfo=UTC)  # a Monday
_FILLER = "The weather was grey and there was nothing much on television or on the radio. " * 20


def _said(*turns: tuple[str | None, str]) -> Segment:
    return Segment(
        UUID(int=0),
        tuple(Utterance(UUID(int=n), "user", text, name, _WHEN) for n, (name, text) in enumerate(turns, 1)),
    )


def test_you_and_i_are_named() -> None:
    segment = _said(("Ann", "I painted your boat."), ("Ben", "I sold my car."))
    assert summarize(segment) == "Ann (to Ben): I painted your boat. Ben: I sold my car."


def test_a_standing_instruction_asked_as_a_question_is_told() -> None:
    segment = _said((None, "Can you keep your answers short? I hate long walls of text. Can you cook rice?"))
    assert summarize(segment) == "Can you keep your answers short? I hate long walls of text."


def test_a_summary_is_read_as_it_was_written() -> None:
    segment = _said(
        ("Ann", "I painted your boat. Note: it is still wet."), ("Ben Otto", "I sold it."), ("Ann", "To whom?"),
        ("Ben Otto", "Dana."),
    )  # fmt: skip
    assert spoken(summarize(segment))[:3] == [
        Sentence("Ann (to Ben Otto)", "I painted your boat."), Sentence("Note", "it is still wet."),
        Sentence("Ben Otto", "I sold it."),
    ]  # fmt: skip
    assert spoken("At 9:30 she left. she said: no. Nobody knew.")[1] == Sentence(None, "she said: no.")


def test_whom_you_means_is_not_guessed() -> None:
    three = _said(("Ann", "I painted your boat."), ("Ben", "I sold my car."), ("Cem", "I was away."))
    assert summarize(three).startswith("Ann: I painted")
    assert summarize(_said((None, "I painted your boat."))) == "I painted your boat."


def test_what_fits_is_kept_whole_without_small_talk() -> None:
    segment = _said(
        ("Ann", "Hi Ben! I moved to 12 Mill Road on 3 March. I do not eat fish."),
        ("Ben", "Wow, cool! I'll bring you the 4 chairs tomorrow."),
    )
    assert summarize(segment) == (
        "Ann: I moved to 12 Mill Road on 3 March. I do not eat fish. "
        "Ben (to Ann): I'll bring you the 4 chairs tomorrow [9 May 2023]."
    )


def test_a_question_is_kept_for_its_name_or_number_only() -> None:
    assert "Oslo" in summarize(
        _said(("Ann", "Were you in Oslo with Dana?"), ("Ben", "I was there for the first time."))
    )
    assert summarize(_said(("Ann", "I like pottery. Do you like it?"))) == "Ann: I like pottery."


@pytest.mark.parametrize(
    "told",
    [
        "I met Marguerite Dubois in Lyon.",
        "It costs 740 euros.",
        "We finally decided to sell it.",
        "It was last Friday.",
    ],
)
def test_in_a_long_text_names_numbers_days_and_decisions_go_first(told: str) -> None:
    assert told.rstrip(".") in summarize(_said(("Ann", f"{_FILLER}{told} {_FILLER}"))).replace(
        " [5 May 2023]", ""
    )


def test_a_detail_told_once_leaves_room_for_the_others() -> None:
    roads = "river harbour market station bridge tower school church mill lake wall gate".split()  # noqa: SIM905
    again = "".join(
        f"There was a lot of wind in Lyon that day, near the {r} and the road, as Marc said. " for r in roads
    )
    plain = "There was a lot of wind that day, on the road and by the river, as he said again, in Nice. "
    assert "Nice" in summarize(_said(("Ann", again + plain)))


def test_what_one_person_says_twice_is_said_once() -> None:
    assert summarize(_said(("Ann", "I sold the boat. I sold the boat."))) == "Ann: I sold the boat."


def test_a_long_snippet_gives_100_to_150_tokens() -> None:
    turns = [
        (
            name,
            f"I walked to the harbour with {friend} and we watched {number} boats come in. It was calm and warm there.",
        )
        for number, (name, friend) in enumerate([("Ann", "Ida"), ("Ben", "Olaf"), ("Ann", "Uwe")] * 2, 12)
    ]
    assert 100 <= token_counter("wordpiece")(summarize(_said(*turns))) <= MOST_TOKENS


def test_a_sentence_without_end_is_taken_clause_by_clause() -> None:
    endless = ", and ".join(
        f"we walked along the river for hour number {n} and nothing much was there" for n in range(30)
    )
    summary = summarize(_said(("Ann", f"{endless}, and then I met Marguerite Dubois.")))
    assert "Marguerite Dubois" in summary
    assert tokens(summary) <= MOST_TOKENS


def test_an_answer_among_others_carries_its_question() -> None:
    segment = _said(("Ben", "I baked a cake. What is your cat called?"), ("Ann", "Minka."))
    assert summarize(segment) == (
        'Ben (to Ann): I baked a cake. What is your cat called? Ann, asked by Ben "What is your cat called?": Minka.'
    ) or summarize(segment) == ('Ben: I baked a cake. Ann, asked by Ben "What is your cat called?": Minka.')


_WORDS = st.sampled_from(
    "I you met sold never Anna Rome 17 tomorrow yesterday the boat because , . ? ! Hello thanks will decide".split()  # noqa: SIM905
)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.lists(_WORDS, max_size=60).map(" ".join), min_size=1, max_size=6))
def test_nothing_is_made_up_and_the_budget_holds(texts: list[str]) -> None:
    segment = _said(*((("Ann", "Ben")[n % 2], text) for n, text in enumerate(texts)))
    summary = summarize(segment)
    plain = re.sub(r"\[\d+ May 2023\]", " ", summary)
    known = set(re.findall(r"\w+", " ".join(texts))) | {"Ann", "Ben", "to", "asked", "by"}
    assert set(re.findall(r"\w+", plain)) <= known
    assert tokens(summary) <= MOST_TOKENS + 20
    assert summary == summarize(segment)


_BAG = st.sampled_from(
    [
        "I met Ann in 2019.",
        "We decided to go.",
        "Ben never eats fish.",
        "It cost 40 euros.",
        "Oslo, Rome, Paris.",
        "no",
    ]
)


@given(st.lists(_BAG, min_size=1, max_size=30), st.integers(1, 80))
def test_what_tells_most_is_what_each_time_adds_most(texts: list[str], most: int) -> None:
    lines = [Sentence(None, text) for text in texts]
    chosen = best_within(lines, most)
    assert chosen == sorted(set(chosen))
    assert len(chosen) == 1 or sum(lines[n].tokens for n in chosen) <= most
    left_out = [n for n in range(len(lines)) if n not in chosen]
    for n in left_out:  # of the same words the first come first
        assert all(m < n for m in chosen if texts[m] == texts[n])
    room = most - sum(lines[n].tokens for n in chosen)
    assert all(lines[n].tokens > room for n in left_out)


def test_of_very_many_sentences_few_are_weighed_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    counted = 0

    class Details(frozenset[str]):
        def __sub__(self, other: AbstractSet[object]) -> frozenset[str]:
            nonlocal counted
            counted += 1
            return super().__sub__(other)

    def details(said: str) -> Details:
        return Details(re.findall(r"[A-Z]\w+", said))

    monkeypatch.setattr(summary, "details_in", details)
    lines = [Sentence(None, f"I met A{n} in Oslo.") for n in range(1000)]
    assert len(best_within(lines, 80)) > 5
    assert counted < 5 * len(lines)
