"""Facts from messages through the real worker, with the rules or a scripted model."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import psycopg
import pytest

from memory_service.errors import ProviderUnavailable, RequestRejected
from memory_service.intake.facts import committed_candidates
from memory_service.memory import Memory
from memory_service.requests import NewMessage
from memory_service.results import DeadLetter, Page
from tests.conftest import at_work, settle, until
from tests.support.scripted import ScriptedEmbedder, script

Admin = psycopg.Connection[tuple[object, ...]]
START = datetime.now(UTC).replace(microsecond=0) - timedelta(days=40)


def said(*texts: str, day: float = 0) -> list[NewMessage]:
    """Exchanges of a conversation, a minute apart."""
    messages: list[NewMessage] = []
    for n, text in enumerate(texts):
        at = START + timedelta(days=day, minutes=n)
        messages.append(NewMessage("user", text, occurred_at=at))
        messages.append(NewMessage("assistant", "I see.", occurred_at=at + timedelta(seconds=20)))
    return messages


async def told(memory: Memory, conversation: str, *texts: str, day: float = 0) -> None:
    await memory.add_messages("anna", conversation, said(*texts, day=day))
    await settle(memory, "anna")


async def facts(memory: Memory, **asked: object) -> list[tuple[str, int]]:
    page = await memory.list_facts("anna", **asked)  # type: ignore[arg-type]
    return sorted((fact.fact, fact.evidence_count) for fact in page.items)


async def test_what_is_said_becomes_a_fact_with_its_evidence(memory: Memory, admin: Admin) -> None:
    await memory.create_bank("anna")
    await told(memory, "c1", "I live in Berlin and I work as a nurse.")
    await told(memory, "c2", "I still live in Berlin, right by the canal.", day=3)
    assert await facts(memory) == [("user lives in Berlin.", 2), ("user works as nurse.", 1)]
    rows = admin.execute(
        "select f.value, e.stated, m.status from memory.semantic_memory f join memory.fact_evidence e "
        "on e.fact_id = f.memory_id join memory.episodic_memory m on m.memory_id = e.episode_id order by 1"
    ).fetchall()
    assert rows == [("berlin", True, "active"), ("berlin", True, "active"), ("nurse", True, "active")]


async def test_a_near_duplicate_is_evidence_too(memory: Memory) -> None:
    await memory.create_bank("anna")
    for day in range(3):
        await told(memory, f"c{day}", "I live in Berlin.", day=day)
    assert await facts(memory) == [("user lives in Berlin.", 3)]
    assert len((await memory.list_memories("anna", type="episodic", status="active")).items) == 1


async def test_a_move_closes_the_old_home(memory: Memory) -> None:
    await memory.create_bank("anna")
    await told(memory, "c1", "I live in Berlin.")
    await told(memory, "c2", "I moved to Munich.", day=30)
    assert [fact for fact, _ in await facts(memory)] == ["user lives in Munich."]
    assert await facts(memory, as_of=START + timedelta(days=3)) == [("user lives in Berlin.", 1)]


async def test_leaving_is_no_evidence(memory: Memory) -> None:
    await memory.create_bank("anna")
    await told(memory, "c1", "I live in Berlin.")
    await told(memory, "c2", "I no longer live in Berlin.", day=9)
    assert await facts(memory) == []
    assert await facts(memory, as_of=START + timedelta(days=3)) == [("user lives in Berlin.", 1)]


async def test_a_committed_fact_finds_its_place(memory: Memory, admin: Admin) -> None:
    await memory.create_bank("anna")
    await told(memory, "c1", "I live in Berlin.")
    at = START + timedelta(days=9)
    one = await memory.remember("anna", "User lives in Munich.", type="semantic", occurred_at=at)
    again = await memory.remember("anna", "User lives in Munich!", type="semantic", occurred_at=at)
    await memory.remember("anna", "The sauna opens at six.", type="semantic", occurred_at=at)
    await settle(memory, "anna")
    assert sorted(fact.fact for fact in (await memory.list_facts("anna")).items) == [
        "The sauna opens at six.", "User lives in Munich.",
    ]  # fmt: skip
    rows = admin.execute(
        "select memory_id, status from memory.semantic_memory where fact like '%Munich%' order by recorded_at"
    ).fetchall()
    assert rows == [(one.memory_id, "tentative"), (again.memory_id, "merged_into")]
    vectors = admin.execute("select count(*) from memory.memory_vector where tier = 'semantic'").fetchone()
    assert vectors == (4,)


async def test_a_committed_escape_of_json_that_no_text_can_hold_is_stored_as_it_is(memory: Memory) -> None:
    await memory.create_bank("anna")
    texts = [f'{{"name": "Anna", "age": 34, "city": "Lee\\u{code}ds"}}' for code in ("0000", "d800")]
    for text in texts:
        await memory.remember("anna", text, type="semantic", occurred_at=START)
    await settle(memory, "anna")
    assert sorted(fact.fact for fact in (await memory.list_facts("anna")).items) == texts


@pytest.mark.parametrize(
    ("text", "subject", "attribute", "value"),
    [
        ("Ines lives in Faro.", "ines", "lives_in", "faro"),
        ("Ines Costa now lives in Porto", "ines costa", "lives_in", "porto"),
        ("James' birthday is 5 April.", "james", "birthday", "04-05"),
        ("Dora’s sister lives in Rome.", "dora's sister", "lives_in", "rome"),
        ("Jean-Luc isn't allergic to nuts.", "jean-luc", "not_allergic_to", "nuts"),
        ("Łukasz works as a nurse.", "łukasz", "works_as", "nurse"),
        ("The user's birthday is 5 April.", "user", "birthday", "04-05"),
        ("Today I moved to Rome.", "user", "lives_in", "rome"),
        ("Ines loves long walks by the sea at night in the rain with her old dog.", "ines", None, None),
        ("User eats meat.", "user", None, None),
        ("Ines lives in Porto. She has a dog.", None, None, None),
        ("Ines has lived in Porto for years.", "ines", "lives_in", "porto"),
        ("Ines lives in Porto with her dog since 2019.", "ines", "lives_in", "porto"),
        ("Ines left Porto.", None, None, None),
        ("Ines has a dog named Max.", None, None, None),
        ("Ines is a nurse who paints.", None, None, None),
        ("Edmunds has a dog beach.", None, None, None),
        ("Ines says my birthday is 5 April.", None, None, None),
        ("Today Ines moved to Rome.", None, None, None),
        ("Nobody lives in Porto.", None, None, None),
        ("Monday has two dogs.", None, None, None),
        ("Cats live in Porto.", None, None, None),
        ("Berlin is big.", None, None, None),
        ("Redis is single-threaded.", None, None, None),
        ("Redis works as a cache.", None, None, None),
        ("Aspirin works for headaches.", None, None, None),
    ],
)
def test_what_a_committed_fact_is_about(
    text: str, subject: str | None, attribute: str | None, value: str | None
) -> None:
    said = committed_candidates(text)[0]
    assert (said["text"], said["subject"], said["attribute"], said["value"]) == (
        text,
        subject,
        attribute,
        value,
    )


async def test_committed_facts_of_others_succeed_and_contradict_each_other(
    memory: Memory, admin: Admin
) -> None:
    await memory.create_bank("anna")
    texts = (
        "Ines lives in Porto.", "Tom lives in Rome.", "Dora's birthday is 3 March 1990.", "Ines loves sushi.",
        "Dora eats meat.", "Redis works as a cache.", "Ines moved to Faro.", "Dora's birthday is 5 April 1991.",
        "Ines hates sushi.", "Dora does not eat meat.", "Redis works as a queue.",
    )  # fmt: skip
    for day, text in enumerate(texts):
        at = START + timedelta(days=day)
        await memory.remember("anna", text, type="semantic", occurred_at=at)
        await settle(memory, "anna")
    believed = {fact.fact for fact in (await memory.list_facts("anna")).items}
    moved = {"Ines moved to Faro and lives there."}
    assert believed == {*texts} - {"Ines lives in Porto.", "Ines moved to Faro."} | moved
    pairs = admin.execute(
        "select least(a.fact, b.fact), greatest(a.fact, b.fact), c.rule from memory.fact_conflict c "
        "join memory.semantic_memory a on a.memory_id = c.one_id "
        "join memory.semantic_memory b on b.memory_id = c.other_id order by 1"
    ).fetchall()
    assert pairs == [
        ("Dora does not eat meat.", "Dora eats meat.", "negation"),
        ("Dora's birthday is 3 March 1990.", "Dora's birthday is 5 April 1991.", "fixed"),
        ("Ines hates sushi.", "Ines loves sushi.", "opposites"),
    ]


async def test_what_is_committed_of_somebody_meets_what_they_say_under_their_name(memory: Memory) -> None:
    """A speaker without a name is the user, whatever the user's name is; no other speaker is."""
    await memory.create_bank("anna")
    await memory.remember("anna", "Ines lives in Porto.", type="semantic", occurred_at=START)
    await settle(memory, "anna")
    await told(memory, "c1", "My name is Ines and I live in Rome.", day=1)
    assert {fact for fact, _ in await facts(memory)} >= {"Ines lives in Porto.", "user lives in Rome."}
    at = START + timedelta(days=2)
    await memory.add_messages(
        "anna", "c2", [NewMessage("user", "I moved to Faro.", name="Ines", occurred_at=at)]
    )
    await memory.flush()
    await settle(memory, "anna")
    believed = {fact for fact, _ in await facts(memory)}
    assert "Ines lives in Faro." in believed
    assert "Ines lives in Porto." not in believed
    assert "user lives in Rome." in believed


