"""A message of the agent before the first user message."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from memory_service.memory import Memory
from memory_service.requests import NewMessage
from tests.conftest import settle
from tests.support.scripted import ScriptedEmbedder, script

BEGIN = datetime.now(UTC) - timedelta(days=1)
OPENING = "Hey Anna! We moved to the lighthouse last week."


def said(*turns: tuple[str, str], after: timedelta = timedelta()) -> list[NewMessage]:
    return [
        NewMessage(role, text, None, BEGIN + after + timedelta(minutes=n))
        for n, (role, text) in enumerate(turns)
    ]


@pytest.mark.parametrize("later", [False, True])
async def test_the_agents_opening_belongs_to_the_exchange_that_answers_it(
    memory: Memory, later: bool
) -> None:
    """Also in a conversation whose last exchange is closed."""
    script(memory, ScriptedEmbedder())
    await memory.create_bank("anna", {"subject": "Anna", "agent_name": "Mila"})
    before = said(("user", "My sister Ines lives in Porto now."), ("assistant", "Nice."))
    opening = said(
        ("assistant", OPENING), ("user", "My brother Rui lives in Faro now."), after=timedelta(hours=2)
    )
    if later:
        await memory.add_messages("anna", "c1", before)
        await settle(memory, "anna")
    await memory.add_messages("anna", "c1", opening)
    await settle(memory, "anna")
    found = await memory.recall("anna", "Mila's lighthouse?", k=1, min_score=0.0)
    assert [(item.content, item.reply) for item in found.items] == [
        ("Anna: My brother Rui lives in Faro now.", OPENING)
    ]
