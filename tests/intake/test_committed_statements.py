"""Commits of several statements through the real worker: each is a fact, ends others, and is erased with the commit."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from memory_service.memory import Memory
from memory_service.requests import NewMessage
from tests.conftest import settle

START = datetime(2026, 3, 1, 9, tzinfo=UTC)


async def _said(memory: Memory, *texts: str) -> list[UUID]:
    """A day each: a message where the text speaks in the first person, else a commit; the ids of the commits."""
    ids: list[UUID] = []
    for day, text in enumerate(texts):
        at = START + timedelta(days=day)
        if text.startswith(("I ", "My ")):
            reply = NewMessage("assistant", "I see.", occurred_at=at + timedelta(seconds=20))
            await memory.add_messages("anna", f"c{day}", [NewMessage("user", text, occurred_at=at), reply])
        else:
            ids.append((await memory.remember("anna", text, type="semantic", occurred_at=at)).memory_id)
        await settle(memory, "anna")
    return ids


async def _believed(memory: Memory, day: float = 9) -> set[str]:
    page = await memory.list_facts("anna", as_of=START + timedelta(days=day))
    return {fact.fact for fact in page.items}


@pytest.mark.parametrize(
    ("texts", "believed"),
    [
        (["User is allergic to penicillin and latex."],
         {"user is allergic to penicillin.", "user is allergic to latex."}),
        (["User works at Philips as a project manager", "I work at ASML now."],
         {"user works at ASML.", "user works as project manager."}),
        (["User works at Philips.", "User now works as a project manager at ASML."],
         {"user works at ASML.", "user works as project manager."}),
        (["I live in Utrecht.", "User no longer lives in Utrecht"], {"User no longer lives in Utrecht"}),
        (["I live in Utrecht.", "User moved to Haarlem."], {"User moved to Haarlem and lives there."}),
        (["My daughter is called Mila and is 6.", "User's daughter Mila is 7."],
         {"user's daughter is called Mila.", "user's daughter Mila is 7 years old."}),
        (["Anna's deadline moved to 12 March", "Anna's deadline moved to 2 April"],
         {"Anna's deadline moved to 2 April"}),
        (["User quit smoking in March.", "I smoke again, sadly."], {"user smokes again."}),
        (["I have a dog called Rex.", "User is allergic to nuts and latex.", "I am allergic to latex."],
         {"user's dog is called Rex.", "user has a dog.", "user is allergic to nuts.", "user is allergic to latex."}),
        (["User prefers window seats", "User prefers aisle seats."], {"User prefers aisle seats."}),
        (["User prefers window seats", "I prefer aisle seats."], {"user prefers aisle seats."}),
        (["User wants answers in German", "User wants the assistant to reply in English"],
         {"User wants the assistant to reply in English"}),
        (["User prefers window seats", "User prefers tea over coffee", "User prefers seats by the window"],
         {"User prefers window seats", "User prefers tea over coffee", "User prefers seats by the window"}),
        (["User profile:\n- Location: Leeds\n- Diet: vegan", "I live in York now."],
         {"user lives in York.", "user's diet is vegan."}),
        (["I live in Utrecht.", "User might move to Berlin."],
         {"user lives in Utrecht.", "User might move to Berlin."}),
    ],
)  # fmt: skip
async def test_a_commit_states_and_ends_facts_as_a_message_does(
    memory: Memory, texts: list[str], believed: set[str]
) -> None:
    await memory.create_bank("anna")
    await _said(memory, *texts)
    assert await _believed(memory) == believed


async def test_the_id_of_a_split_commit_stays_and_shows_its_former_words(memory: Memory) -> None:
    await memory.create_bank("anna")
    text = "User is allergic to penicillin and latex."
    (one,) = await _said(memory, text)
    fact = await memory.get_fact("anna", one)
    assert (fact.fact, fact.attribute, fact.confidence) == (
        "user is allergic to penicillin.",
        "allergic_to",
        0.9,
    )
    assert [former.fact for former in fact.version_history] == [text]
    assert (await memory.remember("anna", text, type="semantic", occurred_at=START)).memory_id != one
    await settle(memory, "anna")
    assert len(await _believed(memory)) == 2


@pytest.mark.parametrize("erased", ["commit", "part"])
async def test_an_erasure_takes_the_whole_commit_and_its_endings(memory: Memory, erased: str) -> None:
    await memory.create_bank("anna")
    ids = await _said(
        memory, "I work at Philips.", "User left Philips and joined ASML.", "User has asthma and a cat."
    )
    assert "user works at Philips." not in await _believed(memory)
    parts = {fact.fact: fact.memory_id for fact in (await memory.list_facts("anna")).items}
    chosen = ids[0] if erased == "commit" else parts["User left Philips and joined ASML."]
    await memory.erase("anna", memory_ids=[chosen])
    await settle(memory, "anna")
    assert "user works at Philips." in await _believed(memory)


async def test_an_erased_part_takes_the_others(memory: Memory) -> None:
    await memory.create_bank("anna")
    await _said(memory, "User is allergic to penicillin and latex.", "User lives in Porto.")
    (part,) = [fact.memory_id for fact in (await memory.list_facts("anna")).items if "latex" in fact.fact]
    await memory.erase("anna", memory_ids=[part])
    assert await _believed(memory) == {"User lives in Porto."}


async def test_other_content_replaces_the_parts_of_a_commit(memory: Memory) -> None:
    await memory.create_bank("anna")
    (one,) = await _said(memory, "User is allergic to penicillin and latex.")
    await memory.update("anna", one, content="User is allergic to penicillin.")
    await settle(memory, "anna")
    assert await _believed(memory) == {"User is allergic to penicillin."}


@pytest.mark.parametrize(
    ("texts", "believed"),
    [
        (["My dad died.", "My dad died in March."], {"user's father died in March."}),
        (["My dad died in March.", "My dad died."], {"user's father died in March."}),
        (["User's dad died", "My dad died in March."], {"user's father died in March."}),
        (["My dad died in March.", "User's dad died"], {"user's father died in March."}),
        (["My dad died in March.", "My mum died."], {"user's father died in March.", "user's mum died."}),
        (["My uncle died in March.", "My uncle died last year."],
         {"user's uncle died in March.", "user's uncle died last year."}),
    ],
)  # fmt: skip
async def test_a_death_with_its_time_holds_alone(
    memory: Memory, texts: list[str], believed: set[str]
) -> None:
    await memory.create_bank("anna")
    await _said(memory, *texts)
    assert await _believed(memory) == believed
