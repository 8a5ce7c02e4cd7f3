"""How the quality bench compares found facts with labelled ones."""

from __future__ import annotations

import pytest

from tests.bench.quality.facts import Found, Label, matches, words

PEOPLE = frozenset({"maren"})


def label(text: str, value: str, said: str, attribute: str = "other") -> Label:
    return Label("f1", "user", attribute, value, text, frozenset({"m1"}), False, None, (said,))


def found(text: str, attribute: str | None = None, value: str | None = None) -> Found:
    return Found("1", "user", attribute, value, text, frozenset({"m1"}), False)


def test_words_have_no_endings_ordinals_stop_words_or_kinship_slang() -> None:
    assert words("Her dad moves on the 14th") == words("his father moved 14")


def test_what_a_message_leaves_to_the_reader_is_not_wanted_of_a_fact() -> None:
    said = "Interview is on Thursday the 13th of February, I'm shaking."
    known = label(
        "The interview in Rotterdam is on Thursday 13 February 2025", "interview on 2025-02-13", said
    )
    told = found("The interview is at nine on Thursday the 13th of February, so user takes the early train.")
    assert matches(told, known, PEOPLE)
    assert not matches(found("user is shaking."), known, PEOPLE)


@pytest.mark.parametrize("text", ["user talked to Bram for long.", "user has a piano."])
def test_one_word_in_common_is_not_enough(text: str) -> None:
    known = label("Bram, a colleague, is allergic to latex", "latex", "Bram does not do latex, poor man")
    assert not matches(found(text), known, PEOPLE)
