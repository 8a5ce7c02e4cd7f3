"""Facts about several persons of one role through the real worker: each person has their own."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from memory_service.memory import Memory
from memory_service.requests import NewMessage
from tests.conftest import settle

START = datetime(2026, 3, 1, 9, tzinfo=UTC)


async def _believed_after(memory: Memory, said: list[str]) -> set[str]:
    await memory.create_bank("anna")
    for day, text in enumerate(said):
        at = START + timedelta(days=day)
        reply = NewMessage("assistant", "I see.", occurred_at=at + timedelta(seconds=20))
        await memory.add_messages("anna", f"c{day}", [NewMessage("user", text, occurred_at=at), reply])
        await settle(memory, "anna")
    page = await memory.list_facts("anna", as_of=START + timedelta(days=len(said)))
    return {fact.fact for fact in page.items if " called " not in fact.fact}


@pytest.mark.parametrize(
    ("said", "believed"),
    [
        (["My son Finn is 5.", "My son Leo is 8."],
         {"user's son Finn is 5 years old.", "user's son Leo is 8 years old."}),
        (["My son Finn is 5 and my son Leo is 8.", "Finn is 6 today!"],
         {"Finn is 6 years old.", "user's son Leo is 8 years old."}),
        (["My brother Tom lives in Leeds.", "My brother Max lives in York.", "Tom moved to Bath."],
         {"Tom lives in Bath.", "user's brother Max lives in York."}),
        (["My friend Anna works at Nokia.", "My friend Ben works at Tesco.", "My friend Anna works at Google now."],
         {"user's friend Anna works at Google.", "user's friend Ben works at Tesco."}),
        (["My daughter Ada is allergic to peanuts.", "My daughter Mia is allergic to eggs."],
         {"user's daughter Ada is allergic to peanuts.", "user's daughter Mia is allergic to eggs."}),
        (["My son is 5.", "My son's name is Finn.", "My son Finn is 6 now.", "My other son Leo is 3.",
          "My son Leo is 4 now.", "Finn is 7 today."], {"Finn is 7 years old.", "user's son Leo is 4 years old."}),
        (["My son Finn is 5.", "My son is 6 now."], {"user's son is 6 years old."}),
        (["My kids are Finn (5) and Leo (8).", "My son Finn is 6.", "Leo is 9 now"],
         {"Leo is 9 years old.", "user's son Finn is 6 years old."}),
        (["My friend Tom lives in Leeds.", "My brother Tom lives in York."],
         {"user's friend Tom lives in Leeds.", "user's brother Tom lives in York."}),
        (["My son Leo is 5.", "My cat Leo is 9."],
         {"user's son Leo is 5 years old.", "user's cat Leo is 9 years old."}),
        (["My dad Klaus lives in Bonn.", "Klaus moved to Hamburg."], {"Klaus lives in Hamburg."}),
        (["My oldest son Finn is 12.", "Finn is 13 today!"], {"Finn is 13 years old."}),
        (["My dog Rex is 12.", "Rex died.", "We got a new dog called Bo.", "Bo is 2 today."],
         {"Bo is 2 years old.", "Rex died.", "user has a new dog."}),
        (["My wife Sara works at Nokia.", "My wife works at Google now."], {"user's wife works at Google."}),
        (["My son Felix is 3.", "felix is four"], {"Felix is four years old."}),
        (["Docker is 12 today.", "Anna is a nurse."], set[str]()),
    ],
)  # fmt: skip
async def test_each_person_has_their_own_facts(memory: Memory, said: list[str], believed: set[str]) -> None:
    assert await _believed_after(memory, said) == believed


async def test_a_committed_fact_by_name_replaces_what_was_said_by_role(memory: Memory) -> None:
    await _believed_after(memory, ["My son Finn is 5."])
    await memory.remember("anna", "Finn is 6 years old.", type="semantic")
    await settle(memory, "anna")
    ages = {fact.fact for fact in (await memory.list_facts("anna")).items if fact.attribute == "age"}
    assert ages == {"Finn is 6 years old."}


async def test_who_speaks_in_a_group_is_nobodys_relative(memory: Memory) -> None:
    await memory.create_bank("anna")
    said = [
        ("Anna", "I live in Leeds."),
        ("Bob", "My sister Anna works at Nokia."),
        ("Anna", "I moved to York."),
    ]
    for day, (name, text) in enumerate(said):
        at = START + timedelta(days=day)
        await memory.add_messages("anna", f"c{day}", [NewMessage("user", text, name=name, occurred_at=at)])
        await memory.end_import("anna", [f"c{day}"])
        await settle(memory, "anna")
    page = await memory.list_facts("anna", as_of=START + timedelta(days=4))
    homes = {(fact.subject, fact.value) for fact in page.items if fact.attribute == "lives_in"}
    assert homes == {("anna", "york")}
