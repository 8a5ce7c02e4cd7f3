"""Tags, recipients, agents and situations that facts and procedures copied from an erased statement are erased too."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from psycopg.types.json import Jsonb

from memory_service import Memory, NewMessage
from memory_service.errors import Conflict
from tests.conftest import Admin, settle
from tests.erasure.carrier import NONCE, START, Carrier, rows_in, tell
from tests.erasure.scan import tables_with
from tests.support.scripted import ScriptedEmbedder, script

ACTS = {"memory_event", "fact_version"}
"""Tables that name the agent of an act, which stays."""
OWN = {"tags": ["kept"], "recipients": ["Jo"], "agent_id": "other"}
ERASED = {
    "tags": [f"{NONCE}tag"],
    "recipients": [f"{NONCE}recipient"],
    "metadata": {"from": f"{NONCE}origin"},
}


async def committed(memory: Memory, content: str, **given: Any) -> UUID:
    stored = await memory.remember("b", content, **given)
    await settle(memory, "b")
    return stored.memory_id


async def two_episodes(memory: Memory) -> UUID:
    """Two commits that state the same facts; the id of the first, whose labels have the nonce."""
    script(memory, embedder=ScriptedEmbedder(), extractor=Carrier())
    await memory.create_bank("b", {"gate": False})
    first = await committed(
        memory, f"I work at {NONCE}.", occurred_at=START, agent_id=f"{NONCE}agent", **ERASED
    )
    await committed(memory, "Another one altogether.", occurred_at=START + timedelta(days=9), **OWN)
    return first


async def test_facts_keep_the_labels_of_what_stays(memory: Memory, admin: Admin) -> None:
    erased = await two_episodes(memory)
    await memory.erase_memory("b", erased)
    assert tables_with(admin, NONCE) == set()
    labels = rows_in(
        admin, "select tags, recipients, agent_id, source from memory.semantic_memory where bank_id = %s", "b"
    )
    assert labels == 2 * [(["kept"], ["Jo"], "other", "agent")]


@pytest.mark.parametrize("corrections", [1, 2])
async def test_a_corrected_fact_has_no_label_of_an_erased_statement(
    memory: Memory, admin: Admin, corrections: int
) -> None:
    erased = await two_episodes(memory)
    texts = ("The user was seen in Faro.", "The user was seen in Graz.")[:corrections]
    for fact in (await memory.list_facts("b")).items:
        corrected = fact.memory_id
        for text in texts:
            corrected = (await memory.update("b", corrected, content=text)).memory_id
    await settle(memory, "b")
    await memory.erase_memory("b", erased)
    assert tables_with(admin, NONCE) <= ACTS
    assert texts[-1] in [fact.fact for fact in (await memory.list_facts("b")).items]


async def test_tags_that_a_person_set_stay(memory: Memory, admin: Admin) -> None:
    erased = await two_episodes(memory)
    for fact in (await memory.list_facts("b")).items:
        await memory.update("b", fact.memory_id, tags=["mine"], metadata={"set by": "me"})
    await memory.erase_memory("b", erased)
    query = "select tags, metadata from memory.semantic_memory where bank_id = %s"
    assert rows_in(admin, query, "b") == 2 * [(["mine"], {"set by": "me"})]


async def test_a_corrected_procedure_goes_with_the_situation_it_was_given(
    memory: Memory, admin: Admin
) -> None:
    script(memory, embedder=ScriptedEmbedder(), extractor=Carrier())
    await tell(memory, "b", {"one": f"I work at {NONCE}.", "two": "Another conversation altogether."})
    for procedure in (await memory.list_procedures("b")).items:
        await memory.update("b", procedure.memory_id, content="The user swims on Sundays.")
        await settle(memory, "b")
    await memory.erase("b", conversation_id="one")
    assert tables_with(admin, NONCE) == set()
    left = [(p.content, p.situation) for p in (await memory.list_procedures("b")).items]
    assert left == [("The user swims on Sundays.", "mornings")]


async def test_a_corrected_procedure_loses_what_an_erased_commit_added(memory: Memory, admin: Admin) -> None:
    await memory.create_bank("b")
    procedure = await committed(memory, "I make tea every morning.", type="procedural", **OWN)
    await committed(
        memory, "I make tea every morning.", type="procedural", agent_id="erased", steps=[f"Boil {NONCE}."],
        why=f"{NONCE} wakes me.", **ERASED,
    )  # fmt: skip
    await memory.update("b", procedure, content="I make cocoa on Sundays.")
    await settle(memory, "b")
    assert "procedural_memory" in tables_with(admin, NONCE)
    await memory.erase("b", agent_id="erased")
    assert tables_with(admin, NONCE) == set()
    left = [(p.content, p.steps, p.why, p.tags) for p in (await memory.list_procedures("b")).items]
    assert left == [("I make cocoa on Sundays.", (), None, ("kept",))]


@pytest.mark.parametrize("scope", ["agent", "period"])
async def test_notes_and_answers_are_erased(memory: Memory, admin: Admin, scope: str) -> None:
    await memory.create_bank("b", {"gate": False})
    procedure = await committed(memory, "I make tea every morning.", type="procedural", occurred_at=START)
    await memory.record_outcome("b", procedure, "failed", note=f"No {NONCE} left.", actor="agent")
    for day, text in enumerate(("My birthday is on May 3.", "My birthday is on May 4.")):
        at = START + timedelta(days=day)
        await memory.add_messages("b", f"talk{day}", [NewMessage("user", text, occurred_at=at)])
        await memory.end_import("b", [f"talk{day}"])
        await settle(memory, "b")
    (question,) = (await memory.list_clarifications("b")).items
    await memory.answer_clarification("b", question.clarification_id, "both", f"Said {NONCE}.", actor="agent")
    assert tables_with(admin, NONCE) == {"procedure_version", "clarification"}
    now = datetime.now(UTC)
    hour = timedelta(hours=1)
    chosen = {"agent_id": "agent"} if scope == "agent" else {"since": now - hour, "until": now + hour}
    await memory.erase("b", **chosen)  # type: ignore[arg-type]
    assert tables_with(admin, NONCE) == set()
    (version, *_) = (await memory.procedure_history("b", procedure)).items[::-1]
    assert version.reason == "failed"
    given = question.clarification_id, "both", f"Said {NONCE}."
    again = await memory.answer_clarification("b", *given, actor="agent")
    assert (again.status, again.answer) == ("answered", None)
    assert tables_with(admin, NONCE) == set()
    with pytest.raises(Conflict):
        await memory.answer_clarification("b", question.clarification_id, question.facts[0].memory_id)


async def test_restored_notes_are_erased_again(memory: Memory, admin: Admin) -> None:
    """Nothing else is known of their agent."""
    await memory.create_bank("b")
    procedure = await committed(memory, "I make tea every morning.", type="procedural")
    await memory.record_outcome("b", procedure, "failed", note=f"No {NONCE} left.", actor="agent")
    admin.execute("create table public.backup as select * from memory.procedure_version")
    receipt = await memory.erase("b", agent_id="agent")
    (line,) = admin.execute("select memory_api.erasure_line('b', %s)", [receipt.erasure_id]).fetchall()
    admin.execute("delete from memory.erased_item; delete from memory.erasure")
    admin.execute("delete from memory.procedure_version")
    admin.execute("insert into memory.procedure_version select * from public.backup")
    assert tables_with(admin, NONCE) == {"procedure_version"}
    admin.execute("select memory_internal.replay_erasures('b', %s)", [Jsonb([line[0]])])
    assert tables_with(admin, NONCE) == set()


async def test_a_conversation_is_that_of_an_agent_that_stays(memory: Memory, admin: Admin) -> None:
    await memory.create_bank("b", {"gate": False, "intake": "verbatim"})
    for agent, text in ((f"{NONCE}agent", "I live in Porto."), ("other", "I am a nurse.")):
        await memory.add_messages("b", "talk", [NewMessage("user", text)], agent_id=agent)
        await settle(memory, "b")
    assert "conversation" in tables_with(admin, NONCE)
    await memory.erase("b", agent_id=f"{NONCE}agent")
    assert tables_with(admin, NONCE) <= ACTS
    assert rows_in(admin, "select agent_id from memory.conversation where bank_id = %s", "b") == [("other",)]
