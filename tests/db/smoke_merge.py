"""The functions of merging facts and of the night, each called once as the service: part of test_smoke.py."""

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


def alike_facts(service: Connection) -> None:
    one, other = two(service)
    known(service, axis=1)
    assert rows(service, "alike_facts", bank=BANK, model=MODEL, facts=[one], threshold=0.9) == [
        (one, other, 1.0)
    ]


def alike_episodes(service: Connection) -> None:
    memory_id, lease = steps.remember(service, BANK)
    steps.activate(service, BANK, [lease])
    one = known(service)
    asked = {"bank": BANK, "model": MODEL, "facts": [one], "episodes": [memory_id], "threshold": 0.9}
    assert rows(service, "alike_episodes", **asked) == [(one, memory_id, 1.0)]


def mark_night(service: Connection) -> None:
    one = uuid.uuid4()
    for state in ("a", "b"):
        rows(service, "mark_night", bank=BANK, **{"pass": "merge"}, memories=[one], states=[state])


def mark_in_vain(service: Connection) -> None:
    """Twice of an old state, then three times of another."""
    both = [uuid.uuid4(), uuid.uuid4()]
    for state, last in (("a", False), ("a", False), ("b", False), ("b", False), ("b", True)):
        arguments = {"pass": "merge", "memories": both, "states": [state, state], "most": 3}
        assert value(service, "mark_in_vain", bank=BANK, **arguments) is last
    with service.transaction():
        rows(service, "enter_bank", bank=BANK)
        found = service.execute("select state from memory.night_mark where memory_id = any (%s)", (both,))
        assert found.fetchall() == [("b",), ("b",)]


def facts_waiting(service: Connection) -> None:
    one = uuid.uuid4()
    steps.enqueue(service, BANK, str(one), "facts")
    assert rows(service, "facts_waiting", bank=BANK) == [(one,)]


def unmarked_facts(service: Connection) -> None:
    one = steps.fact(service, BANK, "Rex is black.")
    ((found, state),) = rows(service, "unmarked_facts", bank=BANK, **{"pass": "doubt"}, most=9)
    assert found == one
    rows(service, "mark_night", bank=BANK, **{"pass": "doubt"}, memories=[one], states=[state])
    assert rows(service, "unmarked_facts", bank=BANK, **{"pass": "doubt"}, most=9) == []


def merge_candidates(service: Connection) -> None:
    both = two(service)
    ((members, _, texts, verdict, winner, reason),) = rows(
        service, "merge_candidates", bank=BANK, model=MODEL, at=LATER
    )
    assert (set(members), texts, verdict, winner, reason) == (set(both), [TEXT] * 2, "merge", both[0], None)


def plan_merge(service: Connection) -> None:
    both = two(service)
    assert rows(service, "plan_merge", bank=BANK, members=both, at=LATER) == [(both[0], both[1], None)]


def same_fact(service: Connection) -> None:
    both = two(service)
    with service.transaction():
        rows(service, "enter_bank", bank=BANK)
        found = service.execute(
            "select memory_api.same_fact(%s, one, other) from memory.semantic_memory one, memory.semantic_memory other "
            "where one.memory_id = %s and other.memory_id = %s", (BANK, *both),
        ).fetchall()  # fmt: skip
    assert found == [("same",)]


def is_mergeable(service: Connection) -> None:
    two(service)
    with service.transaction():
        rows(service, "enter_bank", bank=BANK)
        found = service.execute(
            "select bool_and(memory_api.is_mergeable(f)) from memory.semantic_memory f"
        ).fetchall()
    assert found == [(True,)]


def merge_facts(service: Connection) -> None:
    one, other = merged(service)
    assert rows(service, "winner_of", bank=BANK, memory=other) == [(one,)]


def winner_of(service: Connection) -> None:
    one = known(service)
    assert value(service, "winner_of", bank=BANK, memory=one) == one


