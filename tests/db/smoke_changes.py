"""The functions that change memories, called once as the service."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from uuid import UUID

from psycopg.types.json import Jsonb

from tests.db import steps
from tests.db.steps import START, Connection, rows, value

BANK = "smoke"


def active(service: Connection) -> UUID:
    memory_id, lease = steps.remember(service, BANK)
    steps.activate(service, BANK, [lease])
    return memory_id


def change(service: Connection, memory: UUID, **changes: object) -> UUID:
    (changed, *_), = rows(
        service, "update_memory", bank=BANK, memory=memory, changes=Jsonb(changes), actor="a",
        decision=steps.decision(), at=START,
    )  # fmt: skip
    return changed


def update_memory(service: Connection) -> None:
    memory = active(service)
    change(service, memory, tags=["a"], importance=0.9)
    (item,) = rows(service, "list_memories", bank=BANK, page=5)
    assert "a" in str(item)


def update_episode(service: Connection) -> None:
    memory = active(service)
    rows(
        service, "update_episode", bank=BANK, memory=memory, changes=Jsonb({"lesson": "x"}),
        changed_fields=["lesson"], actor="a", decision=None, at=START,
    )  # fmt: skip


def replace_content(service: Connection) -> None:
    memory = active(service)
    rows(service, "replace_content", bank=BANK, memory=memory, content="another", actor="a", at=START)
    (work,) = steps.claim(service, "annotate")
    assert work.subject == str(memory)
    rows(service, "enter_bank", bank=BANK)
    former = service.execute("select version, content from memory.episode_version").fetchall()
    assert former == [(1, "a summary")]


def list_changes(service: Connection) -> None:
    """Events of a transaction in progress are not listed, not even in it (tests/server/test_changes_feed.py)."""
    change(service, active(service), tags=["a"])
    assert rows(service, "list_changes", bank=BANK, page=10) == []


def record_decision(service: Connection) -> None:
    memory = active(service)
    rows(
        service,
        "record_decision",
        bank=BANK,
        decision=steps.decision(),
        memory=memory,
        conversation=None,
        at=START,
    )
    found = rows(service, "list_decisions", bank=BANK, page=9)
    assert [one[3] for one in found].count(memory) == 2


def with_duplicates(service: Connection) -> None:
    memory = active(service)
    found = value(service, "with_duplicates", bank=BANK, memories=[memory, uuid.uuid4()])
    assert found == [memory]


def remove_derived_rows(service: Connection) -> None:
    rows(service, "remove_derived_rows", bank=BANK, memories=[active(service)])
    rows(service, "enter_bank", bank=BANK)
    assert service.execute("select count(*) from memory.memory_vector").fetchone() == (0,)


def with_changed(service: Connection) -> None:
    given = {"content": "a", "importance": 0.5}
    changed = value(
        service, "with_changed", given=Jsonb(given), changes=Jsonb({"importance": 0.7, "metadata": {}})
    )
    assert changed == given | {"changed": {"importance": 0.7, "metadata": True}}


def evidence_importance(service: Connection) -> None:
    memory = active(service)
    assert value(service, "evidence_importance", bank=BANK, memory=memory, importance=0.4) == 0.4


def withdraw_evidence(service: Connection) -> None:
    fact = steps.fact(service, BANK, "Rex is black.")
    rows(service, "enter_bank", bank=BANK)
    episodes = [row[0] for row in service.execute("select episode_id from memory.fact_evidence").fetchall()]
    rows(service, "withdraw_evidence", bank=BANK, episodes=episodes, reason="a test", actor="a", at=START)
    assert value(service, "fact_state", bank=BANK, memory=fact) == "deprecated"


def update_fact(service: Connection) -> None:
    fact, new = steps.fact(service, BANK, "Rex is black."), uuid.uuid4()
    other = {"content": "Rex is white.", "fact_id": str(new)}
    changed = value(
        service, "update_fact", bank=BANK, memory=fact, changes=Jsonb(other), changed_fields=["content"], actor="a",
        decision=steps.decision(), at=START,
    )  # fmt: skip
    assert changed == new
    assert value(service, "fact_state", bank=BANK, memory=fact) == "deprecated"


def fact_importance(service: Connection) -> None:
    cases: tuple[tuple[dict[str, object], float], ...] = (
        ({}, 0.4), ({"importance": 0.6}, 0.6), ({"changed": {"importance": 0.1}}, 0.6),
    )  # fmt: skip
    for given, expected in cases:
        assert value(service, "fact_importance", given=Jsonb(given), stored=0.6, computed=0.4) == expected


def remove_work(service: Connection) -> None:
    memory_id, lease = steps.remember(service, BANK)
    rows(service, "remove_work", bank=BANK, kinds=["embed"], subjects=[str(memory_id)])
    assert steps.activate(service, BANK, [lease]) == 0


CHANGES: tuple[Callable[[Connection], None], ...] = (
    update_memory, update_episode, replace_content, with_changed, evidence_importance, withdraw_evidence, update_fact,
    fact_importance, remove_work, list_changes, record_decision, with_duplicates, remove_derived_rows,
)  # fmt: skip
