"""The consolidation pass through the real Gemini SDK, of messages sent through the HTTP interface."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from pydantic import SecretStr

from memory_service.config import Settings
from memory_service.memory import Memory
from memory_service.requests import NewMessage
from tests.conftest import Admin, settle
from tests.jobs.nights import entry_of, facts, slept, summaries
from tests.support.fake_gemini import FakeGemini, prompt_texts

START = datetime.now(UTC).replace(microsecond=0) - timedelta(days=60)


def reply(body: dict[str, Any]) -> str:
    """For a segment its text; for a group the answer of tests/jobs/nights.py."""
    asked = json.loads(prompt_texts(body)[0])
    if "groups" in asked:
        return json.dumps({"groups": [entry_of(group) for group in asked["groups"]]})
    gates = ("explicit_request", "relational_damage", "identity_defining", "stable_fact", "decision_made")
    features = ("emotion", "personal", "decision", "asked", "conflict")
    return json.dumps(
        {
            "segments": [
                {
                    "segment": one["segment"], "gates": dict.fromkeys(gates, True), "harm": "none",
                    "summary": one["utterances"][0]["text"], "valence": 0.1, "emotions": ["joy"], "topics": ["tea"],
                    "entities": ["Anna"], "features": dict.fromkeys(features, 0.1), "weight": 0.5, "lesson": None,
                    "facts": [],
                }
                for one in asked["segments"]
            ]
        }
    )  # fmt: skip


@pytest.fixture
def fake() -> Iterator[FakeGemini]:
    with FakeGemini(reply=reply) as server:
        yield server


async def test_a_night_with_gemini(settings: Settings, fake: FakeGemini, admin: Admin) -> None:
    with_key = settings.model_copy(
        update={"gemini_api_key": SecretStr("not-a-key"), "gemini_base_url": fake.url}
    )
    async with await Memory.open(with_key, migrated=False) as memory:
        await memory.create_bank("anna")
        for day in range(4):
            said = f"Anna likes tea, and she drank it at her old window on morning {day}. Thanks so much! See you!"
            at = START + timedelta(days=day)
            await memory.add_messages("anna", f"c{day}", [NewMessage("user", said, occurred_at=at)])
        await settle(memory, "anna")
        fake.requests.clear()
        outcome = await slept(memory, at=datetime.now(UTC))
        assert dict(outcome.counts) == {
            "clusters": 1, "waiting": 0, "consolidated": 4, "facts": 4, "compressed": 4, "summaries": 1,
            "model_calls": 1,
        }  # fmt: skip
    (text,) = summaries(admin)
    assert text.startswith("4 talks, the first: Anna likes tea")
    assert [len(episodes) for episodes in facts(admin).values()] == [4]
    told, embedded = fake.requests
    assert "quoted data" in told.body["systemInstruction"]["parts"][0]["text"]
    assert told.body["generationConfig"]["responseSchema"]["properties"]["groups"]
    assert len(embedded.body["requests"]) == 5, "the fact and the summary with its sentences share a call"
    ledger = admin.execute(
        "select purpose, model, items, outcome from memory.model_call where purpose = 'consolidate'"
    ).fetchall()
    assert ledger == [("consolidate", "gemini-3.5-flash-lite", 2, "ok")], (
        "a group for the facts, one for the summary"
    )
