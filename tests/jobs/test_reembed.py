"""Re-embedding in place: all vectors, writes and switches meanwhile, resumed wherever it stopped, and the way back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime, timedelta
from io import BytesIO
from typing import Any
from unittest.mock import patch

import pytest

from memory_service.api import base
from memory_service.config import Settings
from memory_service.errors import Conflict, InvalidInput, ProviderUnavailable
from memory_service.intake import reembed
from memory_service.jobs.passes import Outcome, Pass, PassContext
from memory_service.jobs.procedures import Procedures
from memory_service.jobs.reembed import Reembed
from memory_service.jobs.vector_index import VectorIndex
from memory_service.memory import Memory
from memory_service.models.built_model import BUILT_IN, MINILM
from memory_service.models.interface import Embeddings
from memory_service.requests import NewMessage
from memory_service.store.database import open_transaction
from memory_service.transfer.bank_export import export_bank
from memory_service.transfer.bank_import import import_bank
from tests.conftest import Admin, at_work, settle, until
from tests.jobs.vectors import TABLES, are_of_present_texts, second, vectors
from tests.support.second_model import second_model

BANK = "anna"
NOW = datetime(2026, 6, 1, 3, tzinfo=UTC)
LONG = " ".join(f"In year {n} Anna planted {n} trees behind the house of her aunt." for n in range(40))


@pytest.fixture
def settings(settings: Settings, session_dir: Any) -> Settings:
    changed = {"embedding_model": BUILT_IN, "local_model_dir": second_model(session_dir)}
    return settings.model_copy(update={**changed, "vector_index_from": 100})


@pytest.fixture
async def bank(memory: Memory) -> str:
    """A bank with texts of every kind that has vectors."""
    await memory.create_bank(BANK)
    said = (
        "I live in Porto and I love the sea.",
        "Porto is lovely: ships, wine, and bridges over the Douro.",
    )
    roles = ("user", "assistant")
    messages = [
        NewMessage(role, text, id=role, occurred_at=NOW) for role, text in zip(roles, said, strict=True)
    ]
    await memory.add_messages(BANK, "c1", messages)
    await memory.remember(BANK, LONG, occurred_at=NOW)
    await memory.remember(BANK, "Anna is allergic to walnuts.", type="semantic", occurred_at=NOW)
    await memory.remember(
        BANK, "Anna asked for the logs.", lesson="Ask before deleting logs.", occurred_at=NOW
    )
    await memory.remember(
        BANK, "Send the invoice as PDF.", type="procedural", situation="billing a client", occurred_at=NOW
    )
    norm = {"kind": "instruction", "norm": "answer briefly", "situation": "in the morning"}
    await memory.put_relational(BANK, [norm])  # type: ignore[list-item]
    await settle(memory, BANK)
    await run_pass(memory, Procedures())
    return BANK


async def run_pass(memory: Memory, one: Pass, at: datetime = NOW) -> Outcome:
    context = PassContext(memory.store, memory.models, memory.settings, at)
    return await one.run(await memory.get_bank(BANK), context)


async def similarity(memory: Memory, query: str) -> float:
    """Of the best memory by meaning alone."""
    result = await memory.recall(BANK, query, k=1, by=["meaning"], min_score=0)
    assert not result.degraded
    return result.items[0].components["similarity"] if result.items else 0.0


async def test_all_vectors_are_of_the_new_model(memory: Memory, bank: str, admin: Admin) -> None:
    former = vectors(admin, BUILT_IN)
    assert {table for table, *_ in former} == set(TABLES)
    assert {part for *_, part in former} >= {0, 1, 2, 1000}
    before = await similarity(memory, "What is Anna allergic to?")
    assert await memory.reembed(bank, second(memory), share=1) == "switched"
    assert (await memory.get_bank(bank)).embedding_model == second(memory)
    assert await are_of_present_texts(memory, admin, second(memory)) == set(former)
    assert await similarity(memory, "What is Anna allergic to?") == pytest.approx(before, abs=0.01)
    state = await memory.reembedding(bank)
    assert state is not None
    assert (state.status, state.other_model, state.texts, state.other_texts) == (
        "kept", BUILT_IN, state.other_texts, state.texts,
    )  # fmt: skip
    with pytest.raises(InvalidInput, match="is the bank's embedding model"):
        await memory.reembed(bank, second(memory))


async def test_a_bank_of_the_former_built_in_model_keeps_it_until_it_is_changed(
    memory: Memory, settings: Settings, admin: Admin
) -> None:
    async with await Memory.open(settings.model_copy(update={"embedding_model": MINILM})) as former:
        await former.create_bank(BANK)
        await former.remember(BANK, "Anna is allergic to walnuts.", occurred_at=NOW)
        await settle(former, BANK)
    await memory.remember(BANK, LONG, occurred_at=NOW)
    await settle(memory, BANK)
    await memory.create_bank("other")
    assert (await memory.get_bank("other")).embedding_model == BUILT_IN
    assert (await memory.get_bank(BANK)).embedding_model == MINILM
    question = "What is Anna allergic to?"
    assert await similarity(memory, question) > 0.4
    kept = vectors(admin, MINILM)
    assert vectors(admin, BUILT_IN) == {}
    assert await memory.reembed(BANK, BUILT_IN, share=1) == "switched"
    assert set(vectors(admin, BUILT_IN)) == set(kept)
    assert await similarity(memory, question) > 0.4


@asynccontextmanager
async def while_embedding(
    memory: Memory, model: str, act: Callable[[int, Sequence[str]], Awaitable[None]]
) -> AsyncGenerator[None]:
    """Await `act` with the number of each call to a model and its texts, after it has embedded and before the vectors
    are written."""
    embedder = memory.models.embedder(model)
    original = embedder.embed_documents
    calls = 0

    async def embed_documents(texts: Sequence[str]) -> Embeddings:
        nonlocal calls
        answer = await original(texts)
        if open_transaction.get() is None:  # while the bank is locked, nothing can happen
            calls += 1
            await act(calls, texts)
        return answer

    with patch.object(embedder, "embed_documents", embed_documents):
        yield


async def until_idle(memory: Memory, bank: str) -> None:
    async def idle() -> bool:
        return not (await memory.stats(bank))["queue"]["depth"]

    await until(idle)


async def test_writes_during_it_are_in_the_new_model(memory: Memory, bank: str, admin: Admin) -> None:
    """Each call of the new model is followed by a new memory, a changed one or an erased one, before its vectors are
    written: the page that was read is never the state at its end."""
    fact = next(f for f in (await memory.list_facts(bank)).items if "allergic" in f.fact)
    (procedure,) = [p for p in (await memory.list_procedures(bank)).items if p.kind != "lesson"]
    lesson = next(
        m for m in (await memory.list_memories(bank)).items if m.content == "Anna asked for the logs."
    )
    gone = await memory.remember(bank, "Anna sold her boat.")
    await settle(memory, bank)

    async def change(call: int, _: Sequence[str]) -> None:
        if call == 1:
            await memory.erase(bank, memory_ids=[gone.memory_id])
            await memory.update(bank, fact.memory_id, content="anna is allergic to walnuts!")
        elif call == 2:
            await memory.update(bank, lesson.memory_id, content="Anna asked for the minutes.")
            await memory.update(bank, procedure.memory_id, content="send the invoice as PDF!")
        elif call < 6:
            await memory.remember(bank, f"Anna bought house number {call}.")
        if call < 6:
            await until_idle(memory, bank)

    with patch.object(reembed, "PAGE", 3):
        async with at_work(memory), while_embedding(memory, second(memory), change):
            assert await memory.reembed(bank, second(memory), share=1) == "switched"
    await settle(memory, bank)
    stored = await are_of_present_texts(memory, admin, second(memory))
    kinds = ("episodic", "semantic")
    active = {m.memory_id for m in (await memory.list_memories(bank)).items if m.type in kinds}
    assert len(active) >= 6
    assert {memory_id for table, memory_id, part in stored if table == "memory_vector" and not part} == active
    assert not [
        key for model in (BUILT_IN, second(memory)) for key in vectors(admin, model) if gone.memory_id in key
    ]
    again = await memory.reembed(bank, BUILT_IN, share=1)
    assert (again, await are_of_present_texts(memory, admin, BUILT_IN)) == ("switched", stored)


async def test_it_ends_while_memories_keep_coming(memory: Memory, admin: Admin) -> None:
    """Each call is followed by a new memory, but for the last one, for which writers wait."""
    await memory.create_bank(BANK)
    await memory.remember(BANK, "Anna bought a house.")
    await settle(memory, BANK)

    async def write(call: int, _: Sequence[str]) -> None:
        await memory.remember(BANK, f"Anna bought house number {call}.")
        await until_idle(memory, BANK)

    async with at_work(memory), while_embedding(memory, second(memory), write), asyncio.timeout(120):
        assert await memory.reembed(BANK, second(memory), share=1) == "switched"
    await settle(memory, BANK)
    assert await are_of_present_texts(memory, admin, second(memory)) >= set(vectors(admin, BUILT_IN))


@pytest.mark.parametrize("kind", ["episodic", "semantic", "procedural", "norm"])
async def test_work_read_before_a_switch_is_embedded_by_the_new_model(
    memory: Memory, bank: str, admin: Admin, kind: Any
) -> None:
    """A worker has embedded texts by the old model when the bank is switched: nothing of it is written."""
    ended: list[str] = []

    async def switch(call: int, _: Sequence[str]) -> None:
        if not ended:
            ended.append("")
            ended[0] = await memory.reembed(bank, second(memory), share=1)

    async with while_embedding(memory, BUILT_IN, switch):
        if kind == "norm":
            norm = {"kind": "preference", "norm": "wants tea", "situation": "at night"}
            person = await memory.put_relational(bank, [norm])  # type: ignore[list-item]
            made = next(one for one in person.norms if one.norm == "wants tea")
        else:
            made = await memory.remember(bank, "Oil the red bicycle.", type=kind)
        await settle(memory, bank)
    assert ended == ["switched"]
    stored = await are_of_present_texts(memory, admin, second(memory))
    assert [key for key in stored if made.memory_id in key]
    assert not [key for key in vectors(admin, BUILT_IN) if made.memory_id in key]


async def test_a_process_that_cached_the_bank_reads_by_the_new_model(
    memory: Memory, settings: Settings, bank: str
) -> None:
    """Its cache never ends here. A memory written after the switch is found by meaning alone."""
    async with await Memory.open(settings, migrated=False) as other:
        with patch.object(base, "BANK_CACHE_SECONDS", 3600.0):
            before = await similarity(other, "Where does Anna live?")
            await memory.reembed(bank, second(memory), share=1)
            await memory.remember(bank, "Zora plays the trombone.")
            await settle(memory, bank)
            result = await other.recall(bank, "Zora plays the trombone.", k=1, by=["meaning"], min_score=0)
            assert [item.content for item in result.items] == ["Zora plays the trombone."]
            assert await similarity(other, "Where does Anna live?") == pytest.approx(before, abs=0.01)
            await memory.reembed(bank, BUILT_IN, share=1)
            context = await other.context(bank, "What is Anna allergic to?")
            await memory.reembed(bank, second(memory), share=1)
            _, preview = await other.preview_context(bank, "What is Anna allergic to?")
            assert preview.embedding_model == second(memory)
        await other.trace_writer.flush()
        assert (await other.get_trace(bank, context.trace_id)).embedding_model == BUILT_IN


async def test_interrupted_anywhere_it_continues(memory: Memory, bank: str, admin: Admin) -> None:
    """A model that fails at each second call: the bank uses the old model until all is there, and nothing is embedded
    twice."""
    embedded: list[str] = []

    async def fail(call: int, texts: Sequence[str]) -> None:
        if call % 2:
            raise ProviderUnavailable("the model is out of order")
        embedded.extend(texts)

    before = set(vectors(admin, BUILT_IN))
    ended = None
    with patch.object(reembed, "PAGE", 2):
        async with while_embedding(memory, second(memory), fail):
            for _ in range(20):
                with suppress(ProviderUnavailable):
                    ended = await memory.reembed(bank, None if embedded else second(memory), share=1)
                    break
                assert (await memory.get_bank(bank)).embedding_model == BUILT_IN
    assert ended == "switched"
    assert len(embedded) == len(before) == len(await are_of_present_texts(memory, admin, second(memory)))


async def test_a_lesson_changed_before_the_night_is_left_to_it(
    memory: Memory, bank: str, admin: Admin
) -> None:
    """Its vector is that of the former lesson until the nightly run embeds it: there is nothing to copy."""
    lesson = next(
        m for m in (await memory.list_memories(bank)).items if m.content == "Anna asked for the logs."
    )
    await memory.update(bank, lesson.memory_id, lesson="Keep logs for a week.")
    async with asyncio.timeout(60):
        assert await memory.reembed(bank, second(memory), share=1) == "switched"
    assert not [key for key in vectors(admin, second(memory)) if key[0] == "lesson_vector"]
    await run_pass(memory, Procedures())
    stored = await are_of_present_texts(memory, admin, second(memory))
    assert ("lesson_vector", lesson.memory_id, 0) in stored


async def test_an_erasure_deletes_the_vectors_of_both_models(memory: Memory, bank: str, admin: Admin) -> None:
    assert await memory.reembed(bank, second(memory), share=1) == "switched"
    assert set(vectors(admin, BUILT_IN)) == set(vectors(admin, second(memory)))
    since, until = datetime(1, 1, 1, tzinfo=UTC), datetime(9999, 1, 1, tzinfo=UTC)
    await memory.erase(bank, since=since, until=until)
    assert (vectors(admin, BUILT_IN), vectors(admin, second(memory))) == ({}, {})


async def test_an_export_has_the_vectors_of_the_model_in_use(memory: Memory, bank: str, admin: Admin) -> None:
    """Also of a bank that is half copied; the imported bank is not being re-embedded."""
    file = BytesIO()

    async def export(call: int, _: Sequence[str]) -> None:
        if call == 2:
            await export_bank(memory, bank, file.write)

    with patch.object(reembed, "PAGE", 3):
        async with while_embedding(memory, second(memory), export):
            assert await memory.reembed(bank, second(memory), share=1) == "switched"
    file.seek(0)
    await import_bank(memory, "copy", file)
    query = "select bank_id, model_id, count(*) from memory.memory_vector group by 1, 2 order by 1, 2"
    counts = {(name, model): n for name, model, n in admin.execute(query).fetchall()}
    assert counts == {
        (bank, BUILT_IN): counts[bank, BUILT_IN], (bank, second(memory)): counts[bank, BUILT_IN],
        ("copy", BUILT_IN): counts[bank, BUILT_IN],
    }  # fmt: skip
    assert (await memory.get_bank("copy")).embedding_model == BUILT_IN
    assert await memory.reembedding("copy") is None


async def test_two_at_once_are_as_one(memory: Memory, bank: str, admin: Admin) -> None:
    await memory.store.banks.register_embedding_model(second(memory), 768)
    await memory.store.reembeddings.start(bank, second(memory), 7, 0)
    with patch.object(reembed, "PAGE", 2):
        ended = await asyncio.gather(*(memory.reembed(bank, share=1) for _ in range(2)))
    assert sorted(ended) in (["none", "switched"], ["switched", "switched"])
    assert await are_of_present_texts(memory, admin, second(memory)) == set(vectors(admin, BUILT_IN))


async def filled_for_comparison(memory: Memory, bank: str) -> None:
    for n in range(30):
        await memory.remember(bank, f"Anna's cousin number {n} keeps {n + 2} hens behind house {n}.")
    await settle(memory, bank)


async def test_a_model_that_finds_as_much_passes_the_comparison(memory: Memory, bank: str) -> None:
    await filled_for_comparison(memory, bank)
    used: list[str] = []

    async def note(call: int, _: Sequence[str]) -> None:
        used.append((await memory.get_bank(bank)).embedding_model)

    async with while_embedding(memory, second(memory), note):
        assert await memory.reembed(bank, second(memory), verify=20, share=1) == "switched"
    assert set(used) == {BUILT_IN}
    state = await memory.reembedding(bank)
    assert state is not None
    assert state.verified is not None
    assert (state.verified["queries"], state.verified["shared"]) == (20, 1.0)
    assert state.verified["other_model"] == state.verified["embedding_model"] > 0.5


async def test_a_model_that_finds_less_is_not_switched_to(memory: Memory, bank: str) -> None:
    """Its vectors are those of other texts. The comparison is made once; --to without it switches in spite of it."""
    await filled_for_comparison(memory, bank)
    embedder = memory.models.embedder(second(memory))
    embed_documents, embed_query, queries = embedder.embed_documents, embedder.embed_query, list[str]()

    async def reversed_documents(texts: Sequence[str]) -> Embeddings:
        return await embed_documents([text[::-1] for text in texts])

    async def noted_query(text: str) -> Embeddings:
        queries.append(text)
        return await embed_query(text)

    with (
        patch.object(embedder, "embed_documents", reversed_documents),
        patch.object(embedder, "embed_query", noted_query),
    ):
        assert await memory.reembed(bank, second(memory), verify=20, share=1) == "refused"
        assert len(queries) == 20
        assert await memory.reembed(bank, share=1) == "refused"
        assert len(queries) == 20
    state = await memory.reembedding(bank)
    assert state is not None
    assert state.verified is not None
    assert state.status == "copying"
    assert state.verified["other_model"] < 0.95 * state.verified["embedding_model"]
    assert (await memory.get_bank(bank)).embedding_model == BUILT_IN
    assert await memory.reembed(bank, second(memory), share=1) == "switched"


async def test_a_large_bank_has_its_index_before_the_switch(memory: Memory, bank: str, admin: Admin) -> None:
    for n in range(100):
        await memory.remember(bank, f"Anna's cousin number {n} lives in house {n}.")
    await settle(memory, bank)
    await run_pass(memory, VectorIndex())
    before = await similarity(memory, "The cousin in house 7")

    def indexed(model: str) -> list[Any]:
        query = "select memory_id, part, embedding::text from memory.indexed_vector where model_id = %s order by 1, 2"
        return admin.execute(query.encode(), (model,)).fetchall()

    former = indexed(BUILT_IN)
    assert len(former) > 100
    assert await memory.reembed(bank, second(memory), share=1) == "switched"
    assert admin.execute("select model_id, state from memory.vector_index order by 1").fetchall() == sorted(
        [(BUILT_IN, "ready"), (second(memory), "ready")]
    )
    assert [row[:2] for row in indexed(second(memory))] == [row[:2] for row in former]
    assert await similarity(memory, "The cousin in house 7") == pytest.approx(before, abs=0.1)  # approximate
    late = NOW + timedelta(days=3650)
    assert (await run_pass(memory, Reembed(), late)).counts["vectors_dropped"] > 200
    assert (indexed(BUILT_IN), vectors(admin, BUILT_IN)) == ([], {})
    assert await memory.reembedding(bank) is None


async def test_a_bank_that_shrank_is_switched_without_an_index(
    memory: Memory, bank: str, admin: Admin
) -> None:
    """An index is kept down to half of the number from which a bank gets one."""
    small = memory.settings.model_copy(update={"vector_index_from": 1})
    await VectorIndex().run(await memory.get_bank(bank), PassContext(memory.store, memory.models, small, NOW))
    async with asyncio.timeout(60):
        assert await memory.reembed(bank, second(memory), share=1) == "switched"
    indexes = admin.execute("select model_id, state from memory.vector_index").fetchall()
    assert indexes == [(BUILT_IN, "ready")]


async def test_back_within_the_time_and_ended_after_it(memory: Memory, bank: str, admin: Admin) -> None:
    model, calls = second(memory), list[int]()
    await memory.reembed(bank, model, share=1)
    made = await memory.remember(bank, "Anna bought a red bicycle.")
    fact = next(f for f in (await memory.list_facts(bank)).items if "allergic" in f.fact)
    (procedure,) = [p for p in (await memory.list_procedures(bank)).items if p.kind != "lesson"]
    await memory.update(bank, fact.memory_id, content="anna is allergic to walnuts!")
    await memory.update(bank, procedure.memory_id, content="send the invoice as PDF!")
    await settle(memory, bank)

    async def count(call: int, texts: Sequence[str]) -> None:
        calls.append(len(texts))

    async with while_embedding(memory, BUILT_IN, count):
        assert await memory.reembed(bank, BUILT_IN, share=1) == "switched"
    assert (
        sum(calls) <= 5
    )  # the new memory, perhaps a fact of it, the changed fact, the procedure's two texts
    assert ("memory_vector", made.memory_id, 0) in await are_of_present_texts(memory, admin, BUILT_IN)
    await memory.store.banks.register_embedding_model("third", 768)
    with pytest.raises(Conflict, match="--end"):
        await memory.store.reembeddings.start(bank, "third", 7, 0)
    state = await memory.reembedding(bank)
    assert state is not None
    assert state.keep_until is not None
    assert not (await run_pass(memory, Reembed(), state.keep_until - timedelta(hours=1))).counts
    assert (await run_pass(memory, Reembed(), state.keep_until)).counts["vectors_dropped"] > 5
    assert vectors(admin, model) == {}
    assert (await memory.reembedding(bank), await memory.end_reembedding(bank)) == (None, False)


async def test_the_nightly_pass_continues_and_an_ended_one_is_dropped(
    memory: Memory, bank: str, admin: Admin
) -> None:
    await memory.store.banks.register_embedding_model(second(memory), 768)
    await memory.store.reembeddings.start(bank, second(memory), 7, 0)
    assert (await run_pass(memory, Reembed())).counts["switched"] == 1
    assert await memory.end_reembedding(bank)
    await run_pass(memory, Reembed(), datetime.now(UTC))
    assert (vectors(admin, BUILT_IN), await memory.reembedding(bank)) == ({}, None)
