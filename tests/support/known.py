"""Facts, conflicts and questions as the write path leaves them, put in by hand: what reading them needs, no more."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import psycopg
from pgvector import HalfVector  # type: ignore[import-untyped]

from memory_service.memory import Memory

Admin = psycopg.Connection[tuple[object, ...]]
NOW = datetime.now(UTC)
YEAR = timedelta(days=365)

FACT = """
insert into memory.semantic_memory
    (bank_id, memory_id, fact, subject, timeline, fingerprint, status, confidence, importance, occurred_at, recorded_at,
     first_observed, last_confirmed, valid_from, valid_to, evidence_count, pinned, source, agent_id, tags, recipients,
     merged_into_id, extracted_by)
values (%(bank)s, %(id)s, %(fact)s, %(subject)s, 'text|' || %(id)s, 1, %(status)s, %(confidence)s, %(importance)s,
        %(confirmed)s, %(confirmed)s, %(confirmed)s, %(confirmed)s, %(valid_from)s, %(valid_to)s, 1, %(pinned)s, 'user',
        %(agent)s, %(tags)s, %(recipients)s, %(merged_into)s, 'rules')
"""
VECTOR = """
insert into memory.memory_vector (bank_id, memory_id, model_id, tier, embedding)
select bank_id, %(id)s, embedding_model, 'semantic', %(vector)s::halfvec from memory.bank where bank_id = %(bank)s
"""
WORDS = """
insert into memory.memory_text (bank_id, memory_id, tier, search, speakers)
select f.bank_id, f.memory_id, 'semantic',
       setweight(to_tsvector('english', f.fact), 'A')
           || array_to_tsvector(array[memory_internal.bank_lexeme(f.bank_id)]),
       string_to_array(lower(coalesce(f.subject, '')), ' ')
  from memory.semantic_memory f
 where f.bank_id = %(bank)s and f.memory_id = %(id)s
"""
COUNTS = """
select memory_internal.update_word_counts(
    %(bank)s, '{}', memory_internal.indexed_words(%(bank)s, array[%(id)s]::uuid[]))
"""
CONFLICT = """
insert into memory.fact_conflict (bank_id, one_id, other_id, rule, handling, found_by, recorded_at)
values (%s, least(%s, %s), greatest(%s, %s), 'one_valued', 'newer_wins', 'rules', %s)
"""
QUESTION = """
insert into memory.clarification
    (bank_id, clarification_id, one_id, other_id, question, importance, created_at)
values (%s, %s, least(%s, %s), greatest(%s, %s), %s, %s, %s)
"""

DEAD_LETTER = """
insert into memory.work (bank_id, kind, subject, not_before, enqueued_at, attempts, last_error, dead_at)
values (%s, 'embed', gen_random_uuid()::text, now(), now(), 5, %s, now())
"""


async def know(memory: Memory, admin: Admin, fact: str, bank: str = "anna", **fields: Any) -> UUID:
    """A fact by rules, with vector and words; its id. `confirmed`: when it was confirmed; others as in the table."""
    given: dict[str, Any] = {
        "id": uuid.uuid4(), "bank": bank, "fact": fact, "subject": None, "status": "tentative", "confidence": 0.9,
        "importance": 0.5, "confirmed": NOW, "valid_from": NOW - YEAR, "valid_to": None, "pinned": False,
        "agent": None, "tags": [], "recipients": [], "merged_into": None, **fields,
    }  # fmt: skip
    vector = (await memory.models.embedder().embed_documents([fact])).vectors[0]
    for statement in (FACT, VECTOR, WORDS, COUNTS):
        admin.execute(statement.encode(), {**given, "vector": HalfVector(vector).to_text()})
    return given["id"]


def conflict(admin: Admin, one: UUID, other: UUID, bank: str = "anna") -> None:
    """An open conflict of the two."""
    admin.execute(CONFLICT.encode(), (bank, one, other, one, other, NOW))


def question(
    admin: Admin,
    one: UUID,
    other: UUID,
    text: str,
    importance: float = 0.9,
    at: datetime = NOW,
    bank: str = "anna",
) -> UUID:
    """An open question about the conflict of the two; its id."""
    clarification = uuid.uuid4()
    conflict(admin, one, other, bank)
    admin.execute(QUESTION.encode(), (bank, clarification, one, other, one, other, text, importance, at))
    return clarification


def dead_letter(admin: Admin, reason: str, bank: str = "anna") -> None:
    admin.execute(DEAD_LETTER.encode(), (bank, reason))
