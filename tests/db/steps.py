"""The steps of the write path as the functions of `memory_api`, on any connection, at any time."""

from __future__ import annotations

import re
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
from psycopg.types.json import Jsonb

SCHEMA_OF = {
    file.stem: re.findall(r"^create or replace function (\w+)\.", file.read_text(), re.MULTILINE)[0]
    for file in (Path(__file__).resolve().parents[2] / "db/functions").glob("*/*.sql")
}
"""The schema of each function, by its name."""

Connection = psycopg.Connection[tuple[Any, ...]]

MODEL = "gemini-embedding-2"
START = datetime(2026, 1, 1, tzinfo=UTC)
LEASE = timedelta(minutes=1)
QUIET = timedelta(seconds=5)


@dataclass(frozen=True, slots=True)
class Lease:
    """A claimed piece of work."""

    bank: str
    kind: str
    subject: str
    lane: int
    generation: int
    attempts: int
    token: UUID


def rows(connection: Connection, function: str, **arguments: object) -> list[tuple[Any, ...]]:
    """Call a function by name with named arguments; returns its rows."""
    named = ", ".join(f"{name} => %({name})s" for name in arguments)
    query = f"select * from {SCHEMA_OF[function]}.{function}({named})"
    return connection.execute(query.encode(), arguments).fetchall()


def value(connection: Connection, function: str, **arguments: object) -> Any:
    """The single value that a function of memory_api answers."""
    return rows(connection, function, **arguments)[0][0]


def create_bank(connection: Connection, bank: str, **settings: object) -> None:
    rows(connection, "create_bank", bank=bank, settings=Jsonb(settings), embedding_model=MODEL)


def add(
    connection: Connection,
    bank: str,
    conversation: str = "c1",
    contents: Sequence[str] = ("hello",),
    *,
    role: str = "user",
    lane: int = 0,
    client_ids: Sequence[str | None] | None = None,
    at: datetime = START,
) -> list[UUID]:
    """Acknowledge messages; their ids."""
    count = len(contents)
    return value(
        connection,
        "add_messages",
        bank=bank,
        conversation=conversation,
        agent=None,
        lane=lane,
        ids=[uuid.uuid4() for _ in contents],
        client_ids=list(client_ids or [None] * count),
        roles=[role] * count,
        names=[None] * count,
        contents=list(contents),
        occurred=[None] * count,
        metadata=[None] * count,
        at=at,
    )


def enqueue(
    connection: Connection,
    bank: str,
    subject: str,
    kind: str = "segment",
    *,
    lane: int = 0,
    ready_at: datetime = START,
    at: datetime = START,
) -> None:
    rows(
        connection, "enqueue_work", bank=bank, kind=kind, subject=subject, lane=lane, ready_at=ready_at, at=at
    )


def claim(
    connection: Connection,
    kind: str = "segment",
    *,
    batch: int = 100,
    per_bank: int = 100,
    after_bank: str = "",
    tried: bool | None = None,
    at: datetime = START,
) -> list[Lease]:
    """Claim new work items and then failed ones (`retries`); with `tried`, only one of the two."""
    found: list[tuple[Any, ...]] = []
    for asked in (False, True) if tried is None else (tried,):
        found += rows(
            connection,
            "claim_work",
            kind=kind,
            batch=batch - len(found),
            per_bank=per_bank,
            lease=LEASE,
            after_bank=after_bank,
            paused_banks=[],
            retries=asked,
            at=at,
        )
    return [Lease(row[0], kind, *row[1:]) for row in found]


def segment_conversation(connection: Connection, lease: Lease, *, at: datetime = START) -> int | None:
    return value(
        connection,
        "segment_conversation",
        bank=lease.bank,
        conversation=lease.subject,
        token=lease.token,
        lane=lease.lane,
        quiet=QUIET,
        at=at,
    )


def decide(
    connection: Connection,
    lease: Lease,
    *,
    outcome: str = "stored",
    memory_id: UUID | None = None,
    at: datetime = START,
    **fields: object,
) -> bool:
    """Decide a segment: with an episode of these fields where a memory id is given, else without."""
    ruling = {
        "segment": lease.subject,
        "token": str(lease.token),
        "decision": decision(outcome).obj,
        "episode": None if memory_id is None else episode(memory_id, lane=lease.lane, **fields).obj,
    }
    return value(connection, "decide_segments", bank=lease.bank, decisions=Jsonb([ruling]), at=at) == 1


def complete(
    connection: Connection, lease: Lease, *, again_at: datetime | None = None, at: datetime = START
) -> bool:
    return value(
        connection,
        "complete_work",
        bank=lease.bank,
        kind=lease.kind,
        subject=lease.subject,
        token=lease.token,
        again_at=again_at,
        at=at,
    )


