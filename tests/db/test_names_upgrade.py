"""Migration 0029 on a database with the names from before it: same tables as a fresh one, all rows intact."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest
from psycopg.types.json import Jsonb

from memory_service.db.migrate import migrate
from tests.conftest import Admin
from tests.db import steps
from tests.db.steps import START, Connection, claim, rows, value
from tests.db.test_drift import definitions

pytestmark = pytest.mark.own_database

NAMES: Any = import_module("memory_service.db.versions.0029_names")
TABLES = (
    "conversation", "embedding_model", "episodic_memory", "semantic_memory", "fact_judgement", "fact_pair",
    "fact_merge", "merge_decision", "memory_text", "retrieval_trace", "watermark", "work",
)  # fmt: skip


def fill(service: Connection) -> None:
    """At least one row in each of TABLES."""
    steps.create_bank(service, "a")
    _, lease = steps.remember(service, "a", summary="Where do foxes sleep?")
    steps.activate(service, "a", [lease], steps.unit_vector(0))
    pair = [steps.fact(service, "a", f"Rex is {colour}.") for colour in ("black", "dark")]
    more = [steps.fact(service, "a", "Ida sails.", episodes=3, timeline=f"t{n}") for n in range(2)]
    rows(service, "review_fact", bank="a", memory=pair[0], judgement="pinned", actor="ann", at=START)
    assert steps.judged(service, "a", pair[0], pair[1]) == 1
    assert rows(service, "merge_facts", bank="a", members=more, actor="merge", at=START)
    decision = {
        "one": str(pair[0]),
        "other": str(pair[1]),
        "texts": ["Rex is black.", "Rex is dark."],
        "same": True,
    }
    rows(service, "record_merge_decisions", bank="a", pairs=Jsonb([decision]), decided_by="a model", at=START)
    rows(service, "set_watermark", bank="a", **{"pass": "merge"}, memories=pair[:1], states=["as it is"])
    trace: dict[str, object] = {
        "trace_id": "00000000-0000-0000-0000-000000000001", "kind": "recall", "query": "q", "parameters": {"k": 1},
        "profile": "relevant", "mode": "tool", "candidates": "{}", "returned": 0, "degraded": False, "figures": {},
        "seen": [],
    }  # fmt: skip
    rows(service, "record_traces", bank="a", traces=Jsonb([trace]), at=START)
    steps.add(service, "a", "waiting", at=START)
    steps.add(service, "a", "dead", at=START)


def as_of_0028(admin: Admin) -> None:
    """Undo the migrations after 0029."""
    admin.execute(
        "drop table memory.metric, memory.analyst_grant, memory.audit_event, memory.rate_limit, memory.api_key, "
        "memory.idempotency_key, "
        "memory.episode_version, memory.relational_memory, memory.relational_evidence, memory.relational_version, "
        "memory.relational_vector, memory.relationship, memory.emotional_thread, memory.emotional_thread_episode, "
        "memory.emotional_thread_act, memory.session_memory, memory.session_checkpoint, memory.session_part, "
        "memory.procedural_memory, memory.procedure_evidence, memory.procedure_version, memory.procedural_vector, "
        "memory.lesson_vector, memory.erasure, memory.erased_item, memory.erasure_secret, "
        "memory.reembedding, "
        "memory.server, memory.server_slot, memory.bank_place, memory.server_map, memory.bank_fence cascade"
    )
    admin.execute("alter table memory.memory_text add column question_id uuid")
    admin.execute("drop index memory.episodic_memory_lesson_idx, memory.gate_decision_outcome_idx")
    admin.execute("alter table memory.episodic_memory drop column signals, drop column observed_at")
    admin.execute("alter table memory.episodic_memory drop column version")
    admin.execute("alter table memory.memory_event drop column xid")
    admin.execute("alter table memory.installation drop column cluster")
    admin.execute("alter table memory.fact_judgement drop column rival_id, drop column segment_id")
    admin.execute("alter table memory.fact_conflict drop column segment_id")
    admin.execute("update memory.alembic_version set version_num = '0028'")


def contents(admin: Admin) -> dict[str, list[str]]:
    """All rows of TABLES in the order of their columns, as text."""
    found = {
        table: [
            str(row[0])
            for row in admin.execute(f"select t::text from memory.{table} t order by 1".encode()).fetchall()
        ]
        for table in TABLES
    }
    assert all(found.values()), [table for table in TABLES if not found[table]]
    return found


def give_former_names(admin: Admin) -> None:
    as_of_0028(admin)
    for table, old, new in NAMES.COLUMNS:
        admin.execute(f"alter table memory.{table} rename column {new} to {old}".encode())
    for table, old, new in NAMES.CONSTRAINTS:
        admin.execute(f"alter table memory.{table} rename constraint {new} to {old}".encode())
    for old, new in NAMES.INDEXES:
        admin.execute(f"alter index memory.{new} rename to {old}".encode())
    for table, old, new in NAMES.POLICIES:
        admin.execute(f"alter policy {new} on memory.{table} rename to {old}".encode())
    for old, new in NAMES.TABLES:
        admin.execute(f"alter table memory.{new} rename to {old}".encode())
    admin.execute("alter table memory.work drop constraint work_kind_check")
    admin.execute("update memory.work set kind = 'cut' where kind = 'segment'")
    admin.execute(
        "alter table memory.work add constraint work_kind_check "
        "check (kind in ('cut', 'extract', 'annotate', 'embed', 'facts', 'judge'))"
    )
    admin.execute("update memory.installation set digest = 'of the release before'")


def test_former_names_are_changed_and_rows_stay(service: Connection, admin: Admin, database_url: str) -> None:
    fresh = definitions(admin)
    fill(service)
    admin.execute("update memory.work set dead_at = now(), attempts = 5 where subject = 'dead'")
    before = contents(admin)
    give_former_names(admin)
    assert migrate(database_url, release="next").changed
    assert contents(admin) == before
    assert definitions(admin) == fresh
    assert [lease.subject for lease in claim(service, "segment", at=START + steps.QUIET)] == ["waiting"]
    assert value(service, "redrive_work", bank="a", page=10) == 1


def test_a_database_with_the_names_stays_as_it_is(admin: Admin, database_url: str) -> None:
    fresh = definitions(admin)
    as_of_0028(admin)
    admin.execute("update memory.installation set digest = 'of the release before'")
    assert migrate(database_url, release="next").changed
    assert definitions(admin) == fresh