def move_to_winner(service: Connection) -> None:
    merged(service)
    with service.transaction():
        rows(service, "enter_bank", bank=BANK)
        ((this, moved),) = service.execute(
            "select merge_id, cardinality(episodes) from memory.fact_merge"
        ).fetchall()
        rows(service, "move_to_winner", bank=BANK, of_merge=this)
        again = service.execute("select cardinality(episodes) from memory.fact_merge").fetchall()
    assert again == [(moved,)] == [(1,)]


def unmerge_fact(service: Connection) -> None:
    _, other = merged(service)
    for _ in range(2):
        (entry,) = rows(service, "unmerge_fact", bank=BANK, memory=other, actor="a test", at=LATER)
        assert "tentative" in entry


def judge_merges(service: Connection) -> None:
    one, other = two(service)
    pairs = [{"one": str(one), "other": str(other), "texts": [TEXT, TEXT], "same": False}]
    assert value(service, "judge_merges", bank=BANK, pairs=Jsonb(pairs), decided_by="m", at=START) == 1
    assert value(service, "merge_facts", bank=BANK, members=[one, other], actor="m", at=LATER) == []


def within(service: Connection, function: str, **arguments: Any) -> list[tuple[Any, ...]]:
    with service.transaction():
        rows(service, "enter_bank", bank=BANK)
        return rows(service, function, bank=BANK, **arguments)


def periods_of(service: Connection) -> None:
    one = known(service)
    assert within(service, "periods_of", memory=one) == [([one],)]


def wordings_of(service: Connection) -> None:
    one, other = merged(service)
    assert {row[0] for row in within(service, "wordings_of", memory=one)} == {one, other}


def pin_as_judged(service: Connection) -> None:
    one = known(service, pinned=True)
    within(service, "pin_as_judged", facts=[one])
    assert rows(service, "read_fact", bank=BANK, memory=one)[0][17] is False


def statement_tokens(service: Connection) -> None:
    tokens = value(
        service, "statement_tokens", content="I met Bruno, who usually repairs my clocks in Porto."
    )
    assert tokens == ["who:i", "met", "bruno", "qxcut", "qxwho", "repair", "qxmin", "clock", "qxin", "porto"]


def says_so(service: Connection) -> None:
    assert value(
        service, "says_so", sentence="I live in Berlin, near the park.", fact="User lives in Berlin."
    )
    assert not value(service, "says_so", sentence="I left Berlin.", fact="User lives in Berlin.")


def find_evidence(service: Connection) -> None:
    memory_id, lease = steps.remember(service, BANK, summary=TEXT)
    steps.activate(service, BANK, [lease])
    one = known(service)
    asked: dict[str, Any] = {"bank": BANK, "model": MODEL, "most": 9, "at": LATER}
    assert rows(service, "find_evidence", **asked, dry_run=True) == [(2, [one], [memory_id])]
    assert rows(service, "find_evidence", **asked) == [(2, [one], [memory_id])]
    assert rows(service, "find_evidence", **asked) == [(0, None, None)]


def find_night_conflicts(service: Connection) -> None:
    pair = sorted(
        known(service, text, episodes=2) for text in ("Rex is allowed in.", "Rex is not allowed in.")
    )
    asked: dict[str, Any] = {"bank": BANK, "model": MODEL, "at": START + timedelta(hours=1)}
    assert rows(service, "find_night_conflicts", **asked) == [(*pair, "negation")]
    assert rows(service, "find_night_conflicts", **asked) == []


def fade_facts(service: Connection) -> None:
    one = known(service)
    assert value(service, "fade_facts", bank=BANK, at=LATER) == []
    assert value(service, "fade_facts", bank=BANK, at=START + timedelta(days=200)) == [one]


MERGES = (
    facts_waiting, unmarked_facts, bank_thresholds, alike_facts, alike_episodes, mark_night, mark_in_vain,
    merge_candidates,
    plan_merge, same_fact, is_mergeable,
    merge_facts, winner_of, move_to_winner, unmerge_fact, judge_merges, periods_of, wordings_of, pin_as_judged,
    says_so, statement_tokens, find_evidence, find_night_conflicts, fade_facts,
)  # fmt: skip
