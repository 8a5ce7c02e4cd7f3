"""An attacker's view: no bank sees another (promise 5), neither through tables nor through functions."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

import psycopg
import pytest
from psycopg import sql
from psycopg.types.json import Jsonb

from tests.conftest import Admin
from tests.db import smoke_procedures, steps
from tests.db.steps import MODEL, START, Connection, claim, rows, value

SECRET = "the secret of b"
EVIL_NAMES = [
    "b' or '1'='1",
    "b'; drop table memory.bank; --",
    "'; set row_security = off; --",
    "b\\' or true --",
    "%",
    "b%",
    "_",
    "b\n",
    " b",
    "B",
    "default",
    "$user",
    "b\x01",
    "\u202eb",
    '"b"',
    "a, b",
]


@dataclass(frozen=True, slots=True)
class Victim:
    """What bank b holds: one of everything."""

    active: UUID
    pending: UUID
    segment: UUID
    fact: UUID
    question: UUID
    leases: list[steps.Lease]


@pytest.fixture
def victim(service: Connection) -> Victim:
    """Banks a (empty) and b, which holds one row in every table."""
    steps.create_bank(service, "a", intake="verbatim")
    steps.create_bank(service, "b", intake="verbatim")
    steps.add(service, "b", "shared", [SECRET], client_ids=["m1"])
    steps.cut(service, claim(service)[0])
    (extraction,) = claim(service, "extract")
    active = uuid.uuid4()
    said = {"messages": [{"name": "Victor", "content": SECRET}]}
    steps.decide(
        service, extraction, memory_id=active, entities=[SECRET], full_text=said, emotional_valence=-0.9,
        emotions=["grief"], topics=[SECRET], occurred_at=START.isoformat(),
    )  # fmt: skip
    (embedding,) = claim(service, "embed")
    steps.activate(service, "b", [embedding])
    _, another = steps.remember(service, "b", entities=[SECRET])
    steps.activate(service, "b", [another])
    pending = uuid.uuid4()
    memory = steps.episode(pending, idempotency_key="key", summary=SECRET, extracted_by=None)
    rows(service, "commit_memory", bank="b", decision=steps.decision(), episode=memory, at=START)
    (annotation,) = claim(service, "annotate")
    rows(service, "record_traces", bank="b", traces=Jsonb([trace()]), at=START)
    rows(
        service, "begin_model_call", bank="b", model="m", purpose="p", items=1, input_tokens=1, output_tokens=1,
    )  # fmt: skip
    one = steps.fact(service, "b", SECRET, importance=0.9)
    other = steps.fact(service, "b", f"not {SECRET}", at=START + timedelta(days=1), importance=0.9)
    question = steps.conflict(service, "b", one, other)
    steps.judged(service, "b", one, other)
    assert question
    rows(service, "review_fact", bank="b", memory=one, judgement="pinned", actor="b", at=START)
    within(
        service, "b", "insert into memory.fact_mention (bank_id, conversation_id, fact_id, at) "
        "values ('b', 'shared', %(fact)s, now())", {"fact": one},
    )  # fmt: skip
    commit_fact(service, "b", "key of a fact")
    within(
        service, "b", "insert into memory.fact_merge (bank_id, loser_id, winner_id, reason, actor, recorded_at) "
        "values ('b', %(fact)s, %(other)s, 'r', 'a', now())", {"fact": one, "other": other},
    )  # fmt: skip
    pairs = [{"one": str(one), "other": str(other), "texts": [SECRET, f"not {SECRET}"], "same": False}]
    assert (
        value(service, "record_merge_decisions", bank="b", pairs=Jsonb(pairs), decided_by="m", at=START) == 1
    )
    rows(service, "set_watermark", bank="b", **{"pass": "merge"}, memories=[one], states=["seen"])
    value(
        service, "store_answer", bank="b", holder="", key="key", request_hash=bytes(32), status=200, body=SECRET,
    )  # fmt: skip
    within(
        service, "b", "insert into memory.episode_version "
        "(bank_id, memory_id, version, content, full_text, replaced_at, replaced_by) "
        "values ('b', %(memory)s, 1, %(text)s, '{}', now(), 'a')", {"memory": active, "text": SECRET},
    )  # fmt: skip
    rows(service, "end_thread", bank="b", actor="b", at=START)
    norm = {"kind": "preference", "slot": SECRET, "norm": SECRET, "situation": SECRET}
    (norm_id,) = value(service, "put_norms", bank="b", norms=Jsonb([norm]), actor="b", at=START)
    within(
        service, "b", "insert into memory.relational_vector (bank_id, norm_id, model_id, part, embedding) "
        "values ('b', %(norm)s, %(model)s, 0, %(vector)s)",
        {"norm": norm_id, "model": MODEL, "vector": steps.unit_vector(0)},
    )  # fmt: skip
    within(
        service, "b", "insert into memory.relational_evidence "
        "(bank_id, norm_id, episode_id, stated, occurred_at, recorded_at) "
        "values ('b', %(norm)s, %(memory)s, true, now(), now())", {"norm": norm_id, "memory": active},
    )  # fmt: skip
    within(service, "b", "insert into memory.relationship (bank_id, updated_at) values ('b', now())")
    data = {"root": bytes(32), "bytes": 2, "digests": [bytes(32)], "contents": [SECRET], "children": [b""]}
    rows(service, "create_session", bank="b", session="shared", lineage=uuid.uuid4(), state="A", **data)
    rows(service, "create_checkpoint", bank="b", session="shared", checkpoint=uuid.uuid4())
    smoke_procedures.everything(service, "b")
    claim(service, "facts")
    for _ in range(2):
        value(service, "extend_vector_index", bank="b", model=MODEL, page=100, enter_above=0, at=START)
    leases = [extraction, embedding, annotation]
    return Victim(active, pending, UUID(extraction.subject), one, question, leases)


def commit_fact(connection: Connection, bank: str, key: str) -> UUID:
    fact: dict[str, Any] = {
        "memory_id": str(uuid.uuid4()), "fact": SECRET, "idempotency_key": key, "given": {}, "source": "agent",
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


@pytest.fixture
def unchanged(admin: Admin, victim: Victim) -> Iterator[None]:
    """Bank b is, after the test, what it was before, to the last column."""
    before = dump(admin, "b")
    yield
    assert dump(admin, "b") == before


def bank_tables(connection: Connection | Admin) -> list[str]:
    """Every table of content: what has a bank and is neither a queue nor a partition."""
    found = connection.execute(
        "select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'bank_id' "
        "where c.relnamespace = 'memory'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition "
        "and c.relname not in ('work', 'upkeep') order by 1"
    )
    return [str(row[0]) for row in found.fetchall()]


def dump(admin: Admin, bank: str) -> dict[str, list[Any]]:
    return {
        table: admin.execute(
            sql.SQL("select t::text from memory.{} t where bank_id = %s order by 1").format(
                sql.Identifier(table)
            ),
            (bank,),
        ).fetchall()
        for table in [*bank_tables(admin), "upkeep", "work"]
    }


def enter(connection: Connection, bank: str) -> None:
    connection.execute("select memory_internal.enter_bank(%s)", (bank,))


def within(connection: Connection, bank: str, statement: str, values: dict[str, Any] | None = None) -> None:
    """Run one statement in a transaction that has named a bank."""
    with connection.transaction():
        enter(connection, bank)
        connection.execute(statement.encode(), values)


# Through tables


def test_the_victim_has_something_in_every_table(admin: Admin, victim: Victim) -> None:
    """Else the tests below would prove nothing about a table that a later migration adds."""
    dumped = dump(admin, "b")
    assert [table for table in bank_tables(admin) if not dumped[table]] == []


def test_who_names_no_bank_sees_nothing(service: Connection, victim: Victim) -> None:
    for table in bank_tables(service):
        assert service.execute(f"select count(*) from memory.{table}".encode()).fetchone() == (0,), table


def test_who_names_a_bank_sees_no_other(service: Connection, victim: Victim) -> None:
    with service.transaction():
        enter(service, "a")
        for table in bank_tables(service):
            query = f"select count(*) from memory.{table} where bank_id <> 'a'"
            assert service.execute(query.encode()).fetchone() == (0,), table


@pytest.mark.parametrize("bank", ["a", None])
def test_no_update_or_delete_reaches_another_bank(
    service: Connection, unchanged: None, bank: str | None
) -> None:
    for table in bank_tables(service):
        for statement in (
            "update memory.{} set bank_id = bank_id where bank_id = 'b'",
            "delete from memory.{}",
        ):
            with service.transaction(force_rollback=True):
                if bank is not None:
                    enter(service, bank)
                try:
                    assert service.execute(statement.format(table).encode()).rowcount <= int(
                        table == "bank" and "b'" not in statement
                    )
                except psycopg.errors.InsufficientPrivilege:
                    continue


def test_no_insert_into_another_bank(service: Connection, unchanged: None) -> None:
    inserts = {
        "bank": "(bank_id, embedding_model) values ('c', %(model)s)",
        "conversation": "(bank_id, conversation_id) values ('b', 'forged')",
        "message": "(bank_id, message_id, conversation_id, role, content, occurred_at, recorded_at) "
        "values ('b', gen_random_uuid(), 'shared', 'user', 'forged', now(), now())",
        "episodic_memory": "(bank_id, memory_id, source, status, occurred_at, recorded_at, full_text, summary, "
        "importance) values ('b', gen_random_uuid(), 'user', 'active', now(), now(), '{}', 'forged', 1)",
        "memory_vector": "(bank_id, memory_id, model_id, tier, embedding) "
        "values ('b', gen_random_uuid(), %(model)s, 'episodic', %(vector)s)",
        "vector_index": "(bank_id, model_id) values ('b', 'forged')",
        "indexed_vector": "(bank_id, memory_id, model_id, embedding) "
        "values ('b', gen_random_uuid(), %(model)s, %(vector)s)",
        "memory_event": "(bank_id, memory_id, memory_type, event, reason, actor, at) "
        "values ('b', gen_random_uuid(), 'episodic', 'created', 'forged', 'a', now())",
        "gate_decision": "(bank_id, decision_id, outcome, reason, verdicts, decided_by, decided_at) "
        "values ('b', gen_random_uuid(), 'stored', 'forged', '[]', 'a', now())",
        "retrieval_trace": "(bank_id, trace_id, kind, profile, mode, candidates, returned, degraded, at) "
        "values ('b', gen_random_uuid(), 'recall', 'p', 'm', '[]', 0, false, now())",
        "model_call": "(bank_id, model, purpose, items, input_tokens, output_tokens, seconds, outcome, at) "
        "values ('b', 'm', 'p', 1, 1, 1, 1, 'ok', now())",
        "memory_link": "(bank_id, memory_id, linked_id, reason, strength, linked_at) "
        "values ('b', gen_random_uuid(), gen_random_uuid(), 'entity', 1, now())",
        "memory_entity": "(bank_id, entity, memory_id) values ('b', 'forged', gen_random_uuid())",
        "memory_text": "(bank_id, memory_id, tier, search) values ('b', gen_random_uuid(), 'episodic', 'forged')",
        "person": "(bank_id, name) values ('b', 'forged')",
        "word_count": "(bank_id, word, memories) values ('b', 'forged', 1)",
        "semantic_memory": "(bank_id, memory_id, fact, timeline, fingerprint, occurred_at, recorded_at, "
        "first_observed, last_confirmed, valid_from, source) "
        "values ('b', gen_random_uuid(), 'forged', 't', 0, now(), now(), now(), now(), now(), 'user')",
        "fact_evidence": "(bank_id, fact_id, episode_id, importance, occurred_at, recorded_at) "
        "values ('b', gen_random_uuid(), gen_random_uuid(), 1, now(), now())",
        "fact_judgement": "(bank_id, fact_id, judgement, occurred_at, recorded_at, actor) "
        "values ('b', gen_random_uuid(), 'confirmed', now(), now(), 'a')",
        "fact_version": "(bank_id, fact_id, version, fact, status, confidence, importance, evidence_count, "
        "first_observed, last_confirmed, valid_from, pinned, reason, actor, at) "
        "values ('b', gen_random_uuid(), 1, 'forged', 'stable', 1, 1, 1, now(), now(), now(), true, 'r', 'a', now())",
        "fact_conflict": "(bank_id, one_id, other_id, rule, handling, found_by, recorded_at) "
        "values ('b', gen_random_uuid(), 'ffffffff-ffff-ffff-ffff-ffffffffffff', 'r', 'newer_wins', 'a', now())",
        "fact_pair": "(bank_id, one_id, other_id, similarity, decision, judged_by, judged_at) "
        "values ('b', gen_random_uuid(), 'ffffffff-ffff-ffff-ffff-ffffffffffff', 1, 'same', 'a', now())",
        "clarification": "(bank_id, clarification_id, one_id, other_id, question, importance, created_at) "
        "values ('b', gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'forged', 1, now())",
        "fact_merge": "(bank_id, loser_id, winner_id, reason, actor, recorded_at) "
        "values ('b', gen_random_uuid(), gen_random_uuid(), 'r', 'a', now())",
        "merge_decision": "(bank_id, one_id, other_id, texts_hash, same, decided_by, recorded_at) "
        "values ('b', gen_random_uuid(), 'ffffffff-ffff-ffff-ffff-ffffffffffff', 't', true, 'a', now())",
        "watermark": "(bank_id, pass, memory_id, state) values ('b', 'merge', gen_random_uuid(), 's')",
        "idempotency_key": "(bank_id, holder, key, request_hash, status, body, created_at) "
        "values ('b', '', 'forged', decode(repeat('00', 32), 'hex'), 200, '{}', now())",
        "episode_version": "(bank_id, memory_id, version, content, full_text, replaced_at, replaced_by) "
        "values ('b', gen_random_uuid(), 1, 'forged', '{}', now(), 'a')",
        "session_memory": "(bank_id, session_id, lineage, version, state, root, bytes, created_at, updated_at) "
        "values ('b', 'forged', gen_random_uuid(), 1, 'A', decode(repeat('00', 32), 'hex'), 2, now(), now())",
        "session_checkpoint": "(bank_id, session_id, number, checkpoint_id, version, state, root, bytes, created_at) "
        "values ('b', 'shared', 9, gen_random_uuid(), 1, 'A', decode(repeat('00', 32), 'hex'), 2, now())",
        "session_part": "(bank_id, lineage, digest, content) "
        "values ('b', gen_random_uuid(), decode(repeat('00', 32), 'hex'), 'forged')",
        "relational_memory": "(bank_id, memory_id, kind, slot, norm, confidence, status, first_observed, "
        "last_confirmed, valid_from, source, extracted_by, recorded_at) values ('b', gen_random_uuid(), "
        "'preference', 'forged', 'forged', 1, 'stable', now(), now(), now(), 'user', 'rules', now())",
        "relational_evidence": "(bank_id, norm_id, episode_id, stated, occurred_at, recorded_at) "
        "values ('b', gen_random_uuid(), gen_random_uuid(), true, now(), now())",
        "relational_version": "(bank_id, norm_id, version, situation, norm, confidence, evidence_count, status, "
        "pinned, valid_from, reason, actor, at) values ('b', gen_random_uuid(), 9, '', 'forged', 1, 1, 'stable', "
        "false, now(), 'r', 'a', now())",
        "relational_vector": "(bank_id, norm_id, model_id, part, embedding) "
        "values ('b', gen_random_uuid(), %(model)s, 1, %(vector)s)",
        "relationship": "(bank_id, updated_at) values ('b', now())",
        "procedural_memory": "(bank_id, memory_id, kind, content, status, confidence, importance, occurred_at, "
        "recorded_at, valid_from, source, fingerprint) "
        "values ('b', gen_random_uuid(), 'habit', 'forged', 'active', 1, 1, now(), now(), now(), 'user', 0)",
        "procedure_evidence": "(bank_id, procedure_id, evidence_id, stated, importance, occurred_at, recorded_at) "
        "values ('b', gen_random_uuid(), gen_random_uuid(), true, 1, now(), now())",
        "procedure_version": "(bank_id, procedure_id, version, content, situation, steps, status, confidence, "
        "importance, evidence_count, worked, failed, pinned, valid_from, reason, actor, at) "
        "values ('b', gen_random_uuid(), 1, 'forged', '', '{}', 'active', 1, 1, 1, 0, 0, false, now(), 'r', 'a', "
        "now())",
        "procedural_vector": "(bank_id, procedure_id, model_id, part, embedding) "
        "values ('b', gen_random_uuid(), %(model)s, 0, %(vector)s)",
        "lesson_vector": "(bank_id, episode_id, model_id, lesson_hash, embedding) "
        "values ('b', gen_random_uuid(), %(model)s, 'h', %(vector)s)",
        "fact_mention": "(bank_id, conversation_id, fact_id, at) values ('b', 'c', gen_random_uuid(), now())",
        "emotional_thread": "(bank_id, thread_id, current_state, valence, half_life_days, thread_length, started_at, "
        "last_update) values ('b', gen_random_uuid(), 'forged', 1, 1, 1, now(), now())",
        "emotional_thread_episode": "(bank_id, episode_id, occurred_at, emotions, mood) "
        "values ('b', gen_random_uuid(), now(), '{}', 1)",
        "emotional_thread_act": "(bank_id, at, act, thread_id, valence, actor) "
        "values ('b', now(), 'ended', gen_random_uuid(), 1, 'a')",
    }
    assert set(inserts) == set(bank_tables(service))
    values = {"model": MODEL, "vector": steps.unit_vector(0)}
    for table, insert in inserts.items():
        with pytest.raises(psycopg.errors.InsufficientPrivilege, match="row-level security"):
            within(service, "a", f"insert into memory.{table} {insert}", values)


def test_no_row_is_moved_into_another_bank(service: Connection, unchanged: None) -> None:
    steps.add(service, "a", "shared", ["mine"])
    steps.cut(service, claim(service)[0])
    for table in ("conversation", "message"):
        with pytest.raises(psycopg.errors.InsufficientPrivilege, match="row-level security"):
            within(service, "a", f"update memory.{table} set bank_id = 'b'")


def test_no_bank_learns_of_another_through_a_key(service: Connection, unchanged: None) -> None:
    """The same conversation, client id and idempotency key in both banks: neither collides with the other."""
    steps.add(service, "a", "shared", ["mine"], client_ids=["m1"])
    memory = steps.episode(uuid.uuid4(), idempotency_key="key")
    created = rows(service, "commit_memory", bank="a", decision=steps.decision(), episode=memory)
    assert created[0][2]


def test_views_show_the_named_bank_only(service: Connection, victim: Victim) -> None:
    query = "select format('%I.%I', schemaname, viewname) from pg_views where schemaname in ('memory_api', 'analytics')"
    views = [row[0] for row in service.execute(query)]
    assert len(views) > 4
    for view in views:
        query = f"select count(*) from {view}"
        assert service.execute(query.encode()).fetchone() == (0,)
        with service.transaction():
            enter(service, "a")  # empty but for the audit of its creation
            others = f"{query} as v where coalesce(to_jsonb(v) ->> 'bank_id', '') <> 'a'"
            assert service.execute(others.encode()).fetchone() == (0,)


def test_a_leaky_condition_is_not_shown_rows_of_another_bank(service: Connection, victim: Victim) -> None:
    """The planner must not run a caller's condition before the policy."""
    with service.transaction():
        enter(service, "a")
        query = "select from memory.message where cast(content as integer) = 1"
        assert service.execute(query).fetchall() == []


