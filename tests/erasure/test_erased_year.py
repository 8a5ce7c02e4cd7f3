"""A year of chat of which some conversations are erased equals a year in which they were never held."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

import pytest

from memory_service import Memory
from tests.conftest import Admin, settle
from tests.erasure.year import Talk, import_year, rows_of_year, year


async def check_equal(memory: Memory, admin: Admin, talks: Mapping[str, Talk], erased: Sequence[str]) -> None:
    """A bank of which conversations are erased, one after the other, equals one that never had them."""
    shown = await import_year(memory, admin, "whole", talks)
    before = rows_of_year(admin, "whole")
    for talk in erased:
        await memory.erase("whole", conversation_id=talk)
    await settle(memory, "whole")
    await import_year(memory, admin, "never", talks, erased, shown)
    after, never = rows_of_year(admin, "whole"), rows_of_year(admin, "never")
    for kind, rows in never.items():
        assert after[kind] == rows, kind
    assert before["facts"] != after["facts"]


@pytest.mark.parametrize("seed", [8])
async def test_what_is_left_equals_an_import_without_the_rest(
    memory: Memory, admin: Admin, seed: int
) -> None:
    talks = year(seed)
    await check_equal(memory, admin, talks, random.Random(seed).sample(sorted(talks), 12))


def said(text: str) -> Talk:
    return Talk([text])


def replied(text: str) -> Talk:
    """A reply to a question about sushi, after a context that showed the doubtful facts about it."""
    return Talk(["I run every morning."], "sushi", text)


DECISIONS: dict[str, tuple[list[Talk], list[str]]] = {
    "a fact that was valid only by an erased statement": (
        [said("I hate sushi."), said("I love sushi."), replied("I hate {}."), said("I love sushi."),
         replied("I love {}.")], ["3"],
    ),
    "a fact that lost twice, and whose first statement is erased": (
        [said("I hate sushi."), said("I love sushi."), replied("No, I don't."), said("I love sushi."),
         said("I hate sushi."), replied("No, I don't.")], ["4", "1"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", DECISIONS)
async def test_decisions_stay_where_both_facts_were_valid(memory: Memory, admin: Admin, case: str) -> None:
    talks, erased = DECISIONS[case]
    await check_equal(memory, admin, {str(n): talk for n, talk in enumerate(talks)}, erased)
