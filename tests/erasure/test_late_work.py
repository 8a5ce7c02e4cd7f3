"""Workers that hold a lease of each kind during an erasure and complete late: nothing of what they read is written."""

from __future__ import annotations

import re
import uuid
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from memory_service import Memory, NewMessage
from memory_service.store.work import Claim
from memory_service.types import JudgedPair, PairFact, UnjudgedPair
from tests.conftest import Admin, settle
from tests.db import steps
from tests.db.steps import QUIET, START, Connection, claim, rows, value
from tests.erasure.carrier import FACT_IDS, NONCE, Carrier, rows_in, tell
from tests.erasure.scan import tables_with
from tests.support.scripted import ScriptedEmbedder, script

LATER = START + 10 * steps.LEASE


def erase(service: Connection, scope: str, **selector: Any) -> None:
    assert rows(
        service, "erase", bank="b", erasure=uuid.uuid4(), scope=scope, selector=Jsonb(selector), actor="ann",
        at=datetime.now(UTC),
    )  # fmt: skip


def test_segment(service: Connection, admin: Admin) -> None:
    steps.create_bank(service, "b")
    steps.add(service, "b", f"talk {NONCE}", ["hello"])
    (lease,) = claim(service)
    erase(service, "conversation", conversation_id=f"talk {NONCE}")
    assert tables_with(admin, NONCE) == set()
    assert steps.segment_conversation(service, lease) is None
    assert tables_with(admin, NONCE) == set()
    steps.add(service, "b", f"talk {NONCE}", ["hello again"], at=LATER)
    (again,) = claim(service, at=LATER)
    assert steps.segment_conversation(service, again, at=LATER + QUIET) == 1


def test_extract_with_erased_messages_as_context(service: Connection, admin: Admin) -> None:
    steps.create_bank(service, "b", intake="verbatim")
    steps.add(service, "b", "talk", [NONCE, "hello"])
    (lease,) = claim(service)
    assert steps.segment_conversation(service, lease) == 2
    first, second = claim(service, "extract")
    if not admin.execute("select from memory.message where content = %s and segment_id = %s::uuid",
                         [NONCE, first.subject]).fetchall():  # fmt: skip
        first, second = second, first
    memory_id = uuid.uuid4()
    assert steps.decide(service, first, memory_id=memory_id, summary=NONCE)
    erase(service, "memory", memory_ids=[str(memory_id)])
    assert not steps.decide(service, second, memory_id=uuid.uuid4(), summary=f"after {NONCE}")
    assert tables_with(admin, NONCE) == set()
    (again,) = claim(service, "extract", at=datetime.now(UTC))
    assert again.subject == second.subject
    assert again.generation > second.generation


def test_annotate(service: Connection, admin: Admin) -> None:
    steps.create_bank(service, "b")
    memory_id = uuid.uuid4()
    episode = steps.episode(memory_id, summary="hello", extracted_by=None)
    rows(service, "commit_memory", bank="b", decision=steps.decision(), episode=episode, at=START)
    (lease,) = claim(service, "annotate")
    erase(service, "memory", memory_ids=[str(memory_id)])
    assert not value(
        service, "annotate_memory", bank="b", memory=memory_id, token=lease.token, lane=0,
        fields=Jsonb({"topics": [NONCE], "importance": 0.5}), to_status="pending_embedding", reason=NONCE, at=START,
    )  # fmt: skip
    assert tables_with(admin, NONCE) == set()
    assert claim(service, "embed") == []


def test_embed(service: Connection, admin: Admin) -> None:
    steps.create_bank(service, "b")
    memory_id, lease = steps.remember(service, "b")
    erase(service, "memory", memory_ids=[str(memory_id)])
    assert steps.activate(service, "b", [lease]) == 0
    assert admin.execute("select from memory.memory_vector").fetchall() == []


async def test_embed_of_a_memory_with_the_reply_of_another(
    memory: Memory, service: Connection, admin: Admin
) -> None:
    """The vectors of an erased reply are not written to the memory that had taken it over."""
    await memory.create_bank("b", {"gate": False})
    said = "I moved to Berlin with my dog."
    await memory.remember("b", said)
    await settle(memory, "b")
    await memory.add_messages(
        "b", "talk", [NewMessage("user", said), NewMessage("assistant", "Which breed is it?")]
    )
    await memory.end_import("b", ["talk"])
    await settle(memory, "b")
    (root,) = (await memory.list_memories("b", type="episodic", status="active")).items
    steps.enqueue(service, "b", str(root.memory_id), "embed")
    (lease,) = claim(service, "embed")
    await memory.erase("b", conversation_id="talk")
    model = (await memory.get_bank("b")).embedding_model
    value(
        service, "activate_episodes", bank="b", model=model, memories=[root.memory_id], tokens=[lease.token],
        part_memories=[root.memory_id] * 2, parts=[0, 10_000], at=START,
        embeddings="{" + ",".join(f'"{steps.unit_vector(0)}"' for _ in range(2)) + "}",
    )  # fmt: skip
    parts = admin.execute("select part from memory.memory_vector where memory_id = %s", [root.memory_id])
    assert parts.fetchall() == [(0,)]
    (again,) = claim(service, "embed", at=datetime.now(UTC))
    assert again.subject == lease.subject


