"""The functions of merging facts and of the nightly run, each called once as the service: part of test_smoke.py."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from tests.db import steps
from tests.db.steps import MODEL, START, Connection, rows, unit_vector, value

BANK = "smoke"
LATER = START + timedelta(days=1)
TEXT = "Rex sleeps in the kitchen."


def known(service: Connection, text: str = TEXT, *, axis: int = 0, **given: Any) -> UUID:
    """A fact with a vector."""
    columns: dict[str, Any] = {"timeline": str(uuid.uuid4()), "subject": "rex", **given}
    one = steps.fact(service, BANK, text, **columns)
    with service.transaction():
        rows(service, "enter_bank", bank=BANK)
        service.execute(
            "insert into memory.memory_vector (bank_id, memory_id, model_id, tier, embedding) "
            "values (%s, %s, %s, 'semantic', %s)", (BANK, one, MODEL, unit_vector(axis)),
        )  # fmt: skip
    return one


def two(service: Connection) -> list[UUID]:
    """Two facts that are one; the surer first."""
    return [known(service, episodes=4), known(service, attribute="sleeps_in", value="kitchen")]


def merged(service: Connection) -> list[UUID]:
    both = two(service)
    found = value(service, "merge_facts", bank=BANK, members=both, actor="a test", at=LATER)
    assert found == both[1:]
    return both


def bank_thresholds(service: Connection) -> None:
    ((*found, merging),) = rows(service, "bank_thresholds", bank=BANK, model=MODEL)
    assert found == [0.92, 0.85, 0.75]
    assert round(merging, 9) == 0.85
    assert rows(service, "bank_thresholds", bank=BANK, model="unheard of") == []


def similar_facts(service: Connection) -> None:
    one, other = two(service)
    known(service, axis=1)
    assert rows(service, "similar_facts", bank=BANK, model=MODEL, facts=[one], threshold=0.9) == [
        (one, other, 1.0)
    ]


def similar_episodes(service: Connection) -> None:
    memory_id, lease = steps.remember(service, BANK)
    steps.activate(service, BANK, [lease])
    one = known(service)
    asked = {"bank": BANK, "model": MODEL, "facts": [one], "episodes": [memory_id], "threshold": 0.9}
    assert rows(service, "similar_episodes", **asked) == [(one, memory_id, 1.0)]


def set_watermark(service: Connection) -> None:
    one = uuid.uuid4()
    for state in ("a", "b"):
        rows(service, "set_watermark", bank=BANK, **{"pass": "merge"}, memories=[one], states=[state])


def count_failed_attempt(service: Connection) -> None:
    """Twice of an old state, then three times of another."""
    both = [uuid.uuid4(), uuid.uuid4()]
    for state, last in (("a", False), ("a", False), ("b", False), ("b", False), ("b", True)):
        arguments = {"pass": "merge", "memories": both, "states": [state, state], "most": 3}
        assert value(service, "count_failed_attempt", bank=BANK, **arguments) is last
    with service.transaction():
        rows(service, "enter_bank", bank=BANK)
        found = service.execute("select state from memory.watermark where memory_id = any (%s)", (both,))
        assert found.fetchall() == [("b",), ("b",)]


def episodes_awaiting_facts(service: Connection) -> None:
    one = uuid.uuid4()
    steps.enqueue(service, BANK, str(one), "facts")
    assert rows(service, "episodes_awaiting_facts", bank=BANK) == [(one,)]


def facts_without_watermark(service: Connection) -> None:
    one = steps.fact(service, BANK, "Rex is black.")
    ((found, state),) = rows(service, "facts_without_watermark", bank=BANK, **{"pass": "doubt"}, most=9)
    assert found == one
    rows(service, "set_watermark", bank=BANK, **{"pass": "doubt"}, memories=[one], states=[state])
    assert rows(service, "facts_without_watermark", bank=BANK, **{"pass": "doubt"}, most=9) == []


def merge_candidates(service: Connection) -> None:
    both = two(service)
    ((members, _, texts, verdict, winner, reason),) = rows(
        service, "merge_candidates", bank=BANK, model=MODEL, at=LATER
    )
    assert (set(members), texts, verdict, winner, reason) == (set(both), [TEXT] * 2, "merge", both[0], None)


def plan_merge(service: Connection) -> None:
    both = two(service)
    assert rows(service, "plan_merge", bank=BANK, members=both, at=LATER) == [(both[0], both[1], None)]


def compare_facts(service: Connection) -> None:
    both = two(service)
    with service.transaction():
        rows(service, "enter_bank", bank=BANK)
        found = service.execute(
            "select memory_internal.compare_facts(%s, one, other) "
            "from memory.semantic_memory one, memory.semantic_memory other "
            "where one.memory_id = %s and other.memory_id = %s", (BANK, *both),
        ).fetchall()  # fmt: skip
    assert found == [("same",)]


def is_mergeable(service: Connection) -> None:
    two(service)
    with service.transaction():
        rows(service, "enter_bank", bank=BANK)
        found = service.execute(
            "select bool_and(memory_internal.is_mergeable(f)) from memory.semantic_memory f"
        ).fetchall()
    assert found == [(True,)]


def merge_facts(service: Connection) -> None:
    one, other = merged(service)
    assert rows(service, "merged_fact", bank=BANK, memory=other) == [(one,)]


def merged_fact(service: Connection) -> None:
    one = known(service)
    assert value(service, "merged_fact", bank=BANK, memory=one) == one


def transfer_evidence(service: Connection) -> None:
    merged(service)
    with service.transaction():
        rows(service, "enter_bank", bank=BANK)
        ((this, moved),) = service.execute(
            "select merge_id, cardinality(episodes) from memory.fact_merge"
        ).fetchall()
        rows(service, "transfer_evidence", bank=BANK, of_merge=this)
        again = service.execute("select cardinality(episodes) from memory.fact_merge").fetchall()
    assert again == [(moved,)] == [(1,)]


def unmerge_fact(service: Connection) -> None:
    _, other = merged(service)
    for _ in range(2):
        (entry,) = rows(service, "unmerge_fact", bank=BANK, memory=other, actor="a test", at=LATER)
        assert "tentative" in entry


def record_merge_decisions(service: Connection) -> None:
    one, other = two(service)
    pairs = [{"one": str(one), "other": str(other), "texts": [TEXT, TEXT], "same": False}]
    assert (
        value(service, "record_merge_decisions", bank=BANK, pairs=Jsonb(pairs), decided_by="m", at=START) == 1
    )
    assert value(service, "merge_facts", bank=BANK, members=[one, other], actor="m", at=LATER) == []


def within(service: Connection, function: str, **arguments: Any) -> list[tuple[Any, ...]]:
    with service.transaction():
        rows(service, "enter_bank", bank=BANK)
        return rows(service, function, bank=BANK, **arguments)


def fact_periods(service: Connection) -> None:
    one = known(service)
    assert within(service, "fact_periods", memory=one) == [([one],)]


def merged_wordings(service: Connection) -> None:
    one, other = merged(service)
    assert {row[0] for row in within(service, "merged_wordings", memory=one)} == {one, other}


def apply_pins(service: Connection) -> None:
    one = known(service, pinned=True)
    within(service, "apply_pins", facts=[one])
    assert rows(service, "read_fact", bank=BANK, memory=one)[0][17] is False


def statement_tokens(service: Connection) -> None:
    tokens = value(
        service, "statement_tokens", content="I met Bruno, who usually repairs my clocks in Porto."
    )
    assert tokens == ["who:i", "met", "bruno", "qxcut", "qxwho", "repair", "qxmin", "clock", "qxin", "porto"]


def states_fact(service: Connection) -> None:
    assert value(
        service, "states_fact", sentence="I live in Berlin, near the park.", fact="User lives in Berlin."
    )
    assert not value(service, "states_fact", sentence="I left Berlin.", fact="User lives in Berlin.")


def find_evidence(service: Connection) -> None:
    memory_id, lease = steps.remember(service, BANK, summary=TEXT)
    steps.activate(service, BANK, [lease])
    one = known(service)
    asked: dict[str, Any] = {"bank": BANK, "model": MODEL, "most": 9, "at": LATER}
    assert rows(service, "find_evidence", **asked, dry_run=True) == [(2, [one], [memory_id])]
    assert rows(service, "find_evidence", **asked) == [(2, [one], [memory_id])]
    assert rows(service, "find_evidence", **asked) == [(0, None, None)]


def find_similar_conflicts(service: Connection) -> None:
    pair = sorted(
        known(service, text, episodes=2) for text in ("Rex is allowed in.", "Rex is not allowed in.")
    )
    asked: dict[str, Any] = {"bank": BANK, "model": MODEL, "at": START + timedelta(hours=1)}
    assert rows(service, "find_similar_conflicts", **asked) == [(*pair, "negation")]
    assert rows(service, "find_similar_conflicts", **asked) == []


def fade_facts(service: Connection) -> None:
    one = known(service)
    assert value(service, "fade_facts", bank=BANK, at=LATER) == []
    assert value(service, "fade_facts", bank=BANK, at=START + timedelta(days=200)) == [one]


MERGES = (
    episodes_awaiting_facts, facts_without_watermark, bank_thresholds, similar_facts, similar_episodes, set_watermark,
    count_failed_attempt, merge_candidates, plan_merge, compare_facts, is_mergeable, merge_facts, merged_fact,
    transfer_evidence, unmerge_fact, record_merge_decisions, fact_periods, merged_wordings, apply_pins, states_fact,
    statement_tokens, find_evidence, find_similar_conflicts, fade_facts,
)  # fmt: skip
