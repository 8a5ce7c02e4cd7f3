"""A bank that holds a row in every table, written by the functions of the service."""

from __future__ import annotations

import json
import uuid
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from tests.db import smoke_procedures, steps
from tests.db.steps import MODEL, START, Connection, rows, value

SECRET = "zqxbirdo"
"""The text of the bank b: one word, which no dictionary stems."""
INSERTS = (
    "insert into memory.fact_mention (bank_id, conversation_id, fact_id, at) "
    "values (%(bank)s, %(conversation)s, %(one)s, now())",
    "insert into memory.fact_merge (bank_id, loser_id, winner_id, reason, actor, recorded_at) "
    "values (%(bank)s, %(one)s, %(other)s, 'r', 'a', now())",
    "insert into memory.episode_version "
    "(bank_id, memory_id, version, content, full_text, replaced_at, replaced_by) "
    "values (%(bank)s, %(active)s, 1, %(text)s, '{}', now(), 'a')",
    "insert into memory.relational_vector (bank_id, norm_id, model_id, part, embedding) "
    "values (%(bank)s, %(norm)s, %(model)s, 0, %(vector)s)",
    "insert into memory.relational_evidence (bank_id, norm_id, episode_id, stated, occurred_at, recorded_at) "
    "values (%(bank)s, %(norm)s, %(active)s, true, now(), now())",
    "insert into memory.relationship (bank_id, updated_at) values (%(bank)s, now())",
)
"""Rows that a function writes only in states that take long to reach."""


@dataclass(frozen=True, slots=True)
class Victim:
    """Ids in the bank."""

    active: UUID
    pending: UUID
    segment: UUID
    fact: UUID
    question: UUID
    leases: list[steps.Lease]


def fill(
    service: Connection,
    bank: str = "b",
    text: str = SECRET,
    *,
    conversation: str = "shared",
    client_id: str = "m1",
    key: str = "key",
) -> Victim:
    """Create the bank with one of everything, all of it with `text`; its work items are leased."""

    def claim(kind: str = "segment") -> steps.Lease:
        (lease,) = [one for one in steps.claim(service, kind) if one.bank == bank]
        return lease

    steps.create_bank(service, bank, intake="verbatim")
    steps.add(service, bank, "erased", [text])
    steps.segment_conversation(service, claim())
    rows(
        service, "erase", bank=bank, erasure=uuid.uuid4(), scope="conversation", actor="a",
        at=START - timedelta(days=1),  # traces from before an erasure are not written
        selector=Jsonb({"conversation_id": "erased"}),
    )  # fmt: skip
    steps.add(service, bank, conversation, [text], client_ids=[client_id])
    steps.segment_conversation(service, claim())
    extraction = claim("extract")
    active = uuid.uuid4()
    said = {"messages": [{"name": f"{text}name", "content": text}]}
    steps.decide(
        service, extraction, memory_id=active, entities=[text], full_text=said, emotional_valence=-0.9,
        emotions=["grief"], topics=[text], occurred_at=START.isoformat(),
    )  # fmt: skip
    embedding = claim("embed")
    steps.activate(service, bank, [embedding])
    _, another = steps.remember(service, bank, entities=[text])
    steps.activate(service, bank, [another])
    pending = uuid.uuid4()
    memory = steps.episode(pending, idempotency_key=key, summary=text, extracted_by=None)
    rows(service, "commit_memory", bank=bank, decision=steps.decision(), episode=memory, at=START)
    annotation = claim("annotate")
    returned: dict[str, object] = {
        "memory_id": [str(active)],
        "score": [1],
        "age_days": [1.0],
        "reason": [text],
        "dropped": [None],
        "figures": {},
    }
    recall = trace(text) | {"candidates": json.dumps(returned), "returned": 1}
    rows(service, "record_traces", bank=bank, traces=Jsonb([recall]), at=START)
    rows(
        service, "begin_model_call", bank=bank, model="m", purpose="p", items=1, input_tokens=1, output_tokens=1,
    )  # fmt: skip
    one = steps.fact(service, bank, text, importance=0.9)
    other = steps.fact(service, bank, f"not {text}", at=START + timedelta(days=1), importance=0.9)
    question = steps.conflict(service, bank, one, other)
    steps.judged(service, bank, one, other)
    assert question
    rows(service, "review_fact", bank=bank, memory=one, judgement="pinned", actor="b", at=START)
    commit_fact(service, bank, f"{key}u", text)
    pairs = [{"one": str(one), "other": str(other), "texts": [text, f"not {text}"], "same": False}]
    assert (
        value(service, "record_merge_decisions", bank=bank, pairs=Jsonb(pairs), decided_by="m", at=START) == 1
    )
    rows(service, "set_watermark", bank=bank, **{"pass": "merge"}, memories=[one], states=["seen"])
    value(
        service, "store_answer", bank=bank, holder=key, key=key, request_hash=bytes(32), status=200, body=text,
    )  # fmt: skip
    rows(service, "end_thread", bank=bank, actor="b", at=START)
    norm = {"kind": "preference", "slot": text, "norm": text, "situation": text}
    (norm_id,) = value(service, "put_norms", bank=bank, norms=Jsonb([norm]), actor="b", at=START)
    data = {"root": bytes(32), "bytes": 2, "digests": [bytes(32)], "contents": [text], "children": [b""]}
    rows(service, "create_session", bank=bank, session=conversation, lineage=uuid.uuid4(), state="A", **data)
    rows(service, "create_checkpoint", bank=bank, session=conversation, checkpoint=uuid.uuid4())
    smoke_procedures.everything(service, bank, text)
    given = {
        "bank": bank, "conversation": conversation, "one": one, "other": other, "active": active, "text": text,
        "norm": norm_id, "model": MODEL, "vector": steps.unit_vector(0),
    }  # fmt: skip
    for statement in INSERTS:
        within(service, bank, statement, given)
    service.execute("select memory_internal.record_job_runs(%s)", [Jsonb([run(bank)])])
    steps.claim(service, "facts")
    for _ in range(2):
        value(service, "extend_vector_index", bank=bank, model=MODEL, page=100, enter_above=0, at=START)
    value(service, "register_embedding_model", name="other-model", dimensions=768)
    value(
        service, "start_reembedding", bank=bank, model="other-model", keep_days=7, verify_queries=0, at=START,
    )  # fmt: skip
    leases = [extraction, embedding, annotation]
    return Victim(active, pending, UUID(extraction.subject), one, question, leases)


