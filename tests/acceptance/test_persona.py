"""A year and a half with Ines, through the real doors: what is believed, since when, how surely, and what was then."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from pydantic import SecretStr

from memory_service.config import Settings
from memory_service.memory import Memory
from tests.acceptance import persona
from tests.acceptance.persona import Exchange
from tests.conftest import Admin, settle
from tests.service.fake_gemini import FakeGemini

BANK = "ines"
AT_ONCE = 5
"""Conversations on their way at the same time."""


@pytest.fixture
def told(settings: Settings) -> Iterator[Settings]:
    """Settings for a model that answers as the script says, and the built-in embedding model."""
    with FakeGemini(reply=persona.reply) as fake:
        yield settings.model_copy(
            update={
                "gemini_api_key": SecretStr("not-a-key"),
                "gemini_base_url": fake.url,
                "embedding_model": "all-MiniLM-L6-v2",
            }
        )


async def play(memory: Memory, conversations: Sequence[Sequence[Exchange]]) -> None:
    """Send conversations and wait until all is decided."""
    for conversation in conversations:
        messages = [message for exchange in conversation for message in exchange.messages()]
        await memory.add_messages(BANK, f"day-{conversation[0].conversation}", messages)
    await settle(memory, BANK)


def table(admin: Admin) -> list[dict[str, Any]]:
    found = admin.execute(
        "select f.subject, f.attribute, f.value, f.valid_from, f.valid_to, s.value as successor, f.evidence_count, "
        "f.first_observed, f.last_confirmed, round(f.confidence::numeric, 9)::float8 as confidence, f.status, "
        "round(f.importance::numeric, 9)::float8 as importance, f.fact as text "
        "from memory.semantic_memory f left join memory.semantic_memory s on s.bank_id = f.bank_id "
        "and s.memory_id = f.superseded_by where f.status <> 'merged_into'"
    )
    names = [column.name for column in found.description or ()]
    rows: list[dict[str, Any]] = [dict(zip(names, row, strict=True)) for row in found]
    return sorted(rows, key=persona.place)


def assert_table(admin: Admin, *, answered: bool) -> None:
    found, wanted = table(admin), persona.expected(answered=answered)
    for row in wanted:
        assert row in found, (
            row,
            [near for near in found if persona.place(near)[:2] == persona.place(row)[:2]],
        )
    assert found == wanted


async def test_in_order(told: Settings, admin: Admin) -> None:
    async with await Memory.open(told, migrated=False) as memory:
        await memory.create_bank(BANK)
        await play(memory, persona.conversations())
    assert_table(admin, answered=False)


@pytest.mark.parametrize("seed", [1, 2, 3])
async def test_shuffled(told: Settings, admin: Admin, seed: int) -> None:
    order = persona.shuffled(seed)
    async with await Memory.open(told, migrated=False) as memory:
        await memory.create_bank(BANK)
        for start in range(0, len(order), AT_ONCE):
            await play(memory, order[start : start + AT_ONCE])
    assert_table(admin, answered=False)
