"""A year of chat of which some conversations are erased equals a year in which they were never held."""

from __future__ import annotations

import random

import pytest

from memory_service import Memory
from tests.conftest import Admin, settle
from tests.erasure.year import import_year, rows_of_year, year


@pytest.mark.parametrize("seed", [1])
async def test_what_is_left_equals_an_import_without_the_rest(
    memory: Memory, admin: Admin, seed: int
) -> None:
    talks = year(seed)
    without_reply = sorted(name for name, talk in talks.items() if talk.taste is None)
    erased = random.Random(seed).sample(without_reply, 12)
    await import_year(memory, admin, "whole", talks)
    before = rows_of_year(admin, "whole")
    for talk in erased:
        await memory.erase("whole", conversation_id=talk)
    await settle(memory, "whole")
    await import_year(memory, admin, "never", talks, erased)
    after, never = rows_of_year(admin, "whole"), rows_of_year(admin, "never")
    for kind, rows in never.items():
        assert after[kind] == rows, kind
    assert before["facts"] != after["facts"]
