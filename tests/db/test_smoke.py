"""Every function of memory_api runs once as the service: mistakes in plpgsql surface only when it is called."""

from __future__ import annotations

import json
import math
import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from psycopg.types.json import Json, Jsonb

from memory_service.intake.embed import REPLY_PART
from tests.conftest import Admin
from tests.db import steps
from tests.db.smoke_changes import CHANGES
from tests.db.smoke_consolidation import CONSOLIDATION
from tests.db.smoke_erasure import ERASURE
from tests.db.smoke_facts import FACTS
from tests.db.smoke_idempotency import IDEMPOTENCY
from tests.db.smoke_keys import KEYS
from tests.db.smoke_merge import MERGES
from tests.db.smoke_metrics import METRICS
from tests.db.smoke_procedures import PROCEDURES
from tests.db.smoke_reembedding import REEMBEDDING
from tests.db.smoke_relational import RELATIONAL, STATED
from tests.db.smoke_servers import SERVERS
from tests.db.smoke_sessions import SESSIONS
from tests.db.smoke_thread import THREADS
from tests.db.smoke_transfer import TRANSFER
from tests.db.smoke_upkeep import UPKEEP
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


def undecidable_messages(service: Connection) -> None:
    steps.add(service, BANK)
    assert value(service, "undecidable_messages", bank=BANK) == 0


def empty_full_text(service: Connection) -> None:
    rows(service, "update_bank", bank=BANK, patch=Jsonb({"empty_full_text": True}))
    assert value(service, "empty_full_text", bank=BANK, page=5) == 0


def list_banks(service: Connection) -> None:
    assert [row[0] for row in rows(service, "list_banks", page=5)] == [BANK]
    assert rows(service, "list_banks", page=5, after_bank=BANK) == []


def claim_rows(service: Connection) -> None:
    steps.add(service, BANK)
    given = {"bank": BANK, "kind": "segment", "places": ["(0,1)"], "per_bank": 1, "retries": False}
    rows(service, "claim_rows", **given, lease=timedelta(seconds=60), at=START)


def claim_work(service: Connection) -> None:
    steps.add(service, BANK)
    assert [lease.subject for lease in steps.claim(service)] == ["c1"]


def commit_memory(service: Connection) -> None:
    assert commit(service, "a key") == commit(service, "a key")


def complete_work(service: Connection) -> None:
    steps.enqueue(service, BANK, "c1")
    assert steps.complete(service, steps.claim(service)[0])


def conversation_lock_key(service: Connection) -> None:
    locks = {
        value(service, "conversation_lock_key", bank=bank, conversation="c1") for bank in ("a", "a", "b")
    }
    assert len(locks) == 2


def create_bank(service: Connection) -> None:
    arguments = {"bank": "another", "settings": Jsonb({}), "embedding_model": MODEL}
    assert [rows(service, "create_bank", **arguments)[0][0] for _ in range(2)] == [True, False]


def segment_conversation(service: Connection) -> None:
    steps.add(service, BANK)
    assert steps.segment_conversation(service, steps.claim(service)[0], at=LATER) == 1


def activate_unembedded(service: Connection) -> None:
    memory_id, lease = steps.remember(service, BANK)
    assert value(service, "activate_unembedded", bank=BANK, memories=[memory_id], tokens=[lease.token]) == 1
    assert steps.activate(service, BANK, [lease]) == 0
    assert steps.recall(service, BANK) == [memory_id]


def begin_model_call(service: Connection) -> None:
    assert [open_line(service, daily_tokens=200) is None for _ in range(3)] == [False, True, True]


def complete_leases(service: Connection) -> None:
    steps.enqueue(service, BANK, "c1")
    lease = steps.claim(service)[0]
    rows(service, "complete_leases", bank=BANK, kind="segment", subjects=["c1"], tokens=[lease.token])
    assert value(service, "queue_stats", bank=BANK, at=START)["depth"] == 0


def decide_segments(service: Connection) -> None:
    assert steps.decide(service, steps.segment(service, BANK), outcome="refused")


def end_model_call(service: Connection) -> None:
    line = open_line(service)
    rows(
        service,
        "end_model_call",
        bank=BANK,
        call=line,
        outcome="ok",
        input_tokens=1,
        output_tokens=2,
        seconds=0.5,
    )
    assert value(service, "tokens_today", bank=BANK, at=START) == 3


def enqueue_new(service: Connection) -> None:
    rows(service, "enqueue_new", bank=BANK, kind="embed", subjects=["a", "b"], lanes=[0, 1], at=START)
    assert [(lease.subject, lease.lane) for lease in steps.claim(service, "embed")] == [("a", 0), ("b", 1)]