def test_the_bank_is_forgotten_when_the_transaction_ends(service: Connection, victim: Victim) -> None:
    """Pooled connections go from one bank's call to the next."""
    assert len(rows(service, "read_memory", bank="b", memory=victim.active)) == 1
    assert service.execute("select count(*) from memory.episodic_memory").fetchone() == (0,)
    assert rows(service, "read_memory", bank="a", memory=victim.active) == []


def test_the_bank_is_forgotten_when_a_call_fails(service: Connection, victim: Victim) -> None:
    with pytest.raises(psycopg.Error, match="there is no bank"):
        rows(service, "require_bank", bank="nobody")
    assert service.execute("select coalesce(current_setting('memory.bank_id', true), '')").fetchone() == ("",)


# Through functions, with what belongs to b


def test_lists_of_a_bank_show_nothing_of_another(service: Connection, victim: Victim) -> None:
    assert rows(service, "list_memories", bank="a", page=100) == []
    assert rows(service, "list_memories", bank="a", page=100, by_importance=True) == []
    assert rows(service, "list_decisions", bank="a", page=100) == []
    assert rows(service, "list_changes", bank="a", page=100) == []
    assert rows(service, "list_traces", bank="a", page=100) == []
    everything = {"bank": "a", "page": 100, "statuses": ["tentative", "stable", "deprecated", "merged_into"]}
    assert rows(service, "list_facts", **everything) == []
    assert rows(service, "list_facts", **everything, known_at="infinity") == []
    questions = {"bank": "a", "page": 100, "statuses": ["open", "answered", "void"]}
    assert rows(service, "list_clarifications", **questions) == []
    assert steps.recall(service, "a") == []
    compacted = rows(
        service, "compaction_candidates", bank="a", recipient="Tom", purpose="x", statuses=["active", "archived"],
        fetch_count=99, importance_weight=1.0, recency_weight=1.0, recency_days=30.0,
    )  # fmt: skip
    assert compacted == []
    recent = rows(
        service, "recent_memory", bank="a", conversation="shared", undecided=9, episodes=9, refused=9
    )
    assert recent == []


