"""Long texts cost the rules in proportion to their length."""

from __future__ import annotations

import time
from collections.abc import Callable
from inspect import unwrap

import pytest

from memory_service.rules.facts.clauses import clauses
from memory_service.rules.facts.user_text import own_words
from memory_service.rules.facts.value_limits import without_ending
from memory_service.rules.gate import forgetting
from memory_service.rules.norms.norms import norms_in
from memory_service.rules.norms.preferences import matter_of
from memory_service.rules.norms.slots import slot_of
from memory_service.types import CandidateNorm

LENGTH = 20_000
LONGER = 4


def seconds(run: Callable[[str], object], text: str) -> float:
    taken: list[float] = []
    for _ in range(3):
        started = time.process_time()
        run(text)
        taken.append(time.process_time() - started)
    return max(min(taken), 0.0005)


def ratio(run: Callable[[str], object], texts: tuple[str, str]) -> float:
    once, longer = (seconds(run, text) for text in texts)
    print(f"{texts[0][:40]!r}: {once * 1e3:.1f} ms, {longer * 1e3:.1f} ms, ratio {longer / once:.1f}")
    return longer / once


@pytest.mark.parametrize("unit", [".", ";", "(", "- ", " of the", "a "])
def test_clauses_take_time_in_proportion(unit: str) -> None:
    texts = [f"I live in Leeds {unit * (length // len(unit))} x" for length in (LENGTH, LONGER * LENGTH)]
    assert ratio(unwrap(clauses), (texts[0], texts[1])) < 2.5 * LONGER


@pytest.mark.parametrize(
    "unit", ["A: x ", "\n", "please ", "my friend wrote ", "write ", "message from ", "the ", "# a\n"]
)
def test_own_words_take_time_in_proportion(unit: str) -> None:
    texts = [f"I live in Leeds. {unit * (length // len(unit))} x" for length in (LENGTH, LONGER * LENGTH)]
    assert ratio(own_words, (texts[0], texts[1])) < 2.5 * LONGER


@pytest.mark.parametrize("unit", ["\n", " ", "please ", "don't save this ", "so, ", "off the record "])
def test_requests_not_to_store_take_time_in_proportion(unit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forgetting, "_LONGEST", LONGER * LENGTH + 20)
    texts = [f"don't{unit * (length // len(unit))}x" for length in (LENGTH, LONGER * LENGTH)]
    assert ratio(forgetting.is_not_to_be_stored, (texts[0], texts[1])) < 2.5 * LONGER


@pytest.mark.parametrize("unit", [" right", " of the", " "])
def test_the_ends_of_values_take_time_in_proportion(unit: str) -> None:
    texts = [f"Leeds{unit * (length // len(unit))}" for length in (LENGTH, LONGER * LENGTH)]
    assert ratio(without_ending, (texts[0], texts[1])) < 2.5 * LONGER


@pytest.mark.parametrize(
    "unit", [" no", " less formal", " answer in", " so", ", not", "no, ", " again", ", said my", "ok "]
)
def test_norms_take_time_in_proportion(unit: str) -> None:
    def norms(text: str) -> list[CandidateNorm]:
        return list(norms_in(text, "user"))

    for run in (slot_of, matter_of, norms):
        for start in ("I like", "", "You may talk about", "Answer me", "When I paste"):
            texts = [f"{start}{unit * (length // len(unit))} x" for length in (LENGTH, LONGER * LENGTH)]
            assert ratio(run, (texts[0], texts[1])) < 2.5 * LONGER