def lock_leases(service: Connection) -> None:
    steps.enqueue(service, BANK, "c1")
    (lease,) = steps.claim(service)
    tokens = [uuid.uuid4(), lease.token]
    held = rows(service, "lock_leases", bank=BANK, kind="segment", subjects=["c1", "c1"], tokens=tokens)
    assert held == [("c1",)]


def link_episodes(service: Connection) -> None:
    first, second = two_alike(service)
    steps.value(service, "set_episodes_status", bank=BANK, memories=[second], from_statuses=["pending_embedding"],
                to_status="active", reason="a test", actor="test")  # fmt: skip
    rows(service, "link_episodes", bank=BANK, memories=[second], near_memories=[second], near_others=[first],
         similarities=[0.8], threshold=0.75, at=START)  # fmt: skip
    with service.transaction():
        rows(service, "enter_bank", bank=BANK)
        linked = service.execute("select memory_id, linked_id, reason from memory.memory_link").fetchall()
    assert linked == [(second, first, "similarity")]


def set_episodes_status(service: Connection) -> None:
    memory_id, _ = steps.remember(service, BANK)
    moved = [
        value(service, "set_episodes_status", bank=BANK, memories=[memory_id], from_statuses=["pending_embedding"],
              to_status="failed", reason="a test", actor="test")
        for _ in range(2)
    ]  # fmt: skip
    assert moved == [1, 0]


def nearest_episodes(service: Connection) -> None:
    first, second = two_alike(service)
    found = rows(
        service, "nearest_episodes", bank=BANK, model=MODEL, memories=[second],
        embeddings=f'{{"{steps.unit_vector(0)}"}}', threshold=0.9,
    )  # fmt: skip
    assert found == [(second, first, 1.0)]


def tokens_today(service: Connection) -> None:
    open_line(service)
    days = [value(service, "tokens_today", bank=BANK, at=START + timedelta(days=day)) for day in (0, 1)]
    assert days == [150, 0]


def wake_work(service: Connection) -> None:
    steps.enqueue(service, BANK, "c1")
    rows(service, "release_work", **steps.owned(steps.claim(service)), ready_at=LATER, reason="a cap")
    assert [value(service, "wake_work", bank=BANK, reason=why, at=START) for why in ("another", "a cap")] == [
        0,
        1,
    ]
    assert len(steps.claim(service)) == 1


def open_line(service: Connection, daily_tokens: int | None = None) -> int | None:
    """A line of the spend ledger of 150 tokens."""
    return value(
        service, "begin_model_call", bank=BANK, model=MODEL, purpose="extract", items=1, input_tokens=100,
        output_tokens=50, daily_tokens=daily_tokens, at=START,
    )  # fmt: skip


def effective_importance(service: Connection) -> None:
    halved = value(
        service, "effective_importance", importance=0.5, occurred_at=START, access_count=0,
        at=START + timedelta(days=50),
    )  # fmt: skip
    assert halved == pytest.approx(0.25)


def recency(service: Connection) -> None:
    assert value(service, "recency", occurred_at=START, at=START + timedelta(days=30)) == 0.5


def end_import(service: Connection) -> None:
    steps.add(service, BANK, lane=1)
    rows(service, "end_import", bank=BANK, conversations=["c1"], at=START)
    assert steps.segment_conversation(service, steps.claim(service)[0]) == 1


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
        service, "fail_lease", bank=BANK, kind="segment", subject="c1", token=lease.token, reason="a test",
        retry_at=START, max_attempts=1, at=START,
    )  # fmt: skip
    assert outcome == "dead"


def fail_work(service: Connection) -> None:
    assert steps.fail(service, steps.segment(service, BANK), max_attempts=1) == "dead"


def lock_lease(service: Connection) -> None:
    steps.enqueue(service, BANK, "c1")
    (lease,) = steps.claim(service)
    assert value(service, "lock_lease", bank=BANK, kind="segment", subject="c1", token=lease.token)


def insert_episodes(service: Connection) -> None:
    rows(service, "insert_episodes", bank=BANK, episodes=Jsonb([steps.episode(uuid.uuid4()).obj]), at=START)
    assert len(steps.claim(service, "embed")) == 1


def installation(service: Connection) -> None:
    assert rows(service, "installation")[0][3:] == ("memory_service", False, 1)


def list_decisions(service: Connection) -> None:
    steps.decide(service, steps.segment(service, BANK), outcome="refused")
    assert len(rows(service, "list_decisions", bank=BANK, page=10)) == 1


def list_timeline(service: Connection) -> None:
    memory = commit(service)
    ((first, memory_id, kind, event, *_),) = rows(service, "list_timeline", bank=BANK, page=10)
    assert (memory_id, kind, event) == (memory, "episodic", "created")
    assert rows(service, "list_timeline", bank=BANK, page=10, before_id=first) == []