def test_a_cursor_of_another_bank_leads_nowhere(service: Connection, victim: Victim) -> None:
    lists = {"list_memories": victim.active, "list_decisions": victim.segment, "list_facts": victim.fact}
    for function, after in lists.items():
        assert rows(service, function, bank="a", page=100, after_at="infinity", after_id=after) == []


def test_ids_of_another_bank_are_not_read(service: Connection, victim: Victim) -> None:
    memories = [victim.active, victim.pending]
    assert rows(service, "read_memory", bank="a", memory=victim.active) == []
    assert rows(service, "read_commits", bank="a", memories=memories) == []
    assert rows(service, "read_pending_embedding", bank="a", memories=memories) == []
    assert rows(service, "read_segments", bank="a", segments=[victim.segment], context_size=9) == []
    assert rows(service, "read_fact", bank="a", memory=victim.fact) == []
    assert rows(service, "fact_history", bank="a", memory=victim.fact, page=100) == []
    assert rows(service, "fact_state", bank="a", memory=victim.fact) == [(None, None)]


@pytest.mark.parametrize("verdict", ["confirmed", "disputed", "retracted", "pinned", "unpinned"])
def test_a_fact_of_another_bank_is_not_judged(
    service: Connection, unchanged: None, victim: Victim, verdict: str
) -> None:
    """It is no conflict either: it is not there."""
    judged = rows(service, "review_fact", bank="a", memory=victim.fact, judgement=verdict, actor="a")
    assert judged == []


