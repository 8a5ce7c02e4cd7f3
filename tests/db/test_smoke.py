"""Every function of memory_api runs once as the service: mistakes in plpgsql surface only when it is called."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from psycopg.types.json import Jsonb

from tests.conftest import Admin
from tests.db import steps
from tests.db.steps import MODEL, START, Connection, rows, value

BANK = "smoke"
LATER = START + timedelta(hours=1)


def activate_episodes(service: Connection) -> None:
    memory_id, lease = steps.remember(service, BANK)
    assert steps.activate(service, BANK, [lease]) == 1
    assert steps.recall(service, BANK) == [memory_id]


def add_message(service: Connection) -> None:
    message_id = uuid.uuid4()
    assert message_id == value(
        service, "add_message", bank=BANK, conversation="c1", agent=None, lane=0, id=message_id, client_id=None,
        role="user", name=None, content="one", occurred=None, metadata=None,
    )  # fmt: skip


def add_messages(service: Connection) -> None:
    assert len(steps.add(service, BANK, contents=["one", "two"])) == 2


def annotate_memory(service: Connection) -> None:
    memory_id = commit(service)
    (lease,) = steps.claim(service, "annotate")
    extracted: dict[str, object] = {
        "importance": 0.7, "emotions": [], "topics": ["food"], "entities": [], "landmark": False,
        "importance_features": {}, "candidate_facts": [], "extracted_by": "rules",
    }  # fmt: skip
    assert value(
        service, "annotate_memory", bank=BANK, memory=memory_id, token=lease.token, lane=0,
        fields=Jsonb(extracted),
        to_status="pending_embedding", reason="a test", at=START,
    )  # fmt: skip


def bank_stats(service: Connection) -> None:
    steps.add(service, BANK)
    stats = value(service, "bank_stats", bank=BANK, at=START)
    assert (stats["messages"]["pending"], stats["queue"]["depth"]) == (1, 1)


def claim_work(service: Connection) -> None:
    steps.add(service, BANK)
    assert [lease.subject for lease in steps.claim(service)] == ["c1"]


def commit_memory(service: Connection) -> None:
    assert commit(service, "a key") == commit(service, "a key")


def complete_work(service: Connection) -> None:
    steps.enqueue(service, BANK, "c1")
    assert steps.complete(service, steps.claim(service)[0])


def conversation_lock(service: Connection) -> None:
    locks = {value(service, "conversation_lock", bank=bank, conversation="c1") for bank in ("a", "a", "b")}
    assert len(locks) == 2


def create_bank(service: Connection) -> None:
    arguments = {"bank": "another", "settings": Jsonb({}), "embedding_model": MODEL}
    assert [rows(service, "create_bank", **arguments)[0][0] for _ in range(2)] == [True, False]


def cut_conversation(service: Connection) -> None:
    steps.add(service, BANK)
    assert steps.cut(service, steps.claim(service)[0], at=LATER) == 1


def decide_segment(service: Connection) -> None:
    assert steps.decide(service, steps.segment(service, BANK), outcome="refused")


def effective_importance(service: Connection) -> None:
    halved = value(
        service, "effective_importance", importance=0.5, occurred_at=START, access_count=0,
        at=START + timedelta(days=50),
    )  # fmt: skip
    assert halved == pytest.approx(0.25)


def end_import(service: Connection) -> None:
    steps.add(service, BANK, lane=1)
    rows(service, "end_import", bank=BANK, conversations=["c1"], at=START)
    assert steps.cut(service, steps.claim(service)[0]) == 1


def enqueue_work(service: Connection) -> None:
    steps.enqueue(service, BANK, "c1")
    assert len(steps.claim(service)) == 1


def enter_bank(service: Connection) -> None:
    with service.transaction():
        rows(service, "enter_bank", bank=BANK)
        assert service.execute("select bank_id from memory.bank").fetchall() == [(BANK,)]


def fail_lease(service: Connection) -> None:
    steps.enqueue(service, BANK, "c1")
    (lease,) = steps.claim(service)
    outcome = value(
        service, "fail_lease", bank=BANK, kind="cut", subject="c1", token=lease.token, reason="a test",
        retry_at=START, max_attempts=1, at=START,
    )  # fmt: skip
    assert outcome == "dead"


def fail_work(service: Connection) -> None:
    assert steps.fail(service, steps.segment(service, BANK), max_attempts=1) == "dead"


def hold_work(service: Connection) -> None:
    steps.enqueue(service, BANK, "c1")
    (lease,) = steps.claim(service)
    assert value(service, "hold_work", bank=BANK, kind="cut", subject="c1", token=lease.token)


def insert_episode(service: Connection) -> None:
    rows(service, "insert_episode", bank=BANK, episode=steps.episode(uuid.uuid4()), lane=0, at=START)
    assert len(steps.claim(service, "embed")) == 1


def installation(service: Connection) -> None:
    assert rows(service, "installation")[0][3:] == ("memory_service", False)


def list_decisions(service: Connection) -> None:
    steps.decide(service, steps.segment(service, BANK), outcome="refused")
    assert len(rows(service, "list_decisions", bank=BANK, page=10)) == 1


def list_memories(service: Connection) -> None:
    commit(service)
    arguments: dict[str, Any] = {"tags": ["a"], "min_importance": 0.1, "statuses": ["active"], "since": START}
    assert len(rows(service, "list_memories", bank=BANK, page=10)) == 1
    assert rows(service, "list_memories", bank=BANK, page=10, **arguments) == []


def move_episode(service: Connection) -> None:
    assert value(
        service, "move_episode", bank=BANK, memory=commit(service), from_statuses=["pending_embedding"],
        to_status="archived", reason="a test", actor="a test",
    )  # fmt: skip


def queue_stats(service: Connection) -> None:
    steps.enqueue(service, BANK, "c1")
    stats = value(service, "queue_stats", at=START + timedelta(seconds=30))
    assert stats == {"depth": 1, "oldest_seconds": 30, "dead": 0}


def read_bank(service: Connection) -> None:
    assert value(service, "read_bank", bank=BANK) == BANK


def read_commits(service: Connection) -> None:
    assert len(rows(service, "read_commits", bank=BANK, memories=[commit(service)])) == 1


def read_memory(service: Connection) -> None:
    assert len(rows(service, "read_memory", bank=BANK, memory=commit(service))) == 1


def read_pending_embedding(service: Connection) -> None:
    memory_id = commit(service)
    found = rows(service, "read_pending_embedding", bank=BANK, memories=[memory_id])
    assert found == [(memory_id, "a summary", MODEL)]


def read_segments(service: Connection) -> None:
    lease = steps.segment(service, BANK)
    assert len(rows(service, "read_segments", bank=BANK, segments=[UUID(lease.subject)], context_size=6)) == 1


def recall_candidates(service: Connection) -> None:
    assert steps.recall(service, BANK) == []


def recent_memory(service: Connection) -> None:
    steps.add(service, BANK)
    found = rows(
        service, "recent_memory", bank=BANK, conversation="c1", undecided=6, episodes=6, refused=6, at=LATER
    )
    assert [row[0] for row in found] == ["message"]


def record_model_call(service: Connection) -> None:
    rows(
        service, "record_model_call", bank=BANK, model="m", purpose="extract", items=1, input_tokens=10,
        output_tokens=5, seconds=0.5, outcome="ok",
    )  # fmt: skip
    assert value(service, "bank_stats", bank=BANK)["spend"]["input_tokens"] == 10


def record_trace(service: Connection) -> None:
    memory_id = commit(service)
    trace: dict[str, object] = {"trace_id": str(uuid.uuid4()), "kind": "recall", "query": "q", "profile": "balanced",
             "mode": "tool", "candidates": [], "returned": 1, "degraded": False, "figures": {}}  # fmt: skip
    rows(service, "record_trace", bank=BANK, trace=Jsonb(trace), seen=[memory_id])
    assert service.execute(
        "select access_count from memory_api.read_memory(%s, %s)", (BANK, memory_id)
    ).fetchall() == [(1,)]


def refuse_memory(service: Connection) -> None:
    rows(service, "refuse_memory", bank=BANK, decision=steps.decision("refused"))
    assert len(rows(service, "list_decisions", bank=BANK, page=10)) == 1


def register_embedding_model(service: Connection) -> None:
    for _ in range(2):
        rows(service, "register_embedding_model", name="new", dimensions=384)
    assert service.execute("select dimensions from memory.embedding_model where name = 'new'").fetchall() == [
        (384,)
    ]


def release_work(service: Connection) -> None:
    steps.enqueue(service, BANK, "c1")
    assert steps.release(service, steps.claim(service)) == 1


def renew_work(service: Connection) -> None:
    steps.enqueue(service, BANK, "c1")
    leases = steps.claim(service)
    assert steps.renew(service, leases) == {leases[0].token}


def require_bank(service: Connection) -> None:
    rows(service, "require_bank", bank=BANK)


def update_bank(service: Connection) -> None:
    patched = rows(service, "update_bank", bank=BANK, patch=Jsonb({"intake": "verbatim", "gone": None}))
    assert patched[0][1] == {"intake": "verbatim"}


def two_alike(service: Connection) -> tuple[UUID, UUID]:
    """An active memory and a pending one of the same text."""
    first, lease = steps.remember(service, BANK)
    assert steps.activate(service, BANK, [lease]) == 1
    second, _ = steps.remember(service, BANK)
    return first, second


def find_duplicate(service: Connection) -> None:
    first, second = two_alike(service)
    found = value(
        service, "find_duplicate", bank=BANK, model=steps.MODEL, memory=second, embedding=steps.unit_vector(0)
    )
    assert found == first


def dead_letter(service: Connection) -> None:
    steps.add(service, BANK)
    (lease,) = steps.claim(service)
    assert steps.fail(service, lease, max_attempts=1) == "dead"


def dead_work(service: Connection) -> None:
    dead_letter(service)
    assert [row[0] for row in rows(service, "dead_work", bank=BANK)] == ["cut"]


def redrive_work(service: Connection) -> None:
    dead_letter(service)
    assert value(service, "redrive_work", bank=BANK, at=START) == 1
    assert rows(service, "dead_work", bank=BANK) == []


def mismatch(service: Connection) -> None:
    assert value(service, "mismatch", one="I moved to Rome.", other="I moved to Oslo.") == "names"


def reinforce_episode(service: Connection) -> None:
    first, second = two_alike(service)
    rows(service, "reinforce_episode", bank=BANK, memory=second, known=first, at=START)
    item = rows(service, "read_memory", bank=BANK, memory=second)
    assert "merged_into" in item[0]


def words_apart(service: Connection) -> None:
    numbers, negated, *_ = rows(service, "words_apart", content="Tom never has two dogs.")[0]
    assert (numbers, negated) == (["2"], True)


def commit(service: Connection, key: str | None = None) -> UUID:
    """A conscious commit that waits for its fields; the memory's id."""
    memory = steps.episode(uuid.uuid4(), idempotency_key=key, extracted_by=None)
    return value(service, "commit_memory", bank=BANK, decision=steps.decision(), episode=memory, at=START)