def map_episodes(service: Connection) -> None:
    memory, lease = steps.remember(service, BANK)
    axes = {"x_axis": steps.unit_vector(0), "y_axis": steps.unit_vector(1)}
    assert rows(service, "map_episodes", bank=BANK, most=10, **axes) == []
    steps.activate(service, BANK, [lease], merges=False)
    ((found, x, y, cluster, *_),) = rows(service, "map_episodes", bank=BANK, most=10, **axes)
    assert (found, x, y, cluster) == (memory, 1.0, 0.0, None)


def map_sample(service: Connection) -> None:
    _, lease = steps.remember(service, BANK)
    steps.activate(service, BANK, [lease], merges=False)
    assert len(rows(service, "map_sample", bank=BANK, most=10, sample=3)) == 1


def activity_by_day(service: Connection) -> None:
    commit(service)
    ((_, messages, memories),) = rows(service, "activity_by_day", bank=BANK, since=START)
    assert (messages, memories) == (0, 1)


def spend_by_day(service: Connection) -> None:
    for _ in range(2):
        open_line(service, daily_tokens=1000)
    ((_, purpose, _, calls, failed, items, *tokens, _),) = rows(
        service, "spend_by_day", bank=BANK, since=START
    )
    assert (purpose, calls, failed, items, tokens) == ("extract", 2, 0, 2, [200, 100])


def list_memories(service: Connection) -> None:
    commit(service)
    arguments: dict[str, Any] = {"tags": ["a"], "min_importance": 0.1, "statuses": ["active"], "since": START}
    assert len(rows(service, "list_memories", bank=BANK, page=10)) == 1
    assert rows(service, "list_memories", bank=BANK, page=10, **arguments) == []


def set_episode_status(service: Connection) -> None:
    assert value(
        service, "set_episode_status", bank=BANK, memory=commit(service), from_statuses=["pending_embedding"],
        to_status="archived", reason="a test", actor="a test",
    )  # fmt: skip


def queue_stats(service: Connection) -> None:
    steps.enqueue(service, BANK, "c1")
    stats = value(service, "queue_stats", at=START + timedelta(seconds=30))
    assert stats == {"depth": 1, "oldest_seconds": 30, "dead": 0}


def intake_delay(service: Connection) -> None:
    steps.enqueue(service, BANK, "c1")
    delays = [value(service, "intake_delay", at=START + timedelta(seconds=s)) for s in (-1, 30)]
    assert delays == [0, 30]


def bank_lexeme(service: Connection) -> None:
    assert value(service, "bank_lexeme", of_bank=BANK) == " smoke"


def query_words(service: Connection) -> None:
    memories, terms, *_ = rows(
        service, "query_words", bank=BANK, language="english", words="Who has the dogs?"
    )[0]
    assert (memories, terms) == (0, ["'dog'"])


def selective_query(service: Connection) -> None:
    found = value(service, "selective_query", memories=0, terms=None, rarity=None)
    assert found is None


def matching_texts(service: Connection) -> None:
    found = service.execute(
        "select * from memory_internal.matching_texts(%s, 'dog', '{0.1,0.2,0.4,1}', 5, 5)", (BANK,)
    )
    assert found.fetchall() == []


def large_text_candidates(service: Connection) -> None:
    found = service.execute(
        "select memory_internal.large_text_candidates(%s, 0, '{dog}', '{1}', '{0.1,0.2,0.4,1}', 5, true, 3, true, "
        "false, null, null, '{active}', 0.3, null, null, null, null, null, null, null, null, false, now())",
        (BANK,),
    ).fetchone()
    assert found == ([],)


def similar_words(service: Connection) -> None:
    assert rows(service, "similar_words", bank=BANK, language="english", given="dgos") == []


def edit_distance(service: Connection) -> None:
    assert value(service, "edit_distance", one="portgual", other="portugal", most=2) == 1


def candidate_features(service: Connection) -> None:
    memory_id, lease = steps.remember(service, BANK)
    steps.activate(service, BANK, [lease])
    (figures,) = rows(
        service, "candidate_features", bank=BANK, memories=[memory_id, memory_id], model=MODEL,
        query=steps.unit_vector(0), by_words=True, terms=None, rarity=None, named=[], label_weights=[0, 0, 0, 0],
    )  # fmt: skip
    assert figures == (memory_id, "episodic", 1, None, 0, False, 0, False)


def mention_kinds(service: Connection) -> None:
    kinds = {
        "I came back yesterday.": 1, "It is in Porto.": 2 + 4, "We met Ines.": 4, "I have two cats.": 8,
        "I left because of him.": 16, "It rains.": 0, "": 0, "He moved to Leeds on 3 May 2024 to help Tom.": 31,
    }  # fmt: skip
    assert {said: value(service, "mention_kinds", content=said) for said in kinds} == kinds