def test_a_question_of_another_bank_is_not_answered(
    service: Connection, unchanged: None, victim: Victim
) -> None:
    for keep in (victim.fact, None, uuid.uuid4()):
        answered = rows(
            service, "answer_clarification", bank="a", clarification=victim.question, keep=keep, answer=None,
            actor="a",
        )  # fmt: skip
        assert answered == []


def test_a_fact_commits_into_the_named_bank_only(service: Connection, unchanged: None) -> None:
    """Its key is another bank's, too, and its JSON names that bank."""
    committed = commit_fact(service, "a", "key of a fact")
    assert [row[1] for row in rows(service, "list_facts", bank="a", page=9)] == [committed]


def test_a_fact_shows_nothing_of_another_bank(service: Connection, victim: Victim) -> None:
    """Not even to a fact of the same id."""
    steps.fact(service, "a", "mine", memory_id=victim.fact, timeline=f"text|{SECRET}")
    found = service.execute(
        "select unconfirmed, contradictions, version_history, cardinality(derived_from) "
        "from memory_api.read_fact('a', %s)", (victim.fact,),
    )  # fmt: skip
    assert found.fetchall() == [(False, [], [], 1)]


def test_stats_count_one_bank(service: Connection, victim: Victim) -> None:
    stats = value(service, "bank_stats", bank="a")
    assert (stats["messages"]["total"], stats["memories"], stats["queue"]["depth"], stats["spend"]["calls"]) == (
        0, {}, 0, 0,
    )  # fmt: skip