def fail(
    connection: Connection,
    lease: Lease,
    *,
    max_attempts: int = 3,
    retry_at: datetime = START,
    at: datetime = START,
) -> str | None:
    return value(
        connection,
        "fail_work",
        bank=lease.bank,
        kind=lease.kind,
        subject=lease.subject,
        token=lease.token,
        reason="it failed",
        retry_at=retry_at,
        max_attempts=max_attempts,
        at=at,
    )


def release(connection: Connection, leases: Sequence[Lease], *, ready_at: datetime = START) -> int:
    return value(connection, "release_work", **owned(leases), ready_at=ready_at, reason=None)


def renew(connection: Connection, leases: Sequence[Lease], *, at: datetime = START) -> set[UUID]:
    return {row[0] for row in rows(connection, "renew_work", **owned(leases), lease=LEASE, at=at)}


def owned(leases: Sequence[Lease]) -> dict[str, Any]:
    return {
        "tokens": [lease.token for lease in leases],
        "banks": [lease.bank for lease in leases],
        "kind": leases[0].kind,
        "subjects": [lease.subject for lease in leases],
    }


def activate(
    connection: Connection,
    bank: str,
    leases: Sequence[Lease],
    vector: str | Sequence[str] | None = None,
    *,
    at: datetime = START,
    **features: bool,
) -> int:
    """Activate the leases' episodes, each with one vector: the same, or one for each lease."""
    if vector is None or isinstance(vector, str):
        vector = [vector or unit_vector(0)] * len(leases)
    memories = [UUID(lease.subject) for lease in leases]
    return value(
        connection,
        "activate_episodes",
        bank=bank,
        model=MODEL,
        memories=memories,
        tokens=[lease.token for lease in leases],
        part_memories=memories,
        parts=[0] * len(memories),
        embeddings="{" + ",".join(f'"{one}"' for one in vector) + "}",
        at=at,
        **features,
    )


def recall(connection: Connection, bank: str, vector: str | None = None, **asked: object) -> list[UUID]:
    """The ids of the candidates; of the arm meaning alone, unless more is asked."""
    found = rows(connection, "recall_candidates", **search(bank, vector, **asked))
    return [row[0] for row in found]


BALANCED = {"similarity": 0.5, "importance": 0.3, "recency": 0.2}


def search(bank: str, vector: str | None = None, **asked: object) -> dict[str, Any]:
    """What recall_candidates takes: by the arm meaning alone, unless more is asked."""
    return {
        "bank": bank, "model": MODEL, "query": vector or unit_vector(0), "words": "", "named": [],
        "fetch_count": 20, "salient_count": 0, "facts_count": 0, "statuses": ["active"], "least_confidence": 0.3,
        "profile": Jsonb(BALANCED), **asked,
    }  # fmt: skip


def unit_vector(axis: int) -> str:
    """A unit vector of 768 along one axis, as text."""
    return vector_of({axis: 1})


def vector_of(parts: Mapping[int, float]) -> str:
    """A vector of 768 with these parts by axis, as text."""
    return "[" + ",".join(str(parts.get(i, 0)) for i in range(768)) + "]"


def decision(outcome: str = "stored") -> Jsonb:
    return Jsonb(
        {
            "decision_id": str(uuid.uuid4()),
            "outcome": outcome,
            "reason": "a test decided",
            "verdicts": [],
            "decided_by": "rules",
        }
    )


def episode(memory_id: UUID, **fields: object) -> Jsonb:
    """An extracted episode's JSON, ready to be embedded."""
    return Jsonb(
        {
            "memory_id": str(memory_id),
            "source": "user",
            "status": "pending_embedding",
            "full_text": {"content": "a full text"},
            "summary": "a summary",
            "importance": 0.5,
            "given": {},
            "extracted_by": "rules",
            "reason": "a test decided",
            "actor": "rules",
            **fields,
        }
    )


def remember(connection: Connection, bank: str, *, at: datetime = START, **fields: Any) -> tuple[UUID, Lease]:
    """A message cut, decided as an episode of these fields, and its embedding claimed: the memory's id and that
    lease."""
    memory_id = uuid.uuid4()
    decide(connection, segment(connection, bank, at=at), memory_id=memory_id, at=at, **fields)
    (lease,) = claim(connection, "embed", at=at)
    return memory_id, lease