def display_subject(service: Connection) -> None:
    assert value(service, "display_subject", bank=BANK, subject="user's sister") == "user's sister"
    rows(service, "update_bank", bank=BANK, patch=Jsonb({"subject": "Ines"}))
    shown = [
        value(service, "display_subject", bank=BANK, subject=one)
        for one in ("user's sister", "user", "users", None)
    ]
    assert shown == ["Ines's sister", "Ines", "users", None]


def assign_subject(service: Connection) -> None:
    know(service)
    rows(service, "assign_subject", bank=BANK, at=START)


def first_reply_part(service: Connection) -> None:
    assert value(service, "first_reply_part") == REPLY_PART


def trace_candidate_rows(service: Connection) -> None:
    one = {"memory_id": "m1", "score": 1, "dropped": None, "figures": {"cosine": 0.5}}
    other = {"memory_id": "m2", "score": 0, "dropped": "why", "figures": {"cosine": 0.25}}
    columns = {name: [one[name], other[name]] for name in ("memory_id", "score", "dropped")}
    kept = columns | {"figures": {"cosine": [0.5, 0.25]}}
    assert rows(service, "trace_candidate_rows", candidates=Json(kept)) == [(1, one), (2, other)]


def salient_memories(service: Connection) -> None:
    memory_id, lease = steps.remember(service, BANK)
    steps.activate(service, BANK, [lease])
    assert value(
        service,
        "salient_memories",
        bank=BANK,
        count=1,
        statuses=["active"],
        least_confidence=0.3,
        episodes=None,
        facts=None,
        profile=Jsonb(steps.BALANCED),
        labels=None,
        historical=False,
        at=START,
    ) == [memory_id]


def rank_salient_memories(service: Connection) -> None:
    memory_id, lease = steps.remember(service, BANK)
    steps.activate(service, BANK, [lease])
    assert value(
        service, "rank_salient_memories", bank=BANK, count=1, episodes=[memory_id], facts=[],
        profile=Jsonb(steps.BALANCED),
        labels=None, historical=False, at=START,
    ) == [memory_id]  # fmt: skip


def conversation_neighbours(service: Connection) -> None:
    found = rows(
        service,
        "conversation_neighbours",
        in_bank=BANK,
        conversation="c1",
        occurred_at=START,
        memory=uuid.uuid4(),
    )
    assert found == [(None, None)]


def context_words(service: Connection) -> None:
    around = value(service, "context_words", before="'fox':1A", is_question=True, after="'hen':1A")
    assert around == "'fox':1B 'hen':2"


def summary_context_words(service: Connection) -> None:
    assert value(service, "summary_context_words", bank=BANK, summary=uuid.uuid4()) == ""


def indexed_words(service: Connection) -> None:
    assert value(service, "indexed_words", bank=BANK, memories=[commit(service)]) == []


def update_word_counts(service: Connection) -> None:
    commit(service)
    rows(service, "update_word_counts", bank=BANK, old_words=[], new_words=["fox", "hen", "fox"])
    rows(service, "update_word_counts", bank=BANK, old_words=["fox", "hen"], new_words=["owl"])
    with service.transaction():
        service.execute("select memory_internal.enter_bank(%s)", (BANK,))
        found = service.execute("select word, memories from memory.word_count order by word").fetchall()
    assert found == [("fox", 1), ("owl", 1)]


def index_episode_words(service: Connection) -> None:
    rows(service, "index_episode_words", bank=BANK, memories=[commit(service)])
    assert service.execute("select count(*) from memory.memory_text").fetchone() == (0,)


def read_bank(service: Connection) -> None:
    assert value(service, "read_bank", bank=BANK) == BANK


def read_commits(service: Connection) -> None:
    assert len(rows(service, "read_commits", bank=BANK, memories=[commit(service)])) == 1


def read_memory(service: Connection) -> None:
    assert len(rows(service, "read_memory", bank=BANK, memory=commit(service))) == 1


def read_pending_embedding(service: Connection) -> None:
    memory_id = commit(service)
    found = rows(service, "read_pending_embedding", bank=BANK, memories=[memory_id])
    assert found == [(memory_id, "a summary", None, MODEL, found[0][4])]
    assert found[0][4] > 0


def read_segments(service: Connection) -> None:
    lease = steps.segment(service, BANK)
    assert len(rows(service, "read_segments", bank=BANK, segments=[UUID(lease.subject)], context_size=6)) == 1


def recall_candidates(service: Connection) -> None:
    assert steps.recall(service, BANK) == []


