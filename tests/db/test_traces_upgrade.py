"""Traces from before 0016, when their candidates were jsonb: read as before, by everybody who could."""

from __future__ import annotations

import uuid
from datetime import timedelta
from importlib import import_module
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from memory_service.db.migrate import migrate
from tests.conftest import Admin
from tests.db import steps
from tests.db.steps import START, Connection

ONE, OTHER = str(UUID(int=1)), str(UUID(int=2))
EARLY = [
    {"memory_id": ONE, "score": 0.5, "similarity": 0.6, "age_days": 3, "reason": "recent", "dropped": None,
     "figures": {"cosine": 0.3}},
    {"memory_id": OTHER, "score": 0.4, "similarity": None, "age_days": 30, "reason": "recent", "dropped": "beyond k=1",
     "figures": {"cosine": 0.1}},
]  # fmt: skip
LATER = {name: [one[name] for one in EARLY] for name in EARLY[0] if name != "figures"} | {
    "figures": {"cosine": [0.3, 0.1]}
}
MONITORS = ("retrieval_hit_rate", "memory_age_at_retrieval")


def read(admin: Admin) -> list[Any]:
    found: list[Any] = [
        admin.execute(f"select * from analytics.{name} order by day".encode()).fetchall() for name in MONITORS
    ]
    return [*found, *(steps.rows(admin, "read_trace", bank="a", trace=UUID(int=n)) for n in range(3))]


def storage(admin: Admin) -> object:
    return admin.execute(
        "select format_type(atttypid, null), attstorage from pg_attribute "
        "where attrelid = 'memory.retrieval_trace'::regclass and attname = 'candidates'"
    ).fetchone()


COLUMNS_SINCE = (
    ("episodic_memory", "reply"), ("semantic_memory", "contradicted_at"), ("fact_version", "contradicted_at"),
    ("memory_text", "mentions"),
)  # fmt: skip
"""Made by the migrations after the one that is tried here."""


def test_old_traces_are_read_as_before_by_whoever_could(
    service: Connection, admin: Admin, database_url: str
) -> None:
    fresh = storage(admin)
    steps.create_bank(service, "a")
    step: str = import_module("memory_service.db.versions.0016_traces_as_text").TEXT
    admin.execute(step.replace("json using candidates::json", "jsonb using candidates::jsonb").encode())
    admin.execute("alter table memory.retrieval_trace alter column candidates set storage extended")
    for n, candidates in enumerate((EARLY, LATER, [])):
        admin.execute(
            "insert into memory.retrieval_trace (bank_id, trace_id, kind, query, profile, mode, candidates, returned, "
            "degraded, at) values ('a', %s, 'recall', 'q', 'balanced', 'tool', %s, 1, false, %s)",
            (UUID(int=n), Jsonb(candidates), START + timedelta(days=n)),
        )
    reader = f"reader_{uuid.uuid4().hex[:12]}"
    admin.execute(f"create role {reader}".encode())
    try:
        for name in MONITORS:
            admin.execute(f"grant select on analytics.{name} to {reader}".encode())
        admin.execute("create view public.weekly as select bank_id, reads from analytics.retrieval_hit_rate")
        for table, column in COLUMNS_SINCE:
            admin.execute(f"alter table memory.{table} drop column {column} cascade".encode())
        admin.execute(
            "drop index memory.word_count_reverse_idx, memory.semantic_memory_ended_idx, memory.work_newest_idx, "
            "memory.episodic_memory_tags_idx, memory.episodic_memory_recipients_idx, memory.episodic_memory_agent_idx, "
            "memory.message_status_idx"
        )
        admin.execute("drop table memory.vector_index, memory.indexed_vector cascade")
        admin.execute("update memory.alembic_version set version_num = '0015'")
        admin.execute("update memory.installation set digest = 'of the release before'")
        assert migrate(database_url, release="next").changed
        hits, ages, early, later, empty = read(admin)
        assert [row[3:5] for row in hits] == [(1, 1), (1, 1), (1, 0)]
        assert [row[4] for row in ages] == [3, 3]
        assert early[0][-1] == later[0][-1] == [one | {"content": None} for one in EARLY]
        assert empty[0][-1] == []
        assert storage(admin) == fresh == ("json", "e")
        for name in MONITORS:
            assert admin.execute(
                "select has_table_privilege(%s, %s, 'select')", (reader, f"analytics.{name}")
            ).fetchone() == (True,)
        assert len(admin.execute("select from public.weekly").fetchall()) == 3
    finally:
        admin.execute(f"drop owned by {reader}; drop role {reader}".encode())
