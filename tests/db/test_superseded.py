"""Which episodes state facts that are no longer true."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from tests.conftest import Admin
from tests.db import steps
from tests.db.facts import MANY, candidate, say
from tests.db.steps import START, Connection

DAY = timedelta(days=1)


@pytest.fixture
def bank(service: Connection) -> str:
    steps.create_bank(service, "a")
    return "a"


def superseded(service: Connection, *episodes: UUID, day: float = 100) -> dict[UUID, tuple[Any, ...]]:
    found = service.execute(
        "select memory_id, fact, since, by_fact, alone from memory_api.superseded_statements('a', %s, %s)",
        (list(episodes), START + day * DAY),
    ).fetchall()
    return {row[0]: row[1:] for row in found}


def test_an_episode_is_superseded_from_the_day_on_that_its_fact_ended(
    service: Connection, admin: Admin, bank: str
) -> None:
    oslo, bergen = candidate("lives_in", "oslo"), candidate("lives_in", "bergen")
    tromso, geese = candidate("lives_in", "tromsø"), candidate("has", "geese", cardinality=MANY)
    first = say(service, admin, bank, START, oslo, geese)
    second = say(service, admin, bank, START + 10 * DAY, bergen)
    third = say(service, admin, bank, START + 20 * DAY, tromso)
    episodes = (first, second, third)
    assert superseded(service, *episodes, day=9) == {}
    assert superseded(service, *episodes, day=10) == {
        first: ("User lives_in oslo.", START + 10 * DAY, "User lives_in bergen.", False)
    }
    assert superseded(service, *episodes) == {
        first: ("User lives_in oslo.", START + 10 * DAY, "User lives_in tromsø.", False),
        second: ("User lives_in bergen.", START + 20 * DAY, "User lives_in tromsø.", True),
    }, "by what is true now"
    assert list(superseded(service, second)) == [second]


def test_what_ended_without_a_successor_and_what_is_true_again(
    service: Connection, admin: Admin, bank: str
) -> None:
    job = say(service, admin, bank, START, candidate("works_at", "acme"))
    say(service, admin, bank, START + 5 * DAY, candidate("works_at", "acme", holds=False))
    home = say(service, admin, bank, START, candidate("lives_in", "oslo"))
    say(service, admin, bank, START + 5 * DAY, candidate("lives_in", "bergen"))
    assert set(superseded(service, job, home)) == {job, home}
    assert superseded(service, job)[job] == ("User works_at acme.", START + 5 * DAY, None, True)
    say(service, admin, bank, START + 9 * DAY, candidate("lives_in", "oslo"))
    assert set(superseded(service, job, home)) == {job}, "back in Oslo"
    assert set(superseded(service, job, home, day=7)) == {job, home}


def test_a_retracted_fact_is_marked_from_its_retraction_on(
    service: Connection, admin: Admin, bank: str
) -> None:
    steps.create_bank(service, "b")
    home = say(service, admin, bank, START, candidate("lives_in", "oslo"))
    say(service, admin, bank, START + 5 * DAY, candidate("lives_in", "bergen"))
    elsewhere = service.execute(
        "select * from memory_api.superseded_statements('b', %s, %s)", ([home], START + 9 * DAY)
    )
    assert elsewhere.fetchall() == []
    ((oslo,),) = admin.execute("select memory_id from memory.semantic_memory where value = 'oslo'").fetchall()
    steps.rows(
        service, "review_fact", bank="a", memory=oslo, judgement="retracted", actor="x", at=START + 8 * DAY
    )
    assert superseded(service, home) == {home: ("User lives_in oslo.", START + 8 * DAY, None, True)}
    assert superseded(service, home, day=7) == {}, "not retracted yet"
    ((retracted,),) = service.execute(
        "select retracted from memory_api.superseded_statements('a', %s, %s)", ([home], START + 9 * DAY)
    ).fetchall()
    assert retracted
    say(service, admin, bank, START + 9 * DAY, candidate("lives_in", "oslo"))
    assert superseded(service, home) == {}, "stated again after its retraction"