async def test_an_outage_costs_no_fact(memory: Memory) -> None:
    """The episode is embedded, its facts are not: they wait, and come."""
    down = True

    def fault(texts: Sequence[str]) -> Exception | None:
        about_fact = any("lives in" in text for text in texts)
        return ProviderUnavailable("down", retry_after=0.1) if down and about_fact else None

    script(memory, embedder=ScriptedEmbedder(fault))
    await memory.create_bank("anna")
    async with at_work(memory):
        await memory.add_messages("anna", "c1", said("I live in Berlin."))
        await until(lambda: active(memory))
        assert await facts(memory) == []
        down = False
        await until(lambda: facts(memory))
    assert await facts(memory) == [("user lives in Berlin.", 1)]


async def active(memory: Memory) -> bool:
    return bool((await memory.list_memories("anna", status="active", type="episodic")).items)


# What the user says to what a context brought up


CONTRADICTION = ("I love sushi.", "I hate sushi.")


async def doubted(memory: Memory) -> None:
    """Two facts that cannot both be true; a context shows them as unconfirmed, and the agent brings them up."""
    await memory.create_bank("anna")
    await told(memory, "c1", CONTRADICTION[0], day=30)
    await told(memory, "c2", CONTRADICTION[1], day=33)


STILL = "Do you still hate sushi?"