def test_an_episode_of_another_bank_is_not_moved(
    service: Connection, unchanged: None, victim: Victim
) -> None:
    assert not value(
        service, "set_episode_status", bank="a", memory=victim.active, from_statuses=["active"], to_status="archived",
        reason="forged", actor="a",
    )  # fmt: skip


def test_a_memory_of_another_bank_is_not_released(
    service: Connection, unchanged: None, victim: Victim
) -> None:
    """It is no conflict either: it is not there."""
    for memory_id in (victim.active, victim.pending):
        assert rows(service, "release_memory", bank="a", memory=memory_id, actor="a") == []


def test_links_show_nothing_of_another_bank(service: Connection, victim: Victim) -> None:
    """Not even to a memory of the same id."""
    mine = steps.episode(victim.active)
    rows(service, "commit_memory", bank="a", decision=steps.decision(), episode=mine, at=START)
    query = "select links from memory_api.read_memory(%s, %s)"
    assert service.execute(query, ("a", victim.active)).fetchall() == [([],)]
    ((links,),) = service.execute(query, ("b", victim.active)).fetchall()
    assert len(links) == 1


def test_a_trace_of_another_bank_is_neither_read_nor_expired_nor_written_over(
    service: Connection, admin: Admin, unchanged: None
) -> None:
    ((theirs,),) = admin.execute("select trace_id from memory.retrieval_trace where bank_id = 'b'").fetchall()
    assert rows(service, "read_trace", bank="a", trace=theirs) == []
    late = START + timedelta(days=99)
    assert value(service, "expire_traces", bank="a", days=1, query_days=1, at=late) == 0
    forged = trace("forged") | {"trace_id": str(theirs)}
    rows(service, "record_traces", bank="a", traces=Jsonb([forged]))


