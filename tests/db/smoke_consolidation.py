"""The functions of consolidation, each called once as the service: part of test_smoke.py."""

from __future__ import annotations

import uuid
from datetime import timedelta
from uuid import UUID

from psycopg.types.json import Jsonb

from tests.db import steps
from tests.db.smoke_facts import SAID, count, stating
from tests.db.steps import MODEL, START, Connection, rows, unit_vector, value

BANK = "smoke"
LATER = START + timedelta(days=40)
CLUSTER = uuid.uuid4()


def pair(service: Connection) -> list[UUID]:
    """Two active episodes."""
    found: list[UUID] = []
    for _ in range(2):
        memory_id, lease = steps.remember(service, BANK)
        steps.activate(service, BANK, [lease], merges=False)
        found.append(memory_id)
    return found


def unclustered_episodes(service: Connection) -> None:
    both = pair(service)
    found = rows(service, "unclustered_episodes", bank=BANK, model=MODEL, most=10, at=LATER)
    assert {(row[0], row[2]) for row in found} == {(one, True) for one in both}


def assign_clusters(service: Connection) -> None:
    both = pair(service)
    clusters = {"memories": both, "clusters": [CLUSTER, None]}
    assert value(service, "assign_clusters", bank=BANK, at=LATER, **clusters)
    assert not value(service, "assign_clusters", bank=BANK, at=LATER, **clusters)
    assert rows(service, "unclustered_episodes", bank=BANK, model=MODEL, most=10, at=LATER) == []


def unconsolidated_episodes(service: Connection) -> None:
    both = pair(service)
    value(service, "assign_clusters", bank=BANK, memories=both, clusters=[CLUSTER, CLUSTER], at=LATER)
    much = {
        "min_episodes": 3, "enough_episodes": 8, "characters": 120, "context_episodes": 8, "merges_similar": False,
    }  # fmt: skip
    found = rows(
        service, "unconsolidated_episodes", bank=BANK, model=MODEL, older_than=START, at=LATER, **much
    )
    assert {(row[0], row[1], row[9], row[10]) for row in found} == {
        (one, CLUSTER, True, True) for one in both
    }


def summed_up(service: Connection) -> tuple[list[UUID], UUID]:
    both, summary = pair(service), uuid.uuid4()
    made = {
        "memory_id": str(summary), "cluster_id": str(CLUSTER), "kind": "cluster", "content": "Twice.",
        "since": START.isoformat(), "extracted_by": "rules", "reason": "a test",
    }  # fmt: skip
    fresh = value(
        service, "consolidate_episodes", bank=BANK, model=MODEL, pending=both, facts=Jsonb([]), embeddings="{}",
        compressed=both, older_than=START, wording=Jsonb(made), parts=f'{{"{unit_vector(1)}"}}', at=LATER,
    )  # fmt: skip
    assert fresh == 0
    return both, summary


def consolidate_episodes(service: Connection) -> None:
    _, summary = summed_up(service)
    assert steps.recall(service, BANK) == [summary]


def write_summary(service: Connection) -> None:
    both, summary = summed_up(service)
    found = service.execute(
        "select represents, status, metadata ->> 'summary_of' from memory.episodic_memory where memory_id = %s",
        (summary,),
    ).fetchone()
    assert found == (len(both), "active", "2")


def restore_episodes(service: Connection) -> None:
    both, summary = summed_up(service)
    asked = {"bank": BANK, "memory": summary, "actor": "a test", "at": LATER}
    assert value(service, "restore_episodes", **asked) == 2
    assert value(service, "restore_episodes", **asked) == 0
    assert set(steps.recall(service, BANK)) == set(both)


def write_statements(service: Connection) -> None:
    lease = stating(service)
    said = {"episode_id": lease.subject, "memory_id": str(uuid.uuid4()), **SAID}
    for made in (1, 0):
        assert made == value(
            service, "write_statements", bank=BANK, model=MODEL, episodes=[UUID(lease.subject)], facts=Jsonb([said]),
            embeddings=f'{{"{unit_vector(0)}"}}', resolve_conflicts=False, at=START,
        )  # fmt: skip
    assert count(service, "fact_evidence") == 1


CONSOLIDATION = (
    unclustered_episodes, assign_clusters, unconsolidated_episodes, consolidate_episodes, write_summary,
    restore_episodes, write_statements,
)  # fmt: skip