def context_entries(service: Connection) -> None:
    """The conversation's messages, then the rows of person_entries, by the columns of both."""
    steps.add(service, BANK)
    rows(service, "put_norms", bank=BANK, norms=Jsonb([STATED]), actor="a test", at=START)
    asked = {"bank": BANK, "conversation": "c1", "undecided": 6, "episodes": 6, "refused": 6, "at": LATER}
    found = rows(service, "context_entries", model=MODEL, query=None, **asked)
    (norm,) = rows(service, "person_entries", bank=BANK, model=MODEL, query=None, at=LATER)
    assert [row[0] for row in found] == ["message", "norm"]
    assert found[1][:3] == norm[:3]


def one_trace(service: Connection, *seen: UUID) -> dict[str, object]:
    """A trace that is written; its JSON."""
    trace: dict[str, object] = {
        "trace_id": str(uuid.uuid4()), "kind": "recall", "query": "q", "profile": "balanced", "mode": "tool",
        "candidates": json.dumps({"memory_id": [str(s) for s in seen], "score": [1] * len(seen), "figures": {}}),
        "returned": 1, "degraded": False,
        "figures": {}, "parameters": {"k": 1}, "seen": [str(s) for s in seen],
    }  # fmt: skip
    assert value(service, "record_traces", bank=BANK, traces=Jsonb([trace]), at=START) == 1
    return trace


def record_traces(service: Connection) -> None:
    memory_id = commit(service)
    trace = one_trace(service, memory_id)
    assert value(service, "record_traces", bank=BANK, traces=Jsonb([trace]), at=START) == 0
    assert service.execute(
        "select access_count from memory_api.read_memory(%s, %s)", (BANK, memory_id)
    ).fetchall() == [(1,)]


def read_trace(service: Connection) -> None:
    memory_id = commit(service)
    trace = one_trace(service, memory_id)
    (row,) = rows(service, "read_trace", bank=BANK, trace=trace["trace_id"])
    assert row[-1] == [{"memory_id": str(memory_id), "score": 1, "figures": {}, "content": "a summary"}]


def trace_candidates(service: Connection) -> None:
    memory_id = commit(service)
    columns: dict[str, Any] = {
        "memory_id": [str(memory_id), str(uuid.uuid4())],
        "score": [1, 0],
        "figures": {},
    }
    shown = value(service, "trace_candidates", bank=BANK, candidates=Json(columns))
    assert [one["content"] for one in shown] == ["a summary", None]


def list_traces(service: Connection) -> None:
    first, second = sorted(str(one_trace(service)["trace_id"]) for _ in range(2))
    assert [str(row[0]) for row in rows(service, "list_traces", bank=BANK, page=9)] == [second, first]
    assert [str(row[0]) for row in rows(service, "list_traces", bank=BANK, page=9, after_id=second)] == [
        first
    ]


def expire_traces(service: Connection) -> None:
    one_trace(service)
    days: dict[str, Any] = {"bank": BANK, "days": 30, "query_days": 7}
    changed = [
        value(service, "expire_traces", **days, at=START + timedelta(days=day)) for day in (7, 8, 8, 31, 31)
    ]
    assert changed == [0, 1, 0, 1, 0]


def banks_with_expired_traces(service: Connection) -> None:
    one_trace(service)
    found = [
        rows(service, "banks_with_expired_traces", days=30, query_days=7, at=START + timedelta(days=day))
        for day in (7, 8)
    ]
    assert found == [[], [(BANK,)]]


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


def lock_bank(service: Connection) -> None:
    rows(service, "lock_bank", bank=BANK)


def bank_settings(service: Connection) -> None:
    assert value(service, "bank_settings", bank=BANK) == {}


def text_language(service: Connection) -> None:
    found = [value(service, "text_language", settings=Jsonb(one)) for one in ({}, {"language": "german"})]
    assert found == ["english", "german"]


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
    with service.transaction():
        rows(service, "enter_bank", bank=BANK)
        service.execute(
            "insert into memory.memory_vector (bank_id, memory_id, model_id, tier, embedding) "
            "select bank_id, %s, model_id, tier, embedding from memory.memory_vector",
            [second],
        )
        service.execute(
            "update memory.episodic_memory set fingerprint = memory_internal.text_fingerprint(summary)"
        )
    assert value(service, "find_duplicate", bank=BANK, model=MODEL, memory=second) == first


def dead_letter(service: Connection) -> None:
    steps.add(service, BANK)
    (lease,) = steps.claim(service)
    assert steps.fail(service, lease, max_attempts=1) == "dead"


def list_dead_banks(service: Connection) -> None:
    assert rows(service, "list_dead_banks") == []
    dead_letter(service)
    assert rows(service, "list_dead_banks") == [(BANK,)]


def list_dead_work(service: Connection) -> None:
    dead_letter(service)
    (letter,) = rows(service, "list_dead_work", bank=BANK, page=10)
    assert letter == (BANK, "segment", "conversation", "c1", 1, "it failed", START, START)
    assert rows(service, "list_dead_work", bank=None, page=10) == [letter]