def test_an_access_is_not_counted_in_another_bank(
    service: Connection, unchanged: None, victim: Victim
) -> None:
    rows(service, "record_traces", bank="a", traces=Jsonb([trace("mine", victim.active)]))


def test_a_segment_of_another_bank_is_not_decided(
    service: Connection, unchanged: None, victim: Victim
) -> None:
    """Not even with work of one's own that names it."""
    steps.enqueue(service, "a", str(victim.segment), "extract")
    (lease,) = claim(service, "extract")
    with suppress(psycopg.errors.NotNullViolation):  # a has no messages for such a decision
        steps.decide(service, lease, memory_id=uuid.uuid4())


def test_an_episode_of_another_bank_is_not_activated(
    service: Connection, unchanged: None, victim: Victim
) -> None:
    steps.enqueue(service, "a", str(victim.pending), "embed")
    assert steps.activate(service, "a", claim(service, "embed")) == 0
    assert steps.recall(service, "a") == []


def test_an_episode_of_another_bank_is_not_annotated(
    service: Connection, unchanged: None, victim: Victim
) -> None:
    steps.enqueue(service, "a", str(victim.pending), "annotate")
    (lease,) = claim(service, "annotate")
    fields = Jsonb({"importance": 1})
    rows(
        service, "annotate_memory", bank="a", memory=victim.pending, token=lease.token, lane=0, fields=fields,
        to_status="quarantined", reason="forged",
    )  # fmt: skip


