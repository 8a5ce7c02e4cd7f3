"""The persona over a year and a half with noise and a nightly run for each day: facts, episodes by status, and the
questions that a context answers at the end."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

import pytest

from memory_service.config import Settings
from memory_service.memory import Memory
from tests.acceptance import persona, year
from tests.acceptance.living import AWAKE, answerable, live, night_of, sleep, stay_awake
from tests.acceptance.persona import Json
from tests.acceptance.test_persona import BANK, check_answers, conflicts, rows, settle_over_interfaces, table
from tests.conftest import Admin, at_work

WRITTEN_BY_NIGHT = (
    "episodic_memory", "semantic_memory", "fact_evidence", "fact_version", "fact_conflict", "fact_merge", "fact_pair",
    "fact_judgement", "merge_decision", "clarification", "memory_event", "memory_link", "memory_vector", "memory_text",
    "memory_entity", "watermark", "message", "model_call",
)  # fmt: skip
FLOOR = {"facts": 17, "moments": 6, "details": 10}
"""Questions that a context must answer after all nightly runs: measured 18 of 18, 6 of 6 and 11 of 12, as many as
without any nightly run."""
SMALL = 300
FLOOR_IN_SMALL = {"facts": 15, "moments": 5, "details": 9}
"""The same for a context of SMALL tokens: measured 16, 6 and 11; without any nightly run 17, 6 and 11."""


@pytest.fixture
def told(settings: Settings) -> Iterator[Settings]:
    with persona.answering(settings, year.reply) as told:
        yield told


def print_of(admin: Admin) -> Json:
    """Row count and digest of each table that a nightly run writes."""
    return {
        name: admin.execute(
            f"select count(*), md5(string_agg(t::text, '' order by t::text)) from memory.{name} t "
            "where bank_id = %s".encode(),
            (BANK,),
        ).fetchone()
        for name in WRITTEN_BY_NIGHT
    }


def check_facts(admin: Admin, at: datetime, *, answered: datetime | None = None) -> None:
    """Assert that the facts are those expected after the nightly runs up to `at`, each once, and one habit."""
    wanted = year.expected_facts(answered is not None, at)
    found = sorted(table(admin), key=persona.place)
    (habit,) = [row for row in found if row["text"] == year.SUNDAYS]
    found.remove(habit)
    for row in found:
        if answered and row["last_confirmed"] >= answered:
            row["last_confirmed"] = None
    for row in wanted:
        assert row in found, [near for near in found if near["attribute"] == row["attribute"]]
    assert found == wanted
    assert conflicts(admin) == persona.expected_conflicts(answered is not None)
    assert habit["status"] == "stable"
    assert habit["evidence_count"] <= len(year.sundays())
    counted = rows(
        admin,
        "select f.memory_id from memory.semantic_memory f where f.evidence_count <> (select count(*) "
        "from memory.fact_evidence e where e.bank_id = f.bank_id and e.fact_id = f.memory_id and e.holds)",
    )
    assert counted == []


def check_episodes(admin: Admin) -> None:
    """Assert that each kept exchange is an episode, active itself or represented by exactly one active memory; that
    landmarks are active; and that one memory of kind `similar` counts the Sundays in the park."""
    found = rows(
        admin,
        "select e.memory_id, e.status, e.summary, e.landmark, e.represents, e.summarizes, "
        "(select count(*) from memory.memory_link l join memory.episodic_memory s on s.bank_id = l.bank_id "
        "and s.memory_id = l.memory_id where l.bank_id = e.bank_id and l.linked_id = e.memory_id "
        "and l.reason = 'summary') as summaries from memory.episodic_memory e where e.bank_id = 'ines'",
    )
    said = [row for row in found if row["summarizes"] is None]
    assert sorted(row["summary"] for row in said) == sorted(str(one.summary) for one in year.kept())
    assert {row["status"] for row in said} == {"active", "archived", "merged_into"}
    active = [row for row in found if row["status"] == "active"]
    assert sum(row["represents"] for row in active) == len(year.kept())
    assert all(row["summaries"] == (row["status"] == "archived") for row in said)
    assert {row["summary"] for row in said if row["landmark"]} >= {one.summary for one in year.landmarks()}
    assert all(row["status"] == "active" for row in said if row["landmark"])
    # The three episodes about the cello may be a memory of kind `similar` as well.
    counter, *others = sorted(
        (row for row in active if row["summarizes"] == "similar"), key=lambda row: -row["represents"]
    )
    assert counter["represents"] > 0.9 * len(year.sundays())
    assert not any("ducks" in row["summary"] for row in others)
    assert counter["summary"].startswith(f"{counter['represents']} times between January 2025 and ")
    stale = {
        row["status"] for row in found if row["summarizes"] == "similar" and row not in (counter, *others)
    }
    assert stale == {"deprecated"}
    assert len(active) < len(year.kept()) / 2.4


async def test_a_year_and_a_half_of_nights(told: Settings, admin: Admin) -> None:
    """One nightly run a day. At twelve dates: the facts are those stated, the caps hold, and a second run of the same
    night changes nothing. At the end: the tables before and after the user's answers, the facts of the twelve dates by
    valid time and by transaction time, all episodes, and the questions that contexts answer, beside a bank without
    nightly runs."""
    questions = {question.at.date(): question for question in year.as_known()}
    async with (
        await Memory.open(told, migrated=False) as memory,
        await Memory.open(told, migrated=False, upkeep=True) as upkeep,
    ):
        await memory.create_bank(BANK, {"merge_similar": True})
        async with at_work(memory):
            async for day in live(memory, upkeep, admin):
                if day not in questions:
                    continue
                await check_answers(memory, admin, [questions[day]])
                check_caps(admin)
                before = print_of(admin)
                await sleep(upkeep, night_of(day), BANK)
                assert print_of(admin) == before, day
            last = night_of(year.END.date())
            check_facts(admin, last)
            check_episodes(admin)
            asleep = await answerable(memory, BANK)
            small = await answerable(memory, BANK, SMALL)
            check_facts(admin, last, answered=await settle_over_interfaces(memory, admin))
            await check_answers(memory, admin, persona.questions())
            known = {question.known: question.known for question in year.as_known()}
            await check_answers(memory, admin, [*year.as_known(), *year.believed_then()], known)
            await stay_awake(memory)
            awake = await answerable(memory, AWAKE)
    for about, least in FLOOR.items():
        assert least <= len(asleep[about]) <= len(awake[about]) + 2, (about, asleep[about], awake[about])
        assert FLOOR_IN_SMALL[about] <= len(small[about]), (about, small[about])


def check_caps(admin: Admin) -> None:
    counted = admin.execute(
        "select count(*) filter (where status = 'active') <= 1000, count(*) filter (where status = 'archived') <= 5000 "
        "from memory.episodic_memory"
    ).fetchone()
    assert counted == (True, True)


def test_the_noise_is_long_and_the_same_each_time() -> None:
    assert len(year.exchanges()) > 400
    assert len(year.noise()) > 2 * sum(one.summary is not None for one in persona.exchanges())
    assert (year.exchanges()[-1].at - year.exchanges()[0].at).days > 500
    assert sum(one.summary is None for one in year.noise()) > 70
    again = year.noise.__wrapped__()  # type: ignore[attr-defined]
    assert again == year.noise()