def resegment_conversation(service: Connection) -> None:
    dead_letter(service)
    rows(service, "resegment_conversation", bank=BANK, conversation="c1")
    assert value(service, "bank_stats", bank=BANK)["messages"]["pending"] == 1


def redrive_work(service: Connection) -> None:
    dead_letter(service)
    assert rows(service, "redrive_work", bank=BANK, page=10, at=START) == [(1, START)]
    assert rows(service, "list_dead_work", bank=BANK, page=10) == []


def release_memory(service: Connection) -> None:
    memory_id = uuid.uuid4()
    rows(
        service, "commit_memory", bank=BANK, decision=steps.decision("quarantined"),
        episode=steps.episode(memory_id, status="quarantined"), at=START,
    )  # fmt: skip
    assert len(rows(service, "release_memory", bank=BANK, memory=memory_id, actor="a test", at=START)) == 1
    assert len(steps.claim(service, "embed")) == 1


def revive_work(service: Connection) -> None:
    dead_letter(service)
    assert rows(service, "revive_work", bank=BANK, page=10, dead_until=START, at=START) == [("segment", "c1")]


def text_difference(service: Connection) -> None:
    assert value(service, "text_difference", one="I moved to Rome.", other="I moved to Oslo.") == "names"


def reinforce_episode(service: Connection) -> None:
    first, second = two_alike(service)
    rows(service, "reinforce_episode", bank=BANK, memory=second, known=first, at=START)
    item = rows(service, "read_memory", bank=BANK, memory=second)
    assert "merged_into" in item[0]


def bank_limits(service: Connection) -> None:
    assert rows(service, "bank_limits", bank=BANK) == [(0.6, 0.8, 7, 0.7, 0.8, 30)]


def read_thresholds(service: Connection) -> None:
    assert rows(service, "read_thresholds", model=MODEL) == [(0.92, 0.85, 0.75, "seeds", None, None)]
    assert rows(service, "read_thresholds", model="unheard of") == []


def set_thresholds(service: Connection) -> None:
    changed: dict[str, Any] = {
        "duplicate": 0.9,
        "conflict": None,
        "evidence": 0.7,
        "calibration": Jsonb({"n": 1}),
    }
    assert value(service, "set_thresholds", model=MODEL, **changed, source="calibrated", at=START)
    assert rows(service, "read_thresholds", model=MODEL) == [(0.9, 0.85, 0.7, "calibrated", None, None)]
    kept = service.execute(
        "select calibration from memory.embedding_model where name = %s", (MODEL,)
    ).fetchone()
    assert kept == ({"n": 1, "at": "2026-01-01T00:00:00+00:00"},)
    assert not value(service, "set_thresholds", model="unheard of", **changed, source="calibrated", at=START)
    nothing = dict.fromkeys(("duplicate", "conflict", "evidence")) | {"calibration": Jsonb({}), "at": START}
    assert not value(service, "set_thresholds", model=MODEL, **nothing, source="seeds")
    scale = {"unrelated_mean": 0.77, "unrelated_spread": 0.03}
    assert value(service, "set_thresholds", model=MODEL, **nothing, source="seeds", **scale)
    assert rows(service, "read_thresholds", model=MODEL) == [(0.9, 0.85, 0.7, "calibrated", 0.77, 0.03)]
    assert rows(service, "read_bank", bank=BANK)[0][-2:] == (0.77, 0.03)


def word_stem(service: Connection) -> None:
    assert value(service, "word_stem", word="cities") == value(service, "word_stem", word="city")


def parse_statement(service: Connection) -> None:
    numbers, negated, *_ = rows(service, "parse_statement", content="Tom never has two dogs.")[0]
    assert (numbers, negated) == (["2"], True)


def commit(service: Connection, key: str | None = None) -> UUID:
    """A conscious commit that waits for its fields; the memory's id."""
    memory = steps.episode(uuid.uuid4(), idempotency_key=key, extracted_by=None)
    return value(service, "commit_memory", bank=BANK, decision=steps.decision(), episode=memory, at=START)


def compaction_candidates(service: Connection) -> None:
    memory, lease = steps.remember(service, BANK)
    assert steps.activate(service, BANK, [lease]) == 1
    found = rows(
        service, "compaction_candidates", bank=BANK, recipient="Tom", purpose="x", statuses=["active"],
        fetch_count=9, importance_weight=0.6, recency_weight=0.4, recency_days=30.0, at=START,
    )  # fmt: skip
    assert [row[0] for row in found] == [memory]


def text_fingerprint(service: Connection) -> None:
    one, same, other = (
        value(service, "text_fingerprint", content=text)
        for text in ("Rex likes two cats.", "Two cats, Rex likes!", "Rex likes three cats.")
    )
    assert one == same != other