def test_failing_work_fails_nothing_of_another_bank(
    service: Connection, unchanged: None, victim: Victim
) -> None:
    for kind, subject in (
        ("extract", victim.segment),
        ("embed", victim.pending),
        ("annotate", victim.pending),
    ):
        steps.enqueue(service, "a", str(subject), kind)
        (lease,) = claim(service, kind)
        assert steps.fail(service, lease, max_attempts=1) == "dead"


def test_dead_letters_of_another_bank_are_neither_listed_nor_driven_again(
    service: Connection, admin: Admin, victim: Victim
) -> None:
    assert steps.fail(service, victim.leases[-1], max_attempts=1) == "dead"
    before = dump(admin, "b")
    assert rows(service, "list_dead_work", bank="a", page=9) == []
    assert rows(service, "redrive_work", bank="a", page=9)[0][0] == 0
    assert dump(admin, "b") == before
    assert rows(service, "redrive_work", bank="b", page=9)[0][0] == 1


def test_leases_of_another_bank_are_of_no_use(service: Connection, unchanged: None, victim: Victim) -> None:
    for lease in victim.leases:
        forged = steps.Lease("a", lease.kind, lease.subject, 0, 1, 1, lease.token)
        assert not steps.complete(service, forged)
        assert steps.fail(service, forged) is None
        assert steps.release(service, [forged]) == 0
        assert steps.renew(service, [forged]) == set()


def test_an_idempotency_key_of_another_bank_is_not_found(
    service: Connection, unchanged: None, victim: Victim
) -> None:
    mine = uuid.uuid4()
    memory = steps.episode(mine, idempotency_key="key")
    found = rows(service, "commit_memory", bank="a", decision=steps.decision(), episode=memory)
    assert found[0][0] == mine


def test_an_episode_cannot_bring_a_bank_of_its_own(
    service: Connection, unchanged: None, victim: Victim
) -> None:
    """Its JSON is the caller's: a bank in it is not believed."""
    memory = steps.episode(uuid.uuid4(), bank_id="b")
    rows(service, "commit_memory", bank="a", decision=steps.decision(), episode=memory)
    assert len(rows(service, "list_memories", bank="a", page=9)) == 1


