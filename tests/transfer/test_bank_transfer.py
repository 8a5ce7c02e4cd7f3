"""A bank that was exported and imported elsewhere is the same bank."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any, cast

import pytest
from pydantic import SecretStr

from memory_service.config import Settings
from memory_service.errors import Conflict, NotFound
from memory_service.memory import Memory
from memory_service.requests import NewMessage
from memory_service.store.bank_tables import BANK_TABLES
from memory_service.store.transfer import EXPORTED, OF_THE_SERVER, VECTOR_TABLES
from memory_service.transfer import ExportedBank, ImportedBank, export_bank, import_bank
from tests.conftest import Admin, cloned, settle
from tests.db.steps import MODEL, START, Connection, create_bank, fact, rows
from tests.isolation.victim import SECRET, fill

TALK = (
    ("user", "I live in Porto and I love the sea."),
    ("assistant", "Lovely, Porto it is."),
    ("user", "My sister Ana is a doctor in Lisbon. Please remember it."),
    ("user", "I was so sad when my dog Rex died last week."),
    ("user", "I am allergic to walnuts."),
    ("user", "When you write code for me, always add types."),
)


async def exported(memory: Memory, bank: str, **options: bool) -> tuple[bytes, ExportedBank]:
    file = io.BytesIO()
    manifest = await export_bank(memory, bank, file.write, **options)
    return file.getvalue(), manifest


async def imported(memory: Memory, bank: str, data: bytes, **options: bool) -> ImportedBank:
    return await import_bank(memory, bank, io.BytesIO(data), **options)


@pytest.fixture
async def elsewhere(settings: Settings, server_url: str, template: str) -> AsyncIterator[Memory]:
    """A service with another database."""
    with cloned(server_url, template) as url:
        opened = await Memory.open(
            settings.model_copy(update={"database_url": SecretStr(url)}), migrated=False
        )
        yield opened
        await opened.aclose()


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """Settings with a Gemini key, because the rows of `fill` have Gemini's embedding model; it is never called."""
    return settings.model_copy(
        update={"embedding_model": "local", "gemini_api_key": SecretStr("x"), "extraction_model": "rules"}
    )


async def talk(memory: Memory, bank: str = "anna") -> None:
    """A bank with all that a conversation leaves."""
    await memory.create_bank(bank, {"subject": "Maria"})
    turns = [
        NewMessage(role, content, occurred_at=START + timedelta(minutes=n))
        for n, (role, content) in enumerate(TALK)
    ]
    await memory.add_messages(bank, "trip", turns)
    await memory.remember(bank, "Maria works at the harbour.", type="semantic")
    await memory.remember(bank, "Maria moved to Porto in 2019.")
    await settle(memory, bank)


async def answers(memory: Memory, bank: str) -> list[object]:
    """What reads return at one time, without the ids of the reads."""
    at = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
    memory.forget_cached_bank(bank)  # the names of its speakers
    found: list[object] = []
    for query in ("Where does Maria live?", "dog", "walnuts", "What does her sister do?", "types"):
        recalled = await memory.recall(bank, query, k=20, as_of=at)
        found.append([(item.memory_id, item.content, item.score) for item in recalled.items])
        context = await memory.context(bank, query, as_of=at)
        found.append((context.text, context.tokens))
    facts = await memory.list_facts(bank, as_of=at)
    found.append([(fact.memory_id, fact.fact, fact.confidence) for fact in facts.items])
    await memory.trace_writer.flush()
    return found


@pytest.mark.changes_nothing
def test_every_table_of_a_bank_is_exported_or_of_the_server() -> None:
    assert set(EXPORTED) | OF_THE_SERVER.keys() == set(BANK_TABLES)
    assert not set(EXPORTED) & OF_THE_SERVER.keys()


async def test_a_row_of_every_table_comes_back(
    memory: Memory, elsewhere: Memory, service: Connection
) -> None:
    fill(service, "b")
    first, manifest = await exported(memory, "b")
    assert {name for name, rows in manifest.rows.items() if not rows} == set()
    await imported(memory, "copy", first)
    await imported(elsewhere, "b2", first)
    for other, bank in ((memory, "copy"), (elsewhere, "b2")):
        _, again = await exported(other, bank)
        assert again.rows == manifest.rows
        assert again.hashes == manifest.hashes
    assert SECRET.encode() in first


async def test_reads_answer_the_same_elsewhere(memory: Memory, elsewhere: Memory) -> None:
    await talk(memory)
    before = await answers(memory, "anna")
    data, manifest = await exported(memory, "anna")
    result = await imported(elsewhere, "maria", data)
    assert (result.source, result.rows, result.vectors) == ("anna", manifest.rows, True)
    _, again = await exported(elsewhere, "maria")
    assert again.hashes == manifest.hashes
    assert await answers(elsewhere, "maria") == before == await answers(memory, "anna")
    assert any("Porto" in str(one) for one in before)


async def test_the_bank_goes_on_where_it_is_imported(memory: Memory, elsewhere: Memory) -> None:
    await talk(memory)
    data, _ = await exported(memory, "anna")
    await imported(elsewhere, "anna", data)
    await elsewhere.add_messages("anna", "trip", [NewMessage("user", "I moved to Braga last month.")])
    await elsewhere.remember("anna", "Maria sold the boat.")
    stats = await settle(elsewhere, "anna")
    assert stats["messages"]["total"] == len(TALK) + 1
    found = await elsewhere.recall("anna", "Braga")
    assert "Braga" in found.items[0].content
    before, after = [
        [(change.memory_id, change.event, change.at) for change in (await one.list_changes("anna")).items]
        for one in (memory, elsewhere)
    ]
    assert after[: len(before)] == before
    assert len(after) > len(before) > 5
    assert "Braga" in str((await elsewhere.list_facts("anna")).items)