SMOKE: dict[str, Callable[[Connection], None]] = {
    call.__name__: call
    for call in (
        activate_episodes, add_message, add_messages, annotate_memory, bank_stats, claim_work,
        commit_memory, complete_work, conversation_lock, create_bank, cut_conversation, dead_work,
        decide_segment,
        effective_importance, end_import, enqueue_work, enter_bank, fail_lease, fail_work, find_duplicate,
        hold_work, insert_episode, installation, list_decisions, list_memories, mismatch,
        move_episode, queue_stats, read_bank,
        read_commits, read_memory, read_pending_embedding, read_segments, recall_candidates, recent_memory,
        record_model_call, record_trace, redrive_work, refuse_memory, register_embedding_model, reinforce_episode,
        release_work, renew_work, require_bank, update_bank, words_apart,
    )
}  # fmt: skip


def test_every_function_has_a_smoke_call(admin: Admin) -> None:
    names = admin.execute("select proname from pg_proc where pronamespace = 'memory_api'::regnamespace")
    assert {row[0] for row in names.fetchall()} == set(SMOKE)


def test_every_function_runs_as_the_service(service: Connection, subtests: pytest.Subtests) -> None:
    steps.create_bank(service, BANK)
    for name, call in SMOKE.items():
        with subtests.test(name), service.transaction(force_rollback=True):
            call(service)
