"""A resignation that is taken back without naming the job: the job that it ended holds again."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from memory_service.memory import Memory
from memory_service.requests import NewMessage
from tests.conftest import settle

START = datetime(2024, 3, 4, 9, tzinfo=UTC)


async def _jobs(memory: Memory, *texts: str, apart: float = 3) -> set[str]:
    """Workplaces and titles that hold after these messages, some days apart."""
    await memory.create_bank("anna")
    for n, text in enumerate(texts):
        at = START + timedelta(days=n * apart)
        reply = NewMessage("assistant", "I see.", occurred_at=at + timedelta(seconds=20))
        await memory.add_messages("anna", f"c{n}", [NewMessage("user", text, occurred_at=at), reply])
        await settle(memory, "anna")
    page = await memory.list_facts("anna", as_of=START + timedelta(days=len(texts) * apart))
    return {
        fact.value or "" for fact in page.items if fact.attribute in ("works_at", "works_as", "job_resumed")
    }


JOBS: list[tuple[list[str], set[str]]] = [
    (["I work at Bosch.", "I resigned yesterday.", "I take back my resignation"], {"bosch"}),
    (["I work at Bosch.", "I quit my job.", "I've withdrawn my notice."], {"bosch"}),
    (
        ["I work at Bosch as a welder.", "I quit my job.", "My resignation is off the table."],
        {"bosch", "welder"},
    ),
    (["I work at Bosch.", "I take back my resignation"], {"bosch"}),
    (
        ["I work at Bosch.", "I resigned.", "I work at Daikin now.", "I take back my resignation"],
        {"daikin"},
    ),
    (["I take back my resignation"], set()),
    (["I left Bosch in 2015.", "I take back my resignation"], set()),
    (
        [
            "I work at Bosch.",
            "I resigned.",
            "I'm taking back my resignation",
            "I take back my resignation",
        ],
        {"bosch"},
    ),
    (["I work at Bosch.", "I resigned.", "I take back my resignation", "I quit my job."], set()),
    (["I work at Bosch.", "I'm leaving Bosch in June.", "I'm not leaving my job after all"], {"bosch"}),
    (["I work at Bosch.", "I resigned.", "I'm not leaving my job after all, I was fired."], set()),
    (["My sister works at Bosch.", "My sister quit her job.", "I take back my resignation"], set()),
    (["I work at Bosch.", "I resigned.", "My boss won't let me take back my resignation."], set()),
]


@pytest.mark.parametrize(("told", "holds"), JOBS)
async def test_the_job_that_a_resignation_ended_holds_again(
    memory: Memory, told: list[str], holds: set[str]
) -> None:
    assert await _jobs(memory, *told) == holds


async def test_a_job_that_ended_long_ago_stays_ended(memory: Memory) -> None:
    told = ("I work at Bosch.", "I quit my job.", "I take back my resignation")
    assert await _jobs(memory, *told, apart=300) == set()