async def reworded_fact(memory: Memory, admin: Admin) -> tuple[UUID, UUID, str]:
    """A bank in which two conversations state the same two facts; ids of the facts, and the first one's words, which
    come from conversation one."""
    script(memory, embedder=ScriptedEmbedder(), extractor=Carrier())
    await tell(memory, "b", {"one": f"I work at {NONCE}.", "two": "Another conversation altogether."})
    one, other = (row[0] for row in rows_in(admin, FACT_IDS, "b"))
    (text,) = rows_in(
        admin, f"select fact from memory.semantic_memory where bank_id = %s and memory_id = '{one}'", "b"
    )
    assert NONCE in text[0]
    return one, other, text[0]


async def test_facts(memory: Memory, service: Connection, admin: Admin) -> None:
    one, _, _ = await reworded_fact(memory, admin)
    steps.enqueue(service, "b", str(one), "facts")
    (lease,) = claim(service, "facts")
    await memory.erase("b", conversation_id="one")
    model = (await memory.get_bank("b")).embedding_model
    assert not value(
        service, "place_committed_fact", bank="b", model=model, memory=one, token=lease.token, statement=Jsonb({}),
        embedding=steps.unit_vector(1), at=START,
    )  # fmt: skip
    (again,) = [work for work in claim(service, "facts", at=datetime.now(UTC)) if work.subject == str(one)]
    assert again.token != lease.token


async def test_judge(memory: Memory, service: Connection, admin: Admin) -> None:
    one, other, text = await reworded_fact(memory, admin)
    (found,) = rows_in(
        admin, f"select fact from memory.semantic_memory where bank_id = %s and memory_id = '{other}'", "b"
    )
    steps.enqueue(service, "b", str(other), "judge")
    (lease,) = claim(service, "judge")
    held = Claim("b", "judge", lease.subject, lease.lane, lease.generation, lease.attempts, lease.token)
    facts = [PairFact(words, None, None, "many", START) for words in (text, found[0])]
    judged = JudgedPair(UnjudgedPair(one, other, 0.9, *facts), "conflict", "scripted")
    await memory.erase("b", conversation_id="one")
    assert await memory.store.fact_pairs.record_decisions("b", [judged], [held]) == 0
    assert rows_in(admin, "select 1 from memory.fact_conflict where bank_id = %s", "b") == []
    assert rows_in(admin, "select 1 from memory.fact_pair where bank_id = %s", "b") == []


async def test_relational(memory: Memory, service: Connection, admin: Admin) -> None:
    await reworded_fact(memory, admin)
    steps.enqueue(service, "b", "b", "relational")
    (lease,) = claim(service, "relational")
    norms = rows(service, "norms_to_embed", bank="b")
    stored = admin.execute(
        "select memory_id, norm from memory.relational_memory where bank_id = 'b' and norm like %s",
        [f"%{NONCE}%"],
    ).fetchall()
    assert stored
    await memory.erase("b", conversation_id="one")
    model = (await memory.get_bank("b")).embedding_model
    assert norms == []
    written = value(
        service, "embed_norms", bank="b", model=model, norms=[row[0] for row in stored], parts=[0] * len(stored),
        texts=[row[1] for row in stored], embeddings=[steps.unit_vector(0)] * len(stored),
    )  # fmt: skip
    assert written == 0
    assert steps.complete(service, lease)
    (again,) = claim(service, "relational", at=datetime.now(UTC))  # enqueued while it was leased
    assert again.subject == "b"


async def test_procedures(memory: Memory, service: Connection, admin: Admin) -> None:
    await reworded_fact(memory, admin)
    (episode,) = rows_in(
        admin,
        "select memory_id from memory.episodic_memory where bank_id = %s and conversation_id = 'one'",
        "b",
    )
    steps.enqueue(service, "b", str(episode[0]), "procedures")
    (lease,) = claim(service, "procedures")
    await memory.erase("b", conversation_id="one")
    stated: dict[str, Any] = {
        "subject": str(episode[0]), "memory_id": str(uuid.uuid4()), "kind": "habit", "content": NONCE,
        "situation": "", "steps": [], "why": None, "stated": True,
    }  # fmt: skip
    model = (await memory.get_bank("b")).embedding_model
    value(
        service, "write_procedures", bank="b", model=model, subjects=[episode[0]], tokens=[lease.token],
        procedures=Jsonb([stated]), embeddings=[steps.unit_vector(0)], situations=[None], at=START,
    )  # fmt: skip
    assert tables_with(admin, NONCE) == set()


def test_every_kind_of_work_is_tested(admin: Admin) -> None:
    constraint = admin.execute(
        "select pg_get_constraintdef(oid) from pg_constraint where conname = 'work_kind_check'"
    ).fetchone()
    kinds = re.findall(r"'(\w+)'", str(constraint))
    assert len(kinds) == 8
    assert {kind for kind in kinds if f"test_{kind}" not in globals()} == {"extract"}  # under a longer name
