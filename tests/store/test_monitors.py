"""Views of the four monitors: figures that can be worked out by hand, and no row without a measurement."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg
import pytest
from psycopg.rows import dict_row
from psycopg.types.json import Jsonb

from memory_service.memory import Memory
from tests.conftest import settle
from tests.db import steps

Admin = psycopg.Connection[tuple[object, ...]]
START = datetime(2026, 3, 1, 23, 30, tzinfo=UTC)
VIEWS = ("retrieval_hit_rate", "memory_age_at_retrieval", "contradiction_frequency", "compression_ratio")


def view(admin: Admin, name: str) -> list[dict[str, Any]]:
    with admin.cursor(row_factory=dict_row) as cursor:
        return cursor.execute(f"select * from analytics.{name} order by bank_id, day".encode()).fetchall()


def read(
    admin: Admin,
    bank: str,
    at: datetime,
    *found: tuple[float, float],
    degraded: bool = False,
    kind: str = "recall",
) -> None:
    """A trace whose candidates have these similarities and ages; one of negative age was dropped."""
    fields: dict[str, Any] = {
        "trace_id": str(uuid.uuid4()), "kind": kind, "query": "q", "profile": "balanced", "mode": "tool",
        "returned": sum(age >= 0 for _, age in found), "degraded": degraded, "figures": {}, "seen": [],
        "at": at.isoformat(),
    }  # fmt: skip
    candidates = [
        {"similarity": similarity, "age_days": abs(age), "dropped": None if age >= 0 else "beyond k=1"}
        for similarity, age in found
    ]
    names = ("similarity", "age_days", "dropped")
    fields["candidates"] = {name: [c[name] for c in candidates] for name in names}
    with admin.transaction():
        steps.rows(admin, "record_traces", bank=bank, traces=Jsonb([fields]))


def episode(admin: Admin, bank: str, at: datetime, **fields: Any) -> None:
    fields = {"occurred_at": at.isoformat(), "extracted_by": "rules"} | fields
    with admin.transaction():
        memory = steps.episode(uuid.uuid4(), **fields)
        steps.rows(admin, "insert_episodes", bank=bank, episodes=Jsonb([memory.obj]), at=at)


@pytest.fixture
def banks(admin: Admin) -> None:
    for bank in ("anna", "bob"):
        with admin.transaction():
            steps.create_bank(admin, bank)


@pytest.mark.parametrize("name", VIEWS)
def test_where_nothing_happened_there_is_no_figure(admin: Admin, banks: None, name: str) -> None:
    assert view(admin, name) == []


def test_the_hit_rate_counts_reads_that_found_something_near(admin: Admin, banks: None) -> None:
    read(admin, "anna", START, (0.9, 1), (0.1, 2))
    read(admin, "anna", START, (0.4, 1), (0.95, -1))  # at the threshold, and a dropped candidate
    read(admin, "anna", START, degraded=True)
    read(admin, "anna", START + timedelta(hours=1), (0.41, 1))  # the next UTC day
    read(admin, "bob", START)
    read(admin, "bob", START, kind="compact")
    day = START.date()
    assert view(admin, "retrieval_hit_rate") == [
        {"bank_id": "anna", "day": day, "reads": 3, "answered": 2, "hits": 1, "hit_rate": pytest.approx(1 / 3),
         "mean_best_similarity": pytest.approx(0.65), "degraded": 1},
        {"bank_id": "anna", "day": day + timedelta(days=1), "reads": 1, "answered": 1, "hits": 1, "hit_rate": 1.0,
         "mean_best_similarity": pytest.approx(0.41), "degraded": 0},
        {"bank_id": "bob", "day": day, "reads": 1, "answered": 0, "hits": 0, "hit_rate": 0.0,
         "mean_best_similarity": None, "degraded": 0},
    ]  # fmt: skip


def test_the_age_is_of_what_was_returned(admin: Admin, banks: None) -> None:
    read(admin, "anna", START, (0.9, 1), (0.9, 2), (0.9, -500))
    read(admin, "anna", START, (0.9, 30), (0.9, -1))
    read(admin, "bob", START)
    assert view(admin, "memory_age_at_retrieval") == [
        {"bank_id": "anna", "day": START.date(), "reads": 2, "memories": 3, "mean_age_days": pytest.approx(11),
         "median_age_days": 2.0, "oldest_age_days": 30.0},
    ]  # fmt: skip


def test_contradictions_are_judged_ones_beside_new_facts(admin: Admin, banks: None) -> None:
    """By when they became known; a succession is none, nor are two that both hold."""
    home: dict[str, Any] = {"timeline": "user|lives_in", "cardinality": "one"}
    day, next_day = START.date(), START.date() + timedelta(days=1)
    porto = steps.fact(
        admin, "anna", "lives in Porto", at=START - timedelta(days=99), known=START, value="Porto", **home
    )
    faro = steps.fact(admin, "anna", "lives in Faro", at=START, value="Faro", **home)
    likes, hates = (steps.fact(admin, "anna", f"{verb} tea", at=START) for verb in ("likes", "hates"))
    steps.conflict(admin, "anna", likes, hates, at=START)
    steps.conflict(admin, "anna", likes, porto, at=START)
    steps.conflict(admin, "anna", faro, hates, at=START + timedelta(hours=1))  # the next UTC day
    steps.conflict(admin, "anna", faro, likes, at=START)
    admin.execute(
        "update memory.fact_conflict set resolution = 'both', resolved_at = now() where %s in (one_id, other_id) "
        "and %s in (one_id, other_id)", (faro, likes),
    )  # fmt: skip
    admin.execute(
        "update memory.fact_conflict set resolution = 'kept', kept_id = %s, resolved_at = now() "
        "where %s in (one_id, other_id)", (porto, porto),
    )  # fmt: skip
    steps.fact(admin, "bob", "likes tea", at=START)
    assert view(admin, "contradiction_frequency") == [
        {"bank_id": "anna", "day": day, "facts": 4, "contradictions": 2, "open": 1, "contradiction_frequency": 0.5},
        {"bank_id": "anna", "day": next_day, "facts": 0, "contradictions": 1, "open": 1,
         "contradiction_frequency": None},
        {"bank_id": "bob", "day": day, "facts": 1, "contradictions": 0, "open": 0, "contradiction_frequency": 0.0},
    ]  # fmt: skip


def test_compression_is_what_was_said_over_what_stands(admin: Admin, banks: None) -> None:
    said = {"messages": [{"content": "x" * 90}, {"content": "y" * 60}]}
    episode(admin, "anna", START, full_text=said, summary="s" * 50)
    episode(admin, "anna", START, full_text={"content": "z" * 50}, summary="z" * 50)
    episode(admin, "anna", START, full_text={"content": "w" * 50}, summary="w" * 50, status="quarantined")
    admin.execute(
        "update memory.episodic_memory set status = case when summary like 's%' then 'active' else 'merged_into' end "
        "where status = 'pending_embedding'"
    )
    told = {"bank_id": "anna", "day": START.date(), "episodes": 2, "merged": 1, "archived": 0, "facts": 0,
            "characters_said": 200, "characters_kept": 50, "compression_ratio": 4.0}  # fmt: skip
    assert view(admin, "compression_ratio") == [told]
    steps.fact(admin, "anna", "f" * 25, at=START)
    admin.execute("update memory.episodic_memory set status = 'archived' where status = 'active'")
    told |= {"archived": 1, "facts": 1, "characters_kept": 25, "compression_ratio": 8.0}
    assert view(admin, "compression_ratio") == [told]


async def test_the_monitors_show_what_really_happened(memory: Memory, admin: Admin) -> None:
    """From the doors to the views: reads leave the traces."""
    await memory.create_bank("anna")
    for n, text in enumerate(("I live in Porto.", "I live in Lisbon.")):
        await memory.remember("anna", text, occurred_at=datetime(2026, 1, 1 + n, tzinfo=UTC))
    await settle(memory, "anna")
    await memory.recall("anna", "Where do I live?")
    await memory.flush()
    (hits,) = view(admin, "retrieval_hit_rate")
    assert (hits["reads"], hits["answered"]) == (1, 1)
    (ages,) = view(admin, "memory_age_at_retrieval")
    assert ages["memories"] == 3, "both, and the fact that holds"
    assert ages["mean_age_days"] > 200
    (compressed,) = view(admin, "compression_ratio")
    assert compressed["episodes"] == 2