async def test_unfinished_work_is_done_elsewhere(memory: Memory, elsewhere: Memory) -> None:
    await memory.create_bank("anna")
    await memory.add_messages(
        "anna", "trip", [NewMessage("user", "I am allergic to walnuts. Please remember it.")]
    )
    data, manifest = await exported(memory, "anna")
    assert manifest.rows["work"] == 1
    await imported(elsewhere, "anna", data)
    assert (await settle(elsewhere, "anna"))["messages"]["stored"] == 1
    assert "walnuts" in (await elsewhere.recall("anna", "walnuts")).items[0].content


async def test_a_bank_with_rows_is_refused_and_unchanged(memory: Memory, service: Connection) -> None:
    fill(service, "b")
    data, manifest = await exported(memory, "b")
    with pytest.raises(Conflict, match="not empty: it has rows in"):
        await imported(memory, "b", data)
    assert (await exported(memory, "b"))[1].hashes == manifest.hashes
    await memory.create_bank("empty", {"subject": "Tom"})
    await imported(memory, "empty", data)
    assert (await exported(memory, "empty"))[1].hashes == manifest.hashes
    with pytest.raises(NotFound):
        await exported(memory, "nobody")


async def test_a_worker_makes_the_vectors_that_are_left_out(memory: Memory, elsewhere: Memory) -> None:
    await talk(memory)
    whole, with_vectors = await exported(memory, "anna")
    data, manifest = await exported(memory, "anna", vectors=False)
    assert with_vectors.rows.keys() - manifest.rows.keys() == set(VECTOR_TABLES)
    for bank, file, options in (("without", data, {}), ("unused", whole, {"vectors": False})):
        result = await imported(elsewhere, bank, file, **options)
        assert not result.vectors
        await settle(elsewhere, bank)
        _, again = await exported(elsewhere, bank)
        for table in ("memory_vector", "relational_vector", "procedural_vector"):
            assert again.rows[table] == with_vectors.rows[table] > 0 or table == "procedural_vector", table
        same = (
            "message",
            "episodic_memory",
            "semantic_memory",
            "fact_evidence",
            "memory_event",
            "memory_text",
        )
        assert {name: again.hashes[name] for name in same} == {
            name: with_vectors.hashes[name] for name in same
        }
    found = (await answers(memory, "anna"))[0], (await answers(elsewhere, "without"))[0]
    first, second = (
        {str(content): round(float(score), 2) for _, content, score in cast("list[Any]", one)}
        for one in found
    )
    assert first == second


async def test_merges_keep_their_judgements(memory: Memory, service: Connection, admin: Admin) -> None:
    """Judgements get other numbers in the database of the export, where theirs are taken."""
    create_bank(service, "b")
    one, other = fact(service, "b", "Rex is black."), fact(service, "b", "Rex has black fur.")
    for memory_id in (one, other):
        for judgement in ("confirmed", "pinned"):
            rows(service, "review_fact", bank="b", memory=memory_id, judgement=judgement, actor="b", at=START)
    admin.execute(
        "insert into memory.fact_merge (bank_id, loser_id, winner_id, reason, actor, recorded_at, judgements, "
        "winner_before) select 'b', %(one)s, %(other)s, 'r', 'a', now(), "
        "(select array_agg(judgement_id) from memory.fact_judgement where fact_id = %(one)s), "
        "(select jsonb_build_object('judgements', jsonb_agg(judgement_id)) from memory.fact_judgement "
        "where fact_id = %(other)s)",
        {"one": one, "other": other},
    )
    data, manifest = await exported(memory, "b")
    await imported(memory, "copy", data)
    assert (await exported(memory, "copy"))[1].hashes == manifest.hashes
    named = (
        "select array(select j.fact_id from memory.fact_judgement j where j.bank_id = m.bank_id and "
        "j.judgement_id = any (m.judgements)), array(select j.fact_id from memory.fact_judgement j "
        "where j.bank_id = m.bank_id and m.winner_before -> 'judgements' @> to_jsonb(j.judgement_id)) "
        "from memory.fact_merge m where m.bank_id = 'copy'"
    )
    assert admin.execute(named.encode()).fetchall() == [([one, one], [other, other])]


async def test_another_embedding_model_is_that_of_the_service(
    memory: Memory, elsewhere: Memory, service: Connection
) -> None:
    fill(service, "b")
    data, _ = await exported(memory, "b")
    header, rest = data.split(b"\n", 1)
    result = await imported(elsewhere, "b", data)
    assert (result.embedding_model, result.vectors) == (MODEL, True)
    await elsewhere.create_bank("own")
    own = (await elsewhere.get_bank("own")).embedding_model
    unknown = header.replace(MODEL.encode(), b"unknown-model")
    tables = json.loads(rest.rsplit(b"\n", 2)[-2])
    lines = unknown + b"\n" + rest.rsplit(b"\n", 2)[0] + b"\n"
    tables["sha256"] = hashlib.sha256(lines).hexdigest()
    result = await imported(elsewhere, "own", lines + json.dumps(tables).encode() + b"\n")
    assert (result.embedding_model, result.vectors) == (own, False)
    assert (await elsewhere.get_bank("own")).embedding_model == own
    assert (await exported(elsewhere, "own"))[1].rows["memory_vector"] == 0