def pending(
    connection: Connection, bank: str, *fields: Mapping[str, object], at: datetime = START
) -> list[Lease]:
    """Episodes of these fields and their embeddings claimed, in the order of their ids, which is that of the fields."""
    ids = sorted(uuid.uuid4() for _ in fields)
    episodes = [episode(memory_id, **one).obj for memory_id, one in zip(ids, fields, strict=True)]
    rows(connection, "insert_episodes", bank=bank, episodes=Jsonb(episodes), at=at)
    return sorted(claim(connection, "embed", at=at), key=lambda lease: UUID(lease.subject))


def segment(connection: Connection, bank: str, *, at: datetime = START) -> Lease:
    """A message said, cut by itself, and its extraction claimed."""
    add(connection, bank, f"c-{uuid.uuid4()}", at=at - QUIET)
    (lease,) = claim(connection, at=at)
    segment_conversation(connection, lease, at=at)
    (claimed,) = claim(connection, "extract", at=at)
    return claimed


def fact(
    connection: psycopg.Connection[Any],
    bank: str,
    text: str,
    *,
    at: datetime = START,
    known: datetime | None = None,
    timeline: str | None = None,
    cardinality: str = "many",
    importance: float = 0.5,
    episodes: int = 1,
    **columns: Any,
) -> UUID:
    """Insert a fact with evidence by episodes a minute apart, recorded at `at` or `known`; without `timeline`, with a
    timeline of its text. Return its id."""
    memory_id: UUID = columns.setdefault("memory_id", uuid.uuid4())
    known = known or at
    columns = {
        "bank_id": bank, "fact": text, "cardinality": cardinality,
        "timeline": timeline or f"text|{text}", "importance": importance, "occurred_at": at, "recorded_at": known,
        "first_observed": at, "last_confirmed": at, "valid_from": at, "source": "user", "extracted_by": "rules",
        **columns,
    }  # fmt: skip
    names = ", ".join(columns)
    values = ", ".join(f"%({name})s" for name in columns)
    with connection.transaction():
        rows(connection, "enter_bank", bank=bank)
        connection.execute(
            f"insert into memory.semantic_memory ({names}, fingerprint) values ({values}, 0)".encode(),
            columns,
        )
    said(connection, bank, memory_id, *(at + n * timedelta(minutes=1) for n in range(episodes)), known=known)
    return memory_id


def said(
    connection: psycopg.Connection[Any],
    bank: str,
    memory_id: UUID,
    *times: datetime,
    known: datetime | None = None,
    holds: bool = True,
    stated: bool = False,
) -> None:
    """Episodes that say so, or that it holds no longer."""
    with connection.transaction():
        rows(connection, "enter_bank", bank=bank)
        for at in times:
            connection.execute(
                "insert into memory.fact_evidence "
                "(bank_id, fact_id, episode_id, holds, stated, importance, occurred_at, recorded_at) "
                "select bank_id, memory_id, gen_random_uuid(), %s, %s, importance, %s, %s "
                "from memory.semantic_memory where memory_id = %s",
                (holds, stated, at, known or at, memory_id),
            )
        ((line,),) = connection.execute(
            "select timeline from memory.semantic_memory where memory_id = %s", (memory_id,)
        ).fetchall()
        known = known or max(times)
        rows(
            connection,
            "rebuild_timeline",
            bank=bank,
            of_timeline=line,
            reason="said",
            actor="worker",
            at=known,
        )


def judged(
    connection: psycopg.Connection[Any], bank: str, one: UUID, other: UUID, decision: str = "same"
) -> int:
    """A model's decision on a pair of facts; how many pairs were new."""
    told = {
        "one": str(one),
        "other": str(other),
        "similarity": 0.9,
        "decision": decision,
        "judged_by": "a model",
    }
    return value(
        connection, "record_pair_decisions", bank=bank, decisions=Jsonb([told]), facts=[], tokens=[], at=START
    )


def conflict(
    connection: psycopg.Connection[Any],
    bank: str,
    one: UUID,
    other: UUID,
    *,
    at: datetime = START,
    handling: str = "newer_wins",
) -> UUID | None:
    """The two facts contradict each other; the question about it, where it matters enough for one."""
    pair = sorted((one, other))
    with connection.transaction():
        rows(connection, "enter_bank", bank=bank)
        connection.execute(
            "insert into memory.fact_conflict (bank_id, one_id, other_id, rule, handling, found_by, recorded_at) "
            "values (%s, %s, %s, 'a test', %s, 'rules', %s)",
            (bank, *pair, handling, at),
        )
        rows(connection, "refresh_facts", bank=bank, facts=pair, reason="in conflict", actor="worker", at=at)
        rows(connection, "create_clarifications", bank=bank, facts=pair, at=at)
        found = connection.execute(
            "select clarification_id from memory.clarification where one_id = %s and other_id = %s", pair
        ).fetchone()
    return found[0] if found else None