FACT = """
insert into memory.semantic_memory
    (bank_id, memory_id, fact, timeline, fingerprint, occurred_at, recorded_at, first_observed, last_confirmed,
     valid_from, confidence, source)
values (%s, %s, 'a fact', 'text|1', 1, %s, %s, %s, %s, %s, 0.9, 'user')
"""


def know(service: Connection) -> UUID:
    """A fact; its id."""
    fact = uuid.uuid4()
    service.execute("select memory_internal.enter_bank(%s)", (BANK,))
    service.execute(FACT.encode(), (BANK, fact, *[START] * 5))
    return fact


def effective_confidence(service: Connection) -> None:
    faded = value(
        service, "effective_confidence", confidence=0.9, importance=0.5, last_confirmed=START, status="tentative",
        pinned=False, attribute="is", contradicted_at=None, at=START + timedelta(days=100),
    )  # fmt: skip
    assert faded == pytest.approx(0.9 * math.exp(-1))


def passes_filters(service: Connection) -> None:
    steps.activate(service, BANK, [steps.remember(service, BANK, tags=["work"])[1]])
    found = service.execute(
        "select array_agg(distinct memory_internal.passes_filters(e, '{active}', null, t.tags, null, null, null, null, "
        "null, false, now())) from memory.episodic_memory e, (values ('{work}'::text[]), ('{home}')) as t (tags) "
        "where e.tags = '{work}' and e.status = 'active'"
    ).fetchone()
    assert found == ([False, True],)


def passes_mood(service: Connection) -> None:
    for valence, topics, importance, passes in (
        (None, ["Dance \"x\""], 0.1, True), (-0.9, ["DANCE"], 0.1, True), (0.9, ["dance"], 0.1, False),
        (0.5, ["dance"], 0.1, True), (0.9, ["dance"], 0.7, True), (None, [], 0.7, True), (None, ["tea"], 0.1, False),
    ):  # fmt: skip
        found = service.execute(
            "select memory_internal.passes_mood(jsonb_populate_record(null::memory.episodic_memory, %s), %s)",
            (
                Jsonb({"emotional_valence": valence, "topics": topics, "importance": importance}),
                Jsonb({"topics": ["dance", 'dance "x"'], "felt": -0.7, "strong": 0.6, "important": 0.7}),
            ),
        ).fetchone()
        assert found == (passes,), (valence, topics)
    found = service.execute(
        "select memory_internal.passes_mood(jsonb_populate_record(null::memory.episodic_memory, %s), %s), "
        "memory_internal.passes_mood(null::memory.episodic_memory, null)",
        (Jsonb({"emotional_valence": -0.6}), Jsonb({"valence": 0.5, "apart": 1, "important": 0.7})),
    ).fetchone()
    assert found == (False, True)


def is_landmark(service: Connection) -> None:
    for valence, importance, landmark in ((-0.7, 0.1, True), (None, 0.9, True), (0.6, 0.8, False)):
        arguments = {"valence": valence, "importance": importance}
        assert value(
            service, "is_landmark", **arguments, landmark_valence=0.6, landmark_importance=0.8
        ) is landmark  # fmt: skip


def is_believed(service: Connection) -> None:
    fact = know(service)
    found = service.execute(
        "select memory_internal.is_believed(f, 0.5, %s), memory_internal.is_believed(f, 0.5, %s) "
        "from memory.semantic_memory f where memory_id = %s",
        (START, START - timedelta(days=1), fact),
    ).fetchone()
    assert found == (True, False)
    # A fact that was stable until it was dropped above the cap has the floor of a stable fact until `dropped_at`.
    later = START + timedelta(days=900)
    seen = "select memory_internal.is_believed(f, 0.3, %s) from memory.semantic_memory f where memory_id = %s"
    was = "update memory.semantic_memory set status = %s, evidence_count = 3, dropped_at = %s where memory_id = %s"
    for status, dropped_at in (("stable", None), ("deprecated", later + timedelta(days=1))):
        service.execute(was, (status, dropped_at, fact))
        assert service.execute(seen, (later, fact)).fetchone() == (True,)


def deprecation_confidence(service: Connection) -> None:
    for own, least in (({}, 0.3), ({"deprecation_confidence": 0.2}, 0.2)):
        assert value(service, "deprecation_confidence", settings=Jsonb(own)) == least


def stable_evidence(service: Connection) -> None:
    assert value(service, "stable_evidence") == 3


def compress_keep_importance(service: Connection) -> None:
    for own, limit in (({}, 0.7), ({"compress_keep_importance": 0.5}, 0.5)):
        assert value(service, "compress_keep_importance", settings=Jsonb(own)) == limit


def bank_intake(service: Connection) -> None:
    given: list[tuple[dict[str, str], str | None]] = [
        ({}, None), ({}, "verbatim"), ({"intake": "snippet"}, "verbatim"),
    ]  # fmt: skip
    found = [
        value(service, "bank_intake", settings=Jsonb(own), default_intake=default) for own, default in given
    ]
    assert found == ["exchange", "verbatim", "snippet"]


