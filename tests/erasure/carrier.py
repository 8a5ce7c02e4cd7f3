"""A scripted model that carries a nonce into every kind of artefact of one conversation, beside another conversation
that states the same in other words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from memory_service import Memory, NewMessage
from memory_service.types import (
    CandidateFact,
    CandidateNorm,
    Extraction,
    Extractions,
    Segment,
    StatedProcedure,
    Verdict,
)
from tests.conftest import Admin, settle
from tests.erasure.scan import tables_with
from tests.support.scripted import ScriptedEmbedder, ScriptedExtractor, script

NONCE = "Zqxbirdo"
START = datetime(2026, 3, 1, 12, tzinfo=UTC)
CARRIED = {
    "message", "episodic_memory", "episode_version", "memory_text", "word_count", "memory_entity", "person",
    "semantic_memory", "fact_version", "relational_memory", "relational_version", "procedural_memory",
    "procedure_version", "gate_decision", "retrieval_trace", "emotional_thread", "emotional_thread_episode",
    "idempotency_key", "clarification",
}  # fmt: skip
"""Tables that hold text of a conversation, its memories, or reads."""


class Carrier(ScriptedExtractor):
    """States the same facts, norms and procedures of every segment; those of a segment with the nonce contain it."""

    async def extract(self, segments: Sequence[Segment], **options: object) -> Extractions:
        answer = await super().extract(segments)
        items = [carried(item, segment) for item, segment in zip(answer.items, segments, strict=True)]
        return replace(answer, items=type(answer.items)(items))


def carried(item: Extraction, segment: Segment) -> Extraction:
    text = segment.utterances[0].content
    said = f" ({NONCE})" if NONCE in text else ""
    norms = (
        CandidateNorm(
            "instruction", f"wants short answers{said}", f"at work{said}", "short_answers", "short"
        ),
        *((CandidateNorm("preference", f"likes {NONCE}", "", "liking", "x"),) if said else ()),
    )
    verdicts = tuple(Verdict(v.gate, v.passed, v.reason + said) for v in item.verdicts)
    return replace(
        item, keep=True, verdicts=verdicts, summary=f"{text}{said}", valence=-0.9, emotions=("sadness",),
        topics=(f"job{said}",), entities=(f"Acme{said}",), lesson=f"Check twice{said}.",
        facts=(
            CandidateFact(f"The user lives in Porto{said}.", "user", "lives_in", "Porto", stated=True),
            CandidateFact(f"The user owns a boat{said}.", "user", "possession", "boat", stated=True),
        ),
        norms=norms,
        procedures=(StatedProcedure("habit", f"The user runs every morning{said}.", f"mornings{said}"),),
        extracted_by="scripted",
    )  # fmt: skip


async def tell(memory: Memory, bank: str, talks: dict[str, str]) -> None:
    await memory.create_bank(bank, {"gate": False})
    for day, (talk, text) in enumerate(talks.items()):
        name = f"{NONCE}name" if NONCE in text else "Jo"
        at = START + timedelta(days=day if NONCE in text else 30)
        await memory.add_messages(bank, talk, [NewMessage("user", text, name=name, id="1", occurred_at=at)])
        await memory.end_import(bank, [talk])
        await settle(memory, bank)


def rows_in(admin: Admin, query: str, bank: str) -> list[tuple[Any, ...]]:
    return admin.execute(query.encode(), [bank]).fetchall()


async def carry(memory: Memory, admin: Admin) -> UUID:
    """Tell bank b both conversations and bank never the second one; the id of the episode with the nonce, which is in
    every table of CARRIED."""
    script(memory, embedder=ScriptedEmbedder(), extractor=Carrier())
    talks = {"one": f"I work at {NONCE}.", "two": "Another conversation altogether."}
    await memory.create_bank("b", {"gate": False})
    await memory.context(
        "b", f"I work at {NONCE}.", conversation_id="one"
    )  # finds nothing: it is stored later
    await tell(memory, "b", talks)
    await tell(memory, "never", {"two": talks["two"]})
    await memory.context("b", f"I work at {NONCE}.", conversation_id="one")
    await memory.recall("b", NONCE, mode="tool")
    await memory.trace_writer.flush()
    one, other = (row[0] for row in rows_in(admin, FACT_IDS, "b"))
    (episode,) = rows_in(
        admin,
        "select memory_id from memory.episodic_memory where bank_id = %s and conversation_id = 'one'",
        "b",
    )
    await memory.update("b", episode[0], content=f"I work at {NONCE} now.")
    await settle(memory, "b")
    admin.execute(
        "insert into memory.fact_conflict (bank_id, one_id, other_id, rule, handling, found_by, recorded_at) "
        "values ('b', %s, %s, 'r', 'newer_wins', 'x', now())",
        [one, other],
    )
    admin.execute(
        "insert into memory.clarification (bank_id, clarification_id, one_id, other_id, question, importance, "
        "created_at) values ('b', gen_random_uuid(), %s, %s, %s, 0.9, now())",
        [one, other, NONCE],
    )
    admin.execute(
        "insert into memory.idempotency_key (bank_id, holder, key, request_hash, status, body, created_at) "
        "values ('b', 'h', 'k', %s, 200, %s, now())",
        [bytes(32), f"{episode[0]} {NONCE}"],
    )
    held = tables_with(admin, NONCE)
    assert held >= CARRIED, CARRIED - held
    return episode[0]


FACT_IDS = "select memory_id from memory.semantic_memory where bank_id = %s order by 1"
