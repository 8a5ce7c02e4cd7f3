"""Conflicts that a reply settled, and an erasure of what they rest on."""

from __future__ import annotations

import pytest

from memory_service import Memory
from tests.conftest import Admin, settle
from tests.erasure.year import Talk, import_year, rows_of_year

LOVES, HATES = Talk(["I love hiking."]), Talk(["I hate hiking."])
YES = Talk(["I live in Porto."], "hiking", "Yes, I do.")
AGAIN = Talk(["I am a nurse."], "hiking", "I hate hiking.")
YEARS = {
    "newer is right": {"loved": LOVES, "hated": HATES, "replied": AGAIN},
    "older is right": {"loved": LOVES, "hated": HATES, "replied": YES},
    "older is newer then": {"hated": HATES, "loved": LOVES, "hated again": HATES, "replied": YES},
    "stated again later": {
        "loved": LOVES,
        "hated": HATES,
        "hated too": HATES,
        "replied": YES,
        "hated again": HATES,
    },
}


@pytest.mark.parametrize(
    ("year", "erased"),
    [
        ("newer is right", "loved"),
        ("newer is right", "hated"),
        ("newer is right", "replied"),
        ("older is right", "loved"),
        ("older is newer then", "hated"),
        ("stated again later", "hated too"),
        ("stated again later", "hated again"),
    ],
)
async def test_the_rest_is_as_if_it_had_never_been_held(
    memory: Memory, admin: Admin, year: str, erased: str
) -> None:
    talks = YEARS[year]
    await import_year(memory, admin, "whole", talks)
    decided = "select from memory.fact_judgement where rival_id is not null and segment_id is not null"
    assert admin.execute(decided).fetchall()
    await memory.erase("whole", conversation_id=erased)
    await settle(memory, "whole")
    await import_year(memory, admin, "never", talks, [erased])
    after, never = rows_of_year(admin, "whole"), rows_of_year(admin, "never")
    assert after["facts"] == never["facts"]
    assert after["conflicts"] == never["conflicts"]