def commit_fact(connection: Connection, bank: str, key: str, text: str = SECRET) -> UUID:
    """A committed fact, whose JSON names the bank b whatever the bank is."""
    fact: dict[str, Any] = {
        "memory_id": str(uuid.uuid4()), "fact": text, "idempotency_key": key, "given": {}, "source": "agent",
        "importance": 0.5, "occurred_at": START.isoformat(), "bank_id": "b",
    }  # fmt: skip
    committed = rows(
        connection, "commit_fact", bank=bank, decision=steps.decision(), fact=Jsonb(fact), at=START
    )
    return committed[0][0]


def trace(query: str = SECRET, *seen: UUID) -> dict[str, object]:
    return {
        "trace_id": str(uuid.uuid4()), "kind": "recall", "query": query, "profile": "balanced", "mode": "tool",
        "candidates": [], "returned": 0, "degraded": False, "figures": {}, "seen": [str(s) for s in seen],
    }  # fmt: skip


def run(bank: str) -> dict[str, object]:
    """A nightly pass over the bank."""
    return {
        "job_run_id": str(uuid.uuid4()), "night_id": str(uuid.uuid4()), "pass": "budget", "bank_ids": [bank],
        "as_of": START.isoformat(), "started_at": START.isoformat(), "seconds": 1.0, "outcome": "done", "failed": 0,
        "counts": {}, "model_calls": 0, "tokens": 0, "worker": "w",
    }  # fmt: skip


def enter(connection: Connection, bank: str) -> None:
    connection.execute("select memory_internal.enter_bank(%s)", (bank,))


def within(connection: Connection, bank: str, statement: str, values: dict[str, Any] | None = None) -> None:
    """Run one statement in a transaction that has named a bank."""
    with connection.transaction():
        enter(connection, bank)
        connection.execute(statement.encode(), values)
