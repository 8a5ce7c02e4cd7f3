"""Facts stated in a database test: an episode at some time says some things, as the worker's step hands them on."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from tests.db import steps
from tests.db.steps import Connection, rows, unit_vector, value

ONE, FIXED, MANY = "one", "fixed", "many"


def candidate(
    attribute: str | None,
    value: str | None,
    *,
    text: str | None = None,
    subject: str = "user",
    cardinality: str = ONE,
    opposes: str | None = None,
    holds: bool = True,
    stated: bool = False,
) -> dict[str, Any]:
    """A candidate as rules/facts/attributes.py makes it."""
    return {
        "text": text or f"User {attribute} {value}.",
        "subject": subject,
        "attribute": attribute,
        "value": value,
        "cardinality": cardinality,
        "opposes": opposes,
        "holds": holds,
        "stated": stated,
    }


def say(
    service: Connection,
    admin: Connection,
    bank: str,
    moment: datetime,
    *candidates: dict[str, Any],
    importance: float = 0.5,
    vectors: Sequence[str] | None = None,
    at: datetime | None = None,
) -> UUID:
    """Insert an active episode that states the candidates, write them with upsert_facts, return the episode's id."""
    episode = uuid.uuid4()
    admin.execute(
        "insert into memory.episodic_memory (bank_id, memory_id, source, status, occurred_at, recorded_at, full_text, "
        "summary, importance) values (%s, %s, 'user', 'active', %s, %s, '{}', 'said', %s)",
        (bank, episode, moment, at or moment, importance),
    )
    hear(service, bank, [(episode, one) for one in candidates], vectors=vectors, at=at or moment)
    return episode


def hear(
    service: Connection,
    bank: str,
    said: Sequence[tuple[UUID, dict[str, Any]]],
    *,
    vectors: Sequence[str] | None = None,
    at: datetime,
) -> int:
    """Call upsert_facts for candidates of episodes; return the number of new statements."""
    episodes = list(dict.fromkeys(episode for episode, _ in said))
    for episode in episodes:
        steps.enqueue(service, bank, str(episode), "facts", ready_at=at, at=at)
    leases = {UUID(lease.subject): lease for lease in steps.claim(service, "facts", at=at)}
    embeddings = vectors or [unit_vector(hash(one["text"]) % 768) for _, one in said]
    return value(
        service,
        "upsert_facts",
        bank=bank,
        model=steps.MODEL,
        episodes=episodes,
        tokens=[leases[episode].token for episode in episodes],
        facts=Jsonb([{"episode_id": str(e), "memory_id": str(uuid.uuid4()), **one} for e, one in said]),
        embeddings="{" + ",".join(f'"{one}"' for one in embeddings) + "}",
        at=at,
    )


def believed(admin: Connection, bank: str) -> list[dict[str, Any]]:
    """Every fact that is not merged, as a comparable row: without ids."""
    found = admin.execute(
        "select f.attribute, f.value, f.valid_from, f.valid_to, s.value as successor, f.evidence_count, "
        "round(f.confidence::numeric, 9)::float8 as confidence, f.status, f.first_observed, f.last_confirmed, "
        "f.pinned from memory.semantic_memory f left join memory.semantic_memory s on s.bank_id = f.bank_id "
        "and s.memory_id = f.superseded_by where f.bank_id = %s and f.status <> 'merged_into' "
        "order by f.attribute, f.valid_from, f.value, f.valid_to nulls last",
        (bank,),
    )
    names = [column.name for column in found.description or ()]
    return [dict(zip(names, row, strict=True)) for row in found]


def confidence(service: Connection, **given: object) -> float:
    return rows(service, "effective_confidence", **given)[0][0]
