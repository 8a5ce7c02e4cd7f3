"""The pass that moves large banks into the HNSW index, in separate processes that are killed."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from pathlib import Path

from tests.conftest import Admin

BANK = "large"
VECTORS = 700
DEADLINE = 180.0
FILL = """
insert into memory.bank (bank_id, embedding_model, settings)
select 'large', name, '{"intake": "verbatim"}' from memory.embedding_model order by name limit 1;
insert into memory.upkeep (bank_id, changed_at) values ('large', now());
insert into memory.episodic_memory
    (bank_id, memory_id, source, status, occurred_at, recorded_at, full_text, summary, importance)
select 'large', gen_random_uuid(), 'user', 'active', now(), now(), '{}', 'a summary', 0.5
  from generate_series(1, 700) n;
insert into memory.memory_vector (bank_id, memory_id, model_id, tier, embedding)
select e.bank_id, e.memory_id, b.embedding_model, 'episodic', v.embedding
  from memory.episodic_memory e
  join memory.bank b on b.bank_id = e.bank_id
 cross join lateral (
    select array_agg(sin(hashtext(e.memory_id::text) * n::double precision))::real[]::public.vector(768)
           ::public.halfvec(768) as embedding
      from generate_series(1, 768) n) as v;
"""


def indexed(admin: Admin) -> int:
    ((count,),) = admin.execute("select count(*)::int from memory.indexed_vector").fetchall()
    return int(str(count))


def test_killed_at_any_moment_and_run_again_the_index_is_whole(
    admin: Admin, database_url: str, session_dir: Path
) -> None:
    chance = random.Random(1)
    for statement in FILL.split(";\n")[:-1]:
        admin.execute(statement.encode())
    environment = os.environ | {
        "DATABASE_URL": database_url, "MEMORY_DATA_DIR": str(session_dir), "MEMORY_VECTOR_INDEX_FROM": "100",
        "MEMORY_LEASE_SECONDS": "0.5",
    }  # fmt: skip
    command = [sys.executable, "-m", "jobs.vector_index", "--bank", BANK]
    killed: list[int] = []
    for _ in range(3):
        before, give_up = indexed(admin), time.monotonic() + DEADLINE
        process = subprocess.Popen(
            command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        while indexed(admin) == before and process.poll() is None and time.monotonic() < give_up:
            time.sleep(0.01)
        time.sleep(chance.uniform(0, 0.1))
        process.kill()
        process.wait()
        killed.append(indexed(admin))
        time.sleep(0.6)  # its lease ends
    assert 0 < killed[0] < killed[-1] < VECTORS, killed
    assert admin.execute("select state from memory.vector_index").fetchall() == [("building",)]
    subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
    assert admin.execute("select state from memory.vector_index").fetchall() == [("ready",)]
    missing = (
        "select v.memory_id, v.embedding::text from memory.memory_vector v "
        "except select i.memory_id, i.embedding::text from memory.indexed_vector i"
    )
    assert (indexed(admin), admin.execute(missing.encode()).fetchall()) == (VECTORS, [])