def test_an_import_of_another_bank_is_not_ended(service: Connection, unchanged: None, victim: Victim) -> None:
    rows(service, "end_import", bank="a", conversations=["shared"])


# Two banks, strange banks


def test_one_transaction_names_one_bank(service: Connection, victim: Victim) -> None:
    with pytest.raises(psycopg.Error) as refused:
        within(service, "a", "select memory_internal.enter_bank('b')")
    assert refused.value.sqlstate == "ME005"


def test_a_function_does_not_change_the_bank_that_was_named(service: Connection, victim: Victim) -> None:
    """Every function that takes a bank refuses another one than the transaction's.

    Except those of the queues, which hold no content, acknowledging, which writes and shows nothing, and parts of
    queries, which run under the row security of the query.
    """
    free = {"add_message", "add_messages", "claim_rows", "complete_work", "complete_leases", "effective_conflicts",
            "list_contradictions", "session_parts",
            "conversation_lock_key", "version_history", "display_subject",
            "enqueue_new", "enqueue_work", "fail_lease", "lock_leases", "lock_lease", "fact_periods", "queue_stats",
            "revive_work", "wake_work", "merged_wordings", "summary_context_words", "begin_upkeep", "fail_upkeep",
            "mark_bank_due", "remove_work", "evidence_importance", "thread_course", "thread_enabled",
            "thread_as_of", "open_thread", "thread_entries", "procedure_candidates", "procedure_entries",
            "record_norm_version", "norm_entries", "norm_coverage"}  # fmt: skip
    functions = service.execute(
        "select p.proname, p.pronargs, p.pronargdefaults from pg_proc p "
        "where p.pronamespace::regnamespace::text in ('memory_api', 'memory_internal') and p.proargnames[1] = 'bank'"
    ).fetchall()
    assert len(functions) > 20
    for name, arguments, defaults in functions:
        if name in free:
            continue
        nulls = ", null" * (arguments - defaults - 1)
        with pytest.raises(psycopg.Error) as refused:
            within(service, "a", f"select * from {steps.SCHEMA_OF[name]}.{name}('b'{nulls})")
        assert refused.value.sqlstate == "ME005", name


@pytest.mark.parametrize("name", EVIL_NAMES)
def test_a_strange_name_is_no_bank(service: Connection, unchanged: None, name: str) -> None:
    """It is a name and nothing else: no pattern, no code, nobody's bank."""
    with pytest.raises(psycopg.Error) as refused:
        rows(service, "read_bank", bank=name)
    assert refused.value.sqlstate == "ME001"
    with service.transaction():
        enter(service, name)
        assert service.execute("select current_setting('memory.bank_id')").fetchone() == (name,)
        assert service.execute("select from memory.bank").fetchall() == []


@pytest.mark.parametrize("name", [name for name in EVIL_NAMES if name not in ("B", "default")])
def test_a_strange_name_cannot_become_a_bank(service: Connection, unchanged: None, name: str) -> None:
    with pytest.raises(psycopg.errors.CheckViolation):
        steps.create_bank(service, name)


@pytest.mark.parametrize("name", ["", None])
def test_no_name_is_no_bank(service: Connection, unchanged: None, name: str | None) -> None:
    with pytest.raises(psycopg.Error) as refused:
        steps.recall(service, name)  # type: ignore[arg-type]
    assert refused.value.sqlstate == "ME001"


@pytest.mark.parametrize("text", ["'; delete from memory.message; --", "%s", "$1", "\\'; --", "{}"])
def test_strange_text_is_stored_as_it_is(service: Connection, unchanged: None, text: str) -> None:
    steps.add(service, "a", text, [text], client_ids=[text])
    recent = rows(
        service, "recent_memory", bank="a", conversation=text, undecided=9, episodes=9, refused=9, at=START
    )
    assert [row[4] for row in recent] == [text]


def test_callers_objects_do_not_stand_in_for_the_catalogs(service: Connection, unchanged: None) -> None:
    """A definer function looks up nothing in a schema that its caller can write."""
    service.execute("create temporary table work (bank_id text, kind text)")
    service.execute("create temporary table pg_class (oid oid)")
    service.execute("set search_path = pg_temp, memory, pg_catalog")
    steps.enqueue(service, "a", "s")
    assert len(claim(service)) == 1
    assert service.execute("select from pg_temp.work").fetchall() == []
