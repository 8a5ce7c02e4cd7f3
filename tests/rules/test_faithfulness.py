"""What speaks against a text that a model wrote of a source."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_service.rules.summaries.faithfulness import (
    Source,
    faults,
    language_of,
    names_something,
    supported,
)
from tests.growth import check_growth

PAIRS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parent / "summary_pairs.json").read_text(encoding="utf-8")
)
"""Messages with summaries of them: faithful ones in other words, and unfaithful ones."""
DAY = date(2026, 3, 14)


def source_of(pair: dict[str, Any]) -> Source:
    said = [line.split(": ", 1) for line in pair["said"]]
    names = frozenset(name for name, _ in said) - {"user", "assistant"}
    return Source([(text, date.fromisoformat(pair["date"])) for _, text in said], names)


def source(*texts: str, names: Sequence[str] = ()) -> Source:
    return Source([(text, DAY) for text in texts], frozenset(names))


def kinds(text: str, of: Source) -> list[str]:
    return [fault.kind for fault in faults(text, of)]


def test_a_paraphrase_passes() -> None:
    good = [(summary, source_of(pair)) for pair in PAIRS for summary in pair["good"]]
    refused = [summary for summary, of in good if faults(summary, of)]
    assert len(good) >= 30
    assert len(refused) <= 0.05 * len(good), refused


def test_what_the_source_does_not_say_is_caught() -> None:
    bad = [(summary, source_of(pair)) for pair in PAIRS for summary in pair["bad"]]
    missed = [summary for summary, of in bad if not faults(summary, of)]
    assert len(bad) >= 30
    assert len(missed) <= 0.1 * len(bad), missed


def test_what_was_said_may_be_repeated() -> None:
    for pair in PAIRS:
        of = source_of(pair)
        assert faults(" ".join(line.split(": ", 1)[1] for line in pair["said"]), of) == []


@pytest.mark.parametrize(
    ("summary", "kind"),
    [
        ("Ripe bananas, mangoes, papayas, kiwis.", "words"),
        ("The user moved into a flat by the river. " * 90, "long"),
        ("The user moved into a flat by the river with 3 cats.", "numbers"),
        ("The user moved into a flat by the river with Walter.", "names"),
        ("The user did not move into a flat by the river.", "negation"),
        ("The user moved into a flat by the river on 2 August 2019.", "dates"),
        ("Der Nutzer ist in eine Wohnung gezogen, die am Fluss ist.", "language"),
        ("Пользователь переехал в квартиру у реки.", "language"),
        ("…", "empty"),
    ],
)
def test_each_kind_of_fault(summary: str, kind: str) -> None:
    of = source("I moved into a flat by the river yesterday, and the neighbours are really nice to us.")
    assert kind in kinds(summary, of)


def test_next_to_nothing_is_too_little_for_a_long_text() -> None:
    of = source(*(line.split(": ", 1)[1] for pair in PAIRS[:6] for line in pair["said"]), "I work nights.")
    assert kinds("The user works nights.", of) == ["short"]


@pytest.mark.parametrize(
    ("said", "summary"),
    [
        ("I start on Monday.", "The user starts on Monday, 16 March 2026."),
        ("We met yesterday at 3pm.", "They met on 13 March 2026 at 15:00."),
        ("It costs 12k, or 12.500 with tax.", "It costs 12,000, or 12,500 including tax."),
        ("Moving in three weeks!", "The user will move on 4 April 2026."),
        ("I turned twenty-five in May.", "The user turned 25 in May 2025."),
        ("Dad has an appointment tomorrow.", "The user's father has an appointment on 15 March 2026."),
        ("We live in New York City.", "The user lives in NYC."),
    ],
)
def test_what_follows_from_the_source_passes(said: str, summary: str) -> None:
    assert faults(summary, source(said)) == []


def test_a_name_may_come_from_who_speaks_or_from_before() -> None:
    assert kinds("Ada told Ben that she sold the boat.", source("I sold the boat.")) == ["names"]
    before = Source([("I sold the boat.", DAY)], frozenset({"Ada"}), [("Hi, I'm Ben.", DAY)])
    assert faults("Ada told Ben that she sold the boat.", before) == []


def test_facts_and_names_rest_on_their_source() -> None:
    of = source("I work as a nurse in Graz, with Marta.")
    assert supported("The user works as a nurse in Graz. nurse", of)
    assert not supported("The user works as a nurse in Vienna.", of)
    assert not supported("The user owns 4 horses.", of)
    assert not supported("The user adores opera.", of)
    assert names_something("Marta", of)
    assert not names_something("Marta Ruiz", of)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("I have been to the sea with my sister and it was great.", "en"),
        ("Ich war mit meiner Schwester am Meer und es war sehr schön.", "de"),
        ("He estado en el mar con mi hermana y fue muy bonito.", "es"),
        ("Je suis allée à la mer avec ma sœur et c'était très beau.", "fr"),
        ("Sono stato al mare con mia sorella ed era molto bello.", "it"),
        ("Graz", None),
    ],
)
def test_the_language_of_a_text(text: str, language: str | None) -> None:
    assert language_of(text) == language


@given(st.text(max_size=200), st.lists(st.text(max_size=200), max_size=3))
def test_any_text_is_judged(text: str, said: list[str]) -> None:
    for fault in faults(text, source(*said)):
        assert fault.shown


@pytest.mark.parametrize("piece", ["a", "1", "1,", "a1", "a-", "A'", "1 ", "twenty "])
def test_long_runs_cost_linear_time(piece: str) -> None:
    """Of a summary, which a model may repeat itself in, and of a source, which anybody may write."""
    check_growth(lambda text: faults(text, source("Anna has 3 cats.")), piece, 4_000)
    check_growth(lambda text: faults("Anna has 3 cats.", source(text)), piece, 4_000)
