"""The functions of upkeep, each called once as the service: part of test_smoke.py."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from tests.db import steps
from tests.db.steps import LEASE, MODEL, START, Connection, rows, value

BANK = "smoke"
LATER = START + timedelta(days=31)


def claim(service: Connection, **named: object) -> list[tuple[str, UUID, int]]:
    """As rows of bank, token, attempts."""
    arguments = {"batch": 5, "lease": LEASE, "since": START, "at": LATER, **named}
    return [(row[0], row[1], row[2]) for row in rows(service, "claim_upkeep", **arguments)]


def run_row(pass_name: str = "budget") -> dict[str, Any]:
    return {
        "job_run_id": str(uuid.uuid4()), "night_id": str(uuid.uuid4()), "pass": pass_name, "bank_ids": [BANK],
        "as_of": LATER.isoformat(), "started_at": LATER.isoformat(), "seconds": 1.5, "outcome": "done", "failed": 0,
        "counts": {"facts_deprecated": 1}, "model_calls": 0, "tokens": 0, "compression_ratio": 2.0, "error": None,
        "worker": "here:1",
    }  # fmt: skip


def active(service: Connection, **fields: Any) -> UUID:
    memory_id, lease = steps.remember(service, BANK, **fields)
    steps.activate(service, BANK, [lease])
    return memory_id


def mark_bank_due(service: Connection) -> None:
    touched = [value(service, "mark_bank_due", bank=BANK, activated=n, at=START) for n in (0, 30, 19, 1, 50)]
    assert touched == [False, False, False, True, True]


def claim_upkeep(service: Connection) -> None:
    assert [bank for bank, *_ in claim(service)] == [BANK]
    assert claim(service) == []


def begin_upkeep(service: Connection) -> None:
    ((_, token, _),) = claim(service)
    for lease, ours in ((token, True), (uuid.uuid4(), False)):
        assert value(service, "begin_upkeep", bank=BANK, token=lease, lease=LEASE) is ours


def renew_upkeep(service: Connection) -> None:
    ((_, token, _),) = claim(service)
    assert rows(service, "renew_upkeep", banks=[BANK], tokens=[token], lease=LEASE) == [(BANK,)]


def release_upkeep(service: Connection) -> None:
    ((_, token, attempts),) = claim(service)
    assert value(service, "release_upkeep", banks=[BANK], tokens=[token], attempts=[attempts]) == 1
    assert len(claim(service)) == 1


def complete_upkeep(service: Connection) -> None:
    ((_, token, _),) = claim(service)
    done = {"bank": BANK, "token": token, "runs": Jsonb([run_row()]), "message_days": 30.0, "at": LATER}
    assert [value(service, "complete_upkeep", **done) for _ in range(2)] == [True, False]
    assert claim(service) == []


def fail_upkeep(service: Connection) -> None:
    ((_, token, _),) = claim(service)
    failed = {"bank": BANK, "token": token, "reason": "a test", "delay": LEASE, "runs": Jsonb([run_row()])}
    assert [value(service, "fail_upkeep", **failed) for _ in range(2)] == [True, False]
    assert rows(service, "upkeep_remaining", at=LATER)[0][:3] == (0, 0, 1)


def record_job_runs(service: Connection) -> None:
    row = run_row()
    for seconds in (1.0, 2.0):
        rows(service, "record_job_runs", runs=Jsonb([{**row, "seconds": seconds}]))
    rows(service, "enter_bank", bank=BANK)
    assert service.execute("select banks, seconds from analytics.job_run").fetchall() == [(1, 2.0)]


def upkeep_remaining(service: Connection) -> None:
    assert rows(service, "upkeep_remaining", at=LATER)[0][:3] == (1, 0, 0)
    claim(service)
    assert rows(service, "upkeep_remaining", at=LATER)[0][:3] == (0, 1, 0)


def list_due_banks(service: Connection) -> None:
    assert rows(service, "list_due_banks", page=5, at=LATER) == [(BANK,)]


def next_upkeep_time(service: Connection) -> None:
    steps.fact(service, BANK, "Rex is black.")
    fades = value(service, "next_upkeep_time", bank=BANK, message_days=30.0, at=START)
    assert timedelta(days=69) < fades - START < timedelta(days=70)  # ln(0.6 / 0.3) / 0.01


def memories_over_caps(service: Connection) -> None:
    memory_id = active(service)
    found = rows(service, "memories_over_caps", bank=BANK, most_active=0, at=LATER)
    assert found == [(memory_id, "episodic", "archived", "over the cap of 0 active episodes")]


def enforce_caps(service: Connection) -> None:
    memory_id = active(service)
    known = steps.fact(service, BANK, "Rex is black.")
    caps = {"bank": BANK, "most_active": 0, "most_archived": 0, "most_facts": 0, "at": LATER}
    assert {(row[0], row[2]) for row in rows(service, "enforce_caps", **caps)} == {
        (memory_id, "deprecated"), (known, "deprecated"),
    }  # fmt: skip
    assert rows(service, "enforce_caps", **caps) == []


def restore_memory(service: Connection) -> None:
    memory_id, known = active(service), steps.fact(service, BANK, "Rex is black.")
    rows(service, "enforce_caps", bank=BANK, most_active=0, most_archived=0, most_facts=0, at=LATER)
    restored = [
        value(service, "restore_memory", bank=BANK, memory=m, actor="a test") for m in (memory_id, known)
    ]
    assert restored == ["pending_embedding", "tentative"]


def delete_episodes(service: Connection) -> None:
    memory_id = active(service)
    gone = rows(service, "delete_episodes", bank=BANK, memories=[memory_id], reason="a test", actor="a test")
    assert gone == [(memory_id,)]
    assert rows(service, "read_memory", bank=BANK, memory=memory_id) == []


def prune_episodes(service: Connection) -> None:
    assert rows(service, "prune_episodes", bank=BANK, at=LATER) == []


def expire_messages(service: Connection) -> None:
    active(service)
    days = [value(service, "expire_messages", bank=BANK, days=d, at=LATER) for d in (60.0, 30.0, 30.0)]
    assert days == [0, 1, 0]


def preview_budget(service: Connection) -> None:
    active(service)
    would = rows(
        service,
        "preview_budget",
        bank=BANK,
        message_days=30.0,
        trace_days=30.0,
        trace_query_days=7.0,
        at=LATER,
    )
    assert would == [([], 1, 0)]


def compression_ratio(service: Connection) -> None:
    active(service)
    assert value(service, "compression_ratio", bank=BANK) == 1.0


def spent_since(service: Connection) -> None:
    rows(
        service, "begin_model_call", bank=BANK, model=MODEL, purpose="merge", items=1, input_tokens=100,
        output_tokens=50, daily_tokens=None, at=START,
    )  # fmt: skip
    calls, tokens, line = rows(service, "spent_since", bank=BANK, purposes=["merge"], after_call=0)[0]
    assert (calls, tokens) == (1, 150)
    assert rows(service, "spent_since", bank=BANK, purposes=["merge"], after_call=line) == [(0, 0, line)]


def extend_vector_index(service: Connection) -> None:
    active(service)
    moved = [
        value(service, "extend_vector_index", bank=BANK, model=MODEL, page=100, enter_above=0, at=START)
        for _ in range(2)
    ]
    assert moved[0] >= 1
    assert moved[1] == 0


def index_vectors(service: Connection) -> None:
    memory_id = active(service)
    value(service, "index_vectors", bank=BANK, memories=[memory_id])


def nearest_indexed(service: Connection) -> None:
    memory_id = active(service)
    for _ in range(2):
        value(service, "extend_vector_index", bank=BANK, model=MODEL, page=100, enter_above=0, at=START)
    found = rows(
        service, "nearest_indexed", bank=BANK, model=MODEL, query=steps.unit_vector(0), count=50, statuses=["active"],
        least_confidence=0.3,
    )  # fmt: skip
    assert (memory_id, 0.0) in found


def most_pass(service: Connection) -> None:
    active(service)
    filters = {
        "types": None, "tags": None, "min_importance": None, "since": None, "until": None, "recipient": None,
        "agent": None, "historical": False, "at": START,
    }  # fmt: skip
    for statuses, passes in ((["active"], True), (["archived"], False)):
        assert value(service, "most_pass", bank=BANK, statuses=statuses, **filters) is passes


def nearest_among(service: Connection) -> None:
    near, far = active(service), active(service)
    found = rows(
        service, "nearest_among", bank=BANK, model=MODEL, query=steps.unit_vector(0), count=5, memories=[near, far],
    )  # fmt: skip
    assert found == sorted([(near, 0.0), (far, 0.0)])
    (one,) = rows(
        service, "nearest_among", bank=BANK, model=MODEL, query=steps.unit_vector(0), count=5, memories=[far]
    )
    assert one == (far, 0.0)


UPKEEP = (
    mark_bank_due, claim_upkeep, begin_upkeep, renew_upkeep, release_upkeep, complete_upkeep, fail_upkeep,
    record_job_runs, upkeep_remaining, list_due_banks, next_upkeep_time, memories_over_caps, enforce_caps,
    restore_memory, delete_episodes, prune_episodes, expire_messages, preview_budget, compression_ratio, spent_since,
    extend_vector_index, index_vectors, nearest_among, nearest_indexed, most_pass,
)  # fmt: skip
