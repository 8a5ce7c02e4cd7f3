"""Facts about instructions end and return with their norms; an erased permission ends no order."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from memory_service.memory import Memory
from memory_service.person_results import Norm
from memory_service.requests import NewMessage
from tests.conftest import settle

START = datetime.now(UTC).replace(microsecond=0) - timedelta(days=30)


async def told(memory: Memory, *texts: str, day: int = 0) -> None:
    """Messages, each in another conversation, one a day from `day` on."""
    for this_day, text in enumerate(texts, day):
        at = START + timedelta(days=this_day)
        reply = NewMessage("assistant", "I see.", occurred_at=at + timedelta(seconds=20))
        await memory.add_messages(
            "anna", f"day {this_day}", [NewMessage("user", text, occurred_at=at), reply]
        )
        await settle(memory, "anna")


async def facts(memory: Memory, day: float = 40) -> set[str]:
    """The facts about instructions that hold on a day."""
    page = await memory.list_facts("anna", as_of=START + timedelta(days=day))
    return {fact.fact for fact in page.items if (fact.attribute or "").endswith("instruction")}


async def norm(memory: Memory, words: str) -> Norm:
    norms = await memory.list_norms("anna", all_states=True)
    return next(one for one in norms if words in one.norm)


async def in_force(memory: Memory) -> set[str]:
    return {one.norm for one in await memory.list_norms("anna") if one.kind in ("instruction", "sensitivity")}


async def episode(memory: Memory, words: str) -> UUID:
    return next(one.memory_id for one in (await memory.list_memories("anna")).items if words in one.content)


@pytest.fixture
async def anna(memory: Memory) -> Memory:
    await memory.create_bank("anna")
    return memory


@pytest.mark.parametrize(
    ("order", "permission"),
    [
        ("never use French", "you can use French again"),
        ("no hashtags please", "hashtags are fine again"),
        ("don't mention Olaf", "You can mention Olaf again."),
        ("always reply in Italian", "back to Spanish please from now on"),
        ("never suggest olives", "forget the rule about olives"),
    ],
)
async def test_the_fact_of_an_order_ends_with_its_norm(anna: Memory, order: str, permission: str) -> None:
    await told(anna, order)
    stated = await facts(anna)
    assert stated
    await told(anna, permission, day=1)
    assert not stated & await facts(anna)
    assert stated <= await facts(anna, 0.5)
    shown = await anna.recall("anna", order, k=10)
    assert not stated & {item.content for item in shown.items}


@pytest.mark.parametrize(
    ("order", "other"),
    [
        ("never use French", "you can use Dutch again"),
        ("never suggest olives", "you can suggest cheese again"),
        ("no hashtags on linkedin", "hashtags are fine in newsletters now"),
        ("always reply in Italian", "I took an Italian class again"),
    ],
)
async def test_the_fact_of_an_order_stays_beside_another_permission(
    anna: Memory, order: str, other: str
) -> None:
    await told(anna, order)
    stated = await facts(anna)
    assert stated
    await told(anna, other, day=1)
    assert stated <= await facts(anna)


async def test_an_order_of_a_message_ends_alone(anna: Memory) -> None:
    await told(anna, "Never push to main. Always reply in Italian.", "you can push to main now")
    assert await facts(anna) == {"user wants the assistant always to reply in Italian."}


async def test_an_order_that_is_given_again_holds_again(anna: Memory) -> None:
    await told(anna, "never suggest olives", "you can suggest olives again", "never suggest olives")
    (fact,) = await facts(anna)
    assert fact == "user wants the assistant never to suggest olives."
    assert [await facts(anna, day) for day in (0.5, 1.5)] == [{fact}, set()]


async def test_a_removed_norm_ends_its_fact_and_a_confirmed_one_opens_it(anna: Memory) -> None:
    await told(anna, "never use French", "always add a licence header")
    french, header = sorted(await facts(anna), key=lambda fact: "header" in fact)
    one = await norm(anna, "French")
    await anna.remove_norm("anna", one.memory_id)
    assert await facts(anna) == {header}
    (ended,) = [fact for fact in (await anna.list_facts("anna", as_of=START)).items if fact.fact == french]
    history = (await anna.fact_history("anna", ended.memory_id)).items
    assert (history[-1].reason, history[-1].actor) == ("its norm ended", "norms")
    await anna.confirm_norm("anna", one.memory_id)
    assert await facts(anna) == {french, header}


async def test_a_norm_that_an_agent_states_ends_the_fact_of_the_former_one(anna: Memory) -> None:
    await told(anna, "always reply in Italian")
    await anna.put_relational(
        "anna", norms=[{"kind": "instruction", "norm": "answer in Welsh", "slot": "answers: language"}]
    )
    assert await facts(anna) == set()


async def test_a_pinned_fact_stays(anna: Memory) -> None:
    await told(anna, "never use French")
    (fact,) = (await anna.list_facts("anna")).items
    await anna.pin_fact("anna", fact.memory_id)
    await told(anna, "you can use French again", day=1)
    assert await facts(anna) == {fact.fact}


ENDED = [
    ("no hashtags please", "hashtags are fine again"),
    ("never suggest olives", "you can suggest olives again"),
    ("don't mention Olaf", "You can mention Olaf again."),
    ("I don't want to talk about Olaf", "You can talk about Olaf now"),
    ("always reply in Italian", "back to Spanish please from now on"),
    ("never suggest olives", "forget the rule about olives"),
]


@pytest.mark.parametrize(("order", "permission"), ENDED)
async def test_an_erased_permission_ends_no_order(anna: Memory, order: str, permission: str) -> None:
    await told(anna, order)
    before, stated = await in_force(anna), await facts(anna)
    await told(anna, permission, day=1)
    await anna.erase_memory("anna", await episode(anna, permission))
    await settle(anna, "anna")
    assert before == await in_force(anna)
    assert stated == await facts(anna)