def prune_below_importance(service: Connection) -> None:
    for own, limit in (({}, 0.3), ({"prune_below_importance": 0.1}, 0.1)):
        assert value(service, "prune_below_importance", settings=Jsonb(own)) == limit


def was_believed_later(service: Connection) -> None:
    fact = know(service)
    service.execute(
        "update memory.semantic_memory set status = 'deprecated', faded_at = %s where memory_id = %s",
        (START, fact),
    )
    found = service.execute(
        "select memory_internal.was_believed_later(f, %s), memory_internal.was_believed_later(f, %s) "
        "from memory.semantic_memory f where memory_id = %s",
        (START - timedelta(days=1), START, fact),
    ).fetchone()
    assert found == (True, False)


def record_facts_in_context(service: Connection) -> None:
    fact = know(service)
    trace = one_trace(service) | {"trace_id": str(uuid.uuid4())}
    what = {"conversation_id": "c1", "facts": [str(fact)], "clarification_id": None}
    value(service, "record_traces", bank=BANK, traces=Jsonb([trace | {"brought_up": what}]))
    found = service.execute("select conversation_id, fact_id from memory.fact_mention").fetchall()
    assert found == [("c1", fact)]


def facts_in_context(service: Connection) -> None:
    lease = steps.segment(service, BANK)
    assert rows(service, "facts_in_context", bank=BANK, segment=UUID(lease.subject)) == []


def hnsw_usable(service: Connection) -> None:
    (usable,) = service.execute("select memory_internal.hnsw_usable()").fetchone() or (None,)
    assert usable is True


SMOKE: dict[str, Callable[[Connection], None]] = {
    call.__name__: call
    for call in (
        activate_episodes, add_message, add_messages, annotate_memory, bank_stats, claim_rows, claim_work,
        commit_memory, empty_full_text, complete_work, conversation_lock_key, create_bank, segment_conversation,
        list_dead_banks, activate_unembedded, begin_model_call, complete_leases, decide_segments, end_model_call,
        enqueue_new, lock_leases, link_episodes, list_banks, set_episodes_status, nearest_episodes, tokens_today,
        wake_work, effective_importance, end_import, enqueue_work, enter_bank, fail_lease, fail_work, find_duplicate,
        lock_lease, insert_episodes, installation, list_dead_work, list_decisions, list_memories,
        activity_by_day, list_timeline, map_episodes, map_sample, spend_by_day, text_difference,
        set_episode_status, queue_stats, query_words, selective_query, matching_texts, large_text_candidates,
        read_bank, bank_lexeme, candidate_features, mention_kinds,
        conversation_neighbours, similar_words, edit_distance, undecidable_messages, recency, salient_memories,
        rank_salient_memories, context_words, summary_context_words, index_episode_words, update_word_counts,
        indexed_words, first_reply_part, display_subject, assign_subject, read_commits, read_memory, intake_delay,
        read_pending_embedding, read_segments, recall_candidates, context_entries, expire_traces,
        banks_with_expired_traces, list_traces, read_trace, record_traces, trace_candidate_rows,
        trace_candidates,
        resegment_conversation, redrive_work, refuse_memory, register_embedding_model, reinforce_episode,
        release_memory, revive_work, bank_limits, read_thresholds, release_work, renew_work, require_bank,
        lock_bank, bank_settings, text_language,
        text_fingerprint, set_thresholds, update_bank, compaction_candidates, word_stem, parse_statement,
        facts_in_context, was_believed_later, is_believed, passes_filters, passes_mood, is_landmark,
        record_facts_in_context,
        deprecation_confidence, stable_evidence, compress_keep_importance, prune_below_importance,
        bank_intake,
        hnsw_usable, *FACTS, *CHANGES, *IDEMPOTENCY, *KEYS, *UPKEEP, *MERGES, *CONSOLIDATION, *METRICS, *RELATIONAL,
        *THREADS, *TRANSFER, *SESSIONS, *ERASURE, *PROCEDURES, *REEMBEDDING,
        *SERVERS,
    )
}  # fmt: skip


def test_every_function_has_a_smoke_call(admin: Admin) -> None:
    names = admin.execute(
        "select proname from pg_proc where pronamespace::regnamespace::text in ('memory_api', 'memory_internal')"
    )
    assert {row[0] for row in names.fetchall()} == set(SMOKE)


def test_every_function_runs_as_the_service(service: Connection, subtests: pytest.Subtests) -> None:
    steps.create_bank(service, BANK)
    for name, call in SMOKE.items():
        with subtests.test(name), service.transaction(force_rollback=True):
            call(service)