async def answered(memory: Memory, question: str, *answers: str, reply: str = STILL) -> None:
    """A context for the question, the agent's reply, and the user's reply to it."""
    shown = await memory.context("anna", question, conversation_id="c9")
    assert "unconfirmed" in shown.text, shown.text
    await memory.flush()
    await memory.add_messages("anna", "c9", [NewMessage("user", question), NewMessage("assistant", reply)])
    await memory.add_messages("anna", "c9", [NewMessage("user", answer) for answer in answers])
    await settle(memory, "anna")


async def resolutions(admin: Admin) -> list[tuple[object, ...]]:
    return admin.execute(
        "select c.resolution, f.attribute from memory.fact_conflict c "
        "left join memory.semantic_memory f on f.memory_id = c.kept_id"
    ).fetchall()


async def test_stating_again_what_was_brought_up_settles_it(memory: Memory, admin: Admin) -> None:
    await doubted(memory)
    assert await resolutions(admin) == [(None, None)]
    await answered(memory, "What sushi shall I get?", "I really love sushi.")
    assert await resolutions(admin) == [("kept", "likes")]
    assert [fact for fact, _ in await facts(memory)] == ["user likes sushi."]


@pytest.mark.parametrize(("answer", "kept"), [("Yes, still.", "dislikes"), ("No, not anymore.", "likes")])
@pytest.mark.parametrize("shown", [1, 2])
async def test_yes_or_no_to_one_doubtful_fact_settles_it(
    memory: Memory, admin: Admin, answer: str, kept: str, shown: int
) -> None:
    """A context shows both sides of a conflict as long as both are believed; the agent asked about one."""
    await (doubted(memory) if shown == 2 else one_doubted(memory, admin))
    await answered(memory, "What sushi shall I get?", answer)
    assert await resolutions(admin) == [("kept", kept)]
    assert [fact for fact, _ in await facts(memory)] == [f"user {kept} sushi."]


@pytest.mark.parametrize(
    "reply",
    [
        "Shall I book a table for seven?",
        "I leave out the sushi, since you hate it. Is seven o'clock fine?",
        "Do you no longer hate sushi?",
        "Do you love sushi by now?",
    ],
)
async def test_yes_to_another_question_says_nothing(memory: Memory, admin: Admin, reply: str) -> None:
    """The context showed the doubtful fact; the agent asked something else, or the opposite."""
    await one_doubted(memory, admin)
    await answered(memory, "What sushi shall I get?", "Yes.", reply=reply)
    assert await resolutions(admin) == [(None, None)]


async def one_doubted(memory: Memory, admin: Admin) -> None:
    """Contexts show the newer one only: the older one was only inferred, and has 0.42."""
    await doubted(memory)
    admin.execute("update memory.fact_evidence e set stated = false from memory.semantic_memory f "
                  "where f.memory_id = e.fact_id and f.attribute = 'likes'")  # fmt: skip
    with admin.transaction():
        admin.execute("select memory_internal.refresh_facts('anna', array_agg(memory_id), 'a test', 'a test') "
                      "from memory.semantic_memory")  # fmt: skip


async def test_yes_to_two_doubtful_facts_says_nothing(memory: Memory, admin: Admin) -> None:
    await doubted(memory)
    await answered(
        memory,
        "What sushi shall I get?",
        "Yes, still.",
        reply="Is it that you love sushi, or do you hate sushi?",
    )
    assert await resolutions(admin) == [(None, None)]


