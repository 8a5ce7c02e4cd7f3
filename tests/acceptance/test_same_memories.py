"""Sixteen processes commit the same thirty texts concurrently: thirty active memories, each with `represents` 16."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path

from tests.acceptance.running import (
    BANK,
    DEADLINE,
    Admin,
    Service,
    administrator,
    check_invariants,
    nothing_left,
    settled,
    start_worker,
)

PROCESSES = 16
PEOPLE = ("Maria", "Tom", "Ines", "Jonas", "Clara", "Pavel", "Amira", "Olu", "Greta", "Ravi")
THINGS = ("a red bicycle", "two old clocks", "a grey parrot")
TEXTS = [f"{person} keeps {thing} in the cellar." for person in PEOPLE for thing in THINGS]

MERGED_WRONGLY = {
    "merged into what is not active": """
        select e.memory_id from memory.episodic_memory e
          left join memory.episodic_memory k on k.bank_id = e.bank_id and k.memory_id = e.merged_into_id
         where (e.status = 'merged_into') <> (k.status is not distinct from 'active')""",
    "another text swallowed": """
        select e.summary, k.summary from memory.episodic_memory e
          join memory.episodic_memory k on k.bank_id = e.bank_id and k.memory_id = e.merged_into_id
         where e.summary <> k.summary""",
    "events that do not tell what became of it": """
        select e.memory_id, e.status, e.represents from memory.episodic_memory e
         where (e.represents - 1, (e.status = 'merged_into')::integer) <> (
            select count(*) filter (where v.event = 'reinforced'),
                   count(*) filter (where v.to_status = 'merged_into')
              from memory.memory_event v where v.memory_id = e.memory_id)""",
    "other than one decision": """
        select e.memory_id from memory.episodic_memory e
         where (select count(*) from memory.gate_decision d
                 where d.memory_id = e.memory_id and d.outcome = 'stored') <> 1""",
    "other than one vector": """
        select e.memory_id from memory.episodic_memory e
         where (select count(*) from memory.memory_vector v where v.memory_id = e.memory_id) <> 1""",
}


def test_the_same_memories_from_many_processes_at_once(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with Service(data, MEMORY_WORKERS="0", MEMORY_LEASE_SECONDS="60") as service:
        workers = [start_worker(service) for _ in range(3)]
        commit_at_once(service)
        settled(service)
        for worker in workers:
            worker.terminate()
        assert {worker.wait(DEADLINE) for worker in workers} == {0}
        assert service.stop() == 0
    nothing_left(data)
    with administrator(data) as admin:
        check_counts(admin)
        check_invariants(admin)
        for wrong, query in MERGED_WRONGLY.items():
            assert admin.execute(query.encode()).fetchall() == [], wrong


def commit_at_once(service: Service) -> None:
    """Commit TEXTS from PROCESSES processes, each in another order, all started before the first one commits."""
    orders = [random.Random(seed).sample(TEXTS, len(TEXTS)) for seed in range(PROCESSES)]
    with service.log.open("ab") as log:
        subprocess.run(
            [sys.executable, "-m", "tests.acceptance.committing", BANK],
            env={**service.env, "MEMORY_POOL_SIZE": "2"}, stderr=log, text=True, check=True, timeout=2 * DEADLINE,
            input="".join(json.dumps(order) + "\n" for order in orders),
        )  # fmt: skip


def check_counts(admin: Admin) -> None:
    rows = admin.execute(
        "select summary, represents, access_count from memory.episodic_memory where status = 'active'"
    ).fetchall()
    assert sorted(rows) == sorted((text, PROCESSES, PROCESSES - 1) for text in TEXTS)
    merged = admin.execute(
        "select count(*) from memory.episodic_memory where status = 'merged_into'"
    ).fetchone()
    assert merged == (len(TEXTS) * (PROCESSES - 1),)