BIRTHDAYS = ("My daughter's birthday is October 12.", "My daughter's birthday is October 21.")
WHICH = (
    "Earlier I understood: \"user's daughter's birthday is October 12.\" More recently: "
    "\"user's daughter's birthday is October 21.\" Which of the two is right now?"
)


@pytest.mark.parametrize(
    ("answer", "kept"),
    [
        ("The first one is right, sorry, typo.", "October 12"),
        ("the 12th!", "October 12"),
        ("It's October 12.", "October 12"),
        ("Not the 21st, the 12th.", "October 12"),
        ("The second one.", "October 21"),
        ("the 21st", "October 21"),
        ("Neither, it's October 13.", None),
        ("Thanks, talk tomorrow", None),
        ("Either the 12th or the 21st", None),
        ("It's no longer the 12th", None),
        ("It was the 12th before", None),
        ("The first one, no longer.", None),
        ("The new one", "October 21"),
        ("Yes.", None),
    ],
)
async def test_which_of_the_two_is_answered_by_place_or_value(
    memory: Memory, admin: Admin, answer: str, kept: str | None
) -> None:
    await memory.create_bank("anna")
    for day, said in enumerate(BIRTHDAYS, start=30):
        await told(memory, f"c{day}", said, day=day)
    await answered(memory, "What does my daughter want for her birthday?", answer, reply=WHICH)
    settled = [fact for fact, _ in await facts(memory) if "birthday" in fact]
    both = {f"user's daughter's birthday is October {day}." for day in (12, 21)}
    assert set(settled) == ({f"user's daughter's birthday is {kept}."} if kept else both)
    assert await resolutions(admin) == ([("kept", "birthday")] if kept else [(None, None)])


async def test_a_value_named_without_a_question_chooses_nothing(memory: Memory, admin: Admin) -> None:
    await memory.create_bank("anna")
    for day, said in enumerate(BIRTHDAYS, start=30):
        await told(memory, f"c{day}", said, day=day)
    await answered(
        memory, "What does my daughter want for her birthday?", "the 12th", reply="A bike, I guess."
    )
    assert await resolutions(admin) == [(None, None)]


async def test_a_plain_yes_answers_the_question_that_a_context_asked(memory: Memory, admin: Admin) -> None:
    await memory.create_bank("anna")
    await told(memory, "c1", "Please remember that I love coffee. It is the joy of my life!", day=30)
    await told(memory, "c2", "I hate coffee.", day=33)
    admin.execute("update memory.semantic_memory set importance = 0.9, given = '{\"importance\": 0.9}'")
    admin.execute(
        "select memory_internal.create_clarifications('anna', array_agg(memory_id), now()) from memory.semantic_memory"
    )
    shown = await memory.context("anna", "What shall I drink, coffee?", conversation_id="c9")
    assert "CLARIFICATION" in shown.text
    await answered(memory, "What shall I drink, coffee?", "Yes, still.", reply="Do you still love coffee?")
    (question,) = (await memory.list_clarifications("anna", statuses=["answered"])).items
    assert await resolutions(admin) == [("kept", "likes")]
    assert question.status == "answered"
    assert [fact for fact, _ in await facts(memory)] == ["user likes coffee."]


async def test_yes_to_nothing_that_was_brought_up_says_nothing(memory: Memory, admin: Admin) -> None:
    await doubted(memory)
    await memory.add_messages(
        "anna", "c9", [NewMessage("assistant", "Is it still so?"), NewMessage("user", "Yes, still.")]
    )
    await settle(memory, "anna")
    assert await resolutions(admin) == [(None, None)]


async def test_facts_that_cannot_be_embedded_die_alone_and_come_back(memory: Memory) -> None:
    """Their episode stays what it is; a re-driven letter gives the facts."""
    broken = True

    def fault(texts: Sequence[str]) -> Exception | None:
        return RequestRejected("no") if broken and any("lives in" in text for text in texts) else None

    script(memory, embedder=ScriptedEmbedder(fault))
    memory.settings = memory.settings.model_copy(
        update={"max_attempts": 2}
    )  # each one more waits twice as long
    await memory.create_bank("anna")
    async with at_work(memory):
        await memory.add_messages("anna", "c1", said("I live in Berlin."))
        (letter,) = (await until(lambda: dead(memory))).items
        assert (letter.kind, letter.about) == ("facts", "memory")
        assert await active(memory)
        broken = False
        await memory.redrive("anna")
        await until(lambda: facts(memory))
    assert await active(memory)
    assert await facts(memory) == [("user lives in Berlin.", 1)]


async def dead(memory: Memory) -> Page[DeadLetter] | None:
    page = await memory.list_dead_letters("anna")
    return page if page.items else None
