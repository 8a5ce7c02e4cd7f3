"""Traces and access counts: written once, in batches, after the answer; and the trace as read."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import httpx
import psycopg
import pytest
import uuid_utils.compat as uuids
from structlog.testing import capture_logs

from memory_service.config import Settings
from memory_service.errors import DatabaseUnavailable, InvalidInput, NotFound
from memory_service.memory import Memory
from memory_service.recall import trace_writer as trace_writer_module
from memory_service.recall.trace_writer import TraceWriter
from memory_service.store.retrieval import Retrieval
from memory_service.store.traces import Traces
from tests.conftest import at_work, settle, until
from tests.support.shared_app import client_on

Admin = psycopg.Connection[tuple[object, ...]]
NOW = datetime.now(UTC)
SECRET = "ghp_" + "aB3dE5" * 6


@pytest.fixture
async def geese(memory: Memory) -> UUID:
    """A memory in bank anna."""
    await memory.create_bank("anna")
    told = await memory.remember("anna", "Tom is afraid of geese.", topics=["birds"], valence=-0.5)
    await settle(memory, "anna")
    return told.memory_id


@pytest.fixture
async def http(memory: Memory) -> AsyncIterator[httpx.AsyncClient]:
    async with client_on(memory) as client:
        yield client


def counts(admin: Admin) -> dict[Any, Any]:
    return dict(admin.execute("select memory_id, access_count from memory.episodic_memory").fetchall())  # type: ignore[arg-type]


def traces(admin: Admin) -> int:
    row = admin.execute("select count(*) from memory.retrieval_trace").fetchone()
    assert row is not None
    return int(str(row[0]))


# Written after the answer


@pytest.mark.parametrize("table", ["retrieval_trace", "episodic_memory"])
async def test_no_answer_waits_for_its_trace(memory: Memory, admin: Admin, geese: UUID, table: str) -> None:
    """Writing a trace waits for a lock on the table; answers do not."""
    await memory.recall("anna", "geese")  # the first recall is slow
    await memory.flush()
    with admin.transaction():
        admin.execute(f"lock table memory.{table} in share mode".encode())  # readers pass, writers wait
        async with asyncio.timeout(20):
            answers = [await memory.recall("anna", "geese") for _ in range(30)]
        assert all(len(answer.items) == 1 for answer in answers)
        await asyncio.sleep(0.2)
        with psycopg.connect(admin.info.dsn, password=admin.info.password) as other:
            assert traces(other) == 1
    await memory.flush()
    assert (traces(admin), counts(admin)) == (31, {geese: 31})


async def test_reads_that_gather_go_together(
    memory: Memory, admin: Admin, geese: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes: list[tuple[str, int]] = []
    record = Traces.record

    async def counted(self: Traces, bank_id: str, given: Any) -> int:
        sizes.append((bank_id, len(given)))
        return await record(self, bank_id, given)

    monkeypatch.setattr(Traces, "record", counted)
    await memory.create_bank("bob")
    with admin.transaction():
        admin.execute("lock table memory.retrieval_trace in share mode")
        for _ in range(20):
            await memory.recall("anna", "geese")
            await memory.recall("bob", "geese")
    await memory.flush()
    assert sum(size for _, size in sizes) == 40
    assert len(sizes) <= 4, "one statement for what was first, then one a bank"
    assert (traces(admin), counts(admin)) == (40, {geese: 20})


async def test_a_memory_that_somebody_holds_is_left_uncounted(
    memory: Memory, admin: Admin, geese: UUID
) -> None:
    other = await memory.remember("anna", "Tom likes swans and geese.")
    await settle(memory, "anna")
    with admin.transaction():
        admin.execute("select from memory.episodic_memory where memory_id = %s for update", (geese,))
        answer = await memory.recall("anna", "geese")
        assert len(answer.items) == 2
        async with asyncio.timeout(10):
            await memory.flush()
    assert counts(admin) == {geese: 0, other.memory_id: 1}
    assert traces(admin) == 1


async def test_what_is_handed_in_twice_counts_once(memory: Memory, admin: Admin, geese: UUID) -> None:
    """As when a statement is tried again after a lost connection: alone, beside another, twice in one batch."""
    one = trace_json(geese)
    other = trace_json(geese)
    store = memory.store.traces
    assert [await store.record("anna", batch) for batch in ([one], [one], [one, other, other], [other, one])] == [
        1, 0, 1, 0,
    ]  # fmt: skip
    assert (traces(admin), counts(admin)) == (2, {geese: 2})


async def test_two_that_record_the_same_count_once(memory: Memory, admin: Admin, geese: UUID) -> None:
    batch = [trace_json(geese) for _ in range(10)]
    written = await asyncio.gather(*(memory.store.traces.record("anna", batch) for _ in range(4)))
    assert sum(written) == traces(admin) == 10
    assert counts(admin)[geese] <= 10


def trace_json(*seen: UUID, **more: object) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "trace_id": str(uuid4()), "kind": "recall", "query": "q", "profile": "balanced", "mode": "tool",
        "candidates": [], "returned": len(seen), "degraded": False, "figures": {}, "seen": [str(s) for s in seen],
    }  # fmt: skip
    return fields | more


async def test_an_outage_drops_traces_and_no_answer(
    memory: Memory, admin: Admin, geese: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def unreachable(*_: object) -> int:
        raise DatabaseUnavailable

    with monkeypatch.context() as patched, capture_logs() as logs:
        patched.setattr(Traces, "record", unreachable)
        assert len((await memory.recall("anna", "geese")).items) == 1
        await memory.flush()
    assert [(e["event"], e["log_level"], e["traces"]) for e in logs] == [("traces not written", "warning", 1)]
    assert "geese" not in str(logs)
    await memory.recall("anna", "geese")
    await memory.flush()
    assert traces(admin) == 1


async def test_a_trace_that_cannot_be_written_takes_no_other_with_it(
    memory: Memory, admin: Admin, geese: UUID
) -> None:
    trace_writer = TraceWriter(memory.store)
    with capture_logs() as logs:
        for trace in (trace_json(geese), trace_json(geese, kind="nonsense"), trace_json(geese)):
            trace_writer.record("anna", lambda trace=trace: trace)
        await trace_writer.aclose()
    assert (traces(admin), counts(admin)) == (2, {geese: 2})
    assert [e["event"] for e in logs] == ["trace not written"]


async def test_a_bank_that_is_gone_is_no_error(memory: Memory, admin: Admin) -> None:
    trace_writer = TraceWriter(memory.store)
    with capture_logs() as logs:
        trace_writer.record("nobody", trace_json)
        await trace_writer.aclose()
    assert [(e["log_level"], e["bank_id"]) for e in logs] == [("warning", "nobody")]


async def test_a_full_queue_drops_the_new_trace(
    memory: Memory, admin: Admin, geese: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trace_writer_module, "CAPACITY", 5)
    trace_writer = TraceWriter(memory.store)
    with admin.transaction(), capture_logs() as logs:
        admin.execute("lock table memory.retrieval_trace in share mode")
        for _ in range(8):
            trace_writer.record("anna", lambda: trace_json(geese))
        assert [e["event"] for e in logs] == ["trace dropped: the database does not keep up"] * 3
    await trace_writer.aclose()
    assert (traces(admin), counts(admin)) == (5, {geese: 5})


async def test_closing_writes_what_is_left(settings: Settings, admin: Admin) -> None:
    async with await Memory.open(settings, migrated=False) as memory:
        await memory.create_bank("anna")
        for _ in range(250):
            await memory.recall("anna", "geese", types=["semantic"])
    assert traces(admin) == 250


async def test_closing_gives_up_on_a_database_that_does_not_take_it(
    settings: Settings, admin: Admin, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trace_writer_module, "DRAIN_SECONDS", 0.3)
    memory = await Memory.open(settings, migrated=False)
    await memory.create_bank("anna")
    with admin.transaction(), capture_logs() as logs:
        admin.execute("lock table memory.retrieval_trace in share mode")
        await memory.recall("anna", "geese")
        async with asyncio.timeout(20):
            await memory.aclose()
    assert any(e["event"].startswith("traces dropped") for e in logs)


# What a trace says


async def test_a_trace_tells_of_every_candidate(memory: Memory, geese: UUID) -> None:
    piano = (await memory.remember("anna", "The piano is out of tune.", importance=0.4)).memory_id
    sunny = (await memory.remember("anna", "The geese were lovely.", valence=0.9)).memory_id
    await settle(memory, "anna")
    answer = await memory.recall(
        "anna", f"geese {SECRET}", k=1, profile="empathic", emotions=["fear"], valence=-0.6,
        min_importance=0.1, since=NOW - timedelta(days=9),
    )  # fmt: skip
    await memory.flush()
    trace = await memory.get_trace("anna", answer.trace_id)
    assert (trace.kind, trace.profile, trace.mode, trace.returned) == ("recall", "empathic", "tool", 1)
    assert trace.query is not None
    assert trace.query.startswith("geese")
    assert SECRET not in str(trace)
    assert trace.asked == {
        "k": 1, "min_importance": 0.1, "since": (NOW - timedelta(days=9)).isoformat(), "emotions": ["fear"],
        "valence": -0.6,
    }  # fmt: skip
    assert trace.weights == {"similarity": 0.45, "importance": 0.35, "recency": 0.2, "emotion": 0.05}
    assert abs(trace.at - datetime.now(UTC)) < timedelta(seconds=30)
    assert {"embed_ms", "search_ms", "rerank_ms"} <= trace.figures.keys()
    found = {c.memory_id: c for c in trace.candidates}
    assert {m: c.dropped for m, c in found.items()} == {
        geese: None, piano: "beyond k=1", sunny: "opposite valence",
    }  # fmt: skip
    assert found[piano].content == "The piano is out of tune."
    for c in trace.candidates:
        parts = {name: weight * c.components[name] for name, weight in trace.weights.items()}
        assert c.score == pytest.approx(sum(parts.values()), abs=1e-5)
        assert {"stored_importance", "age_days"} <= c.components.keys()
        assert c.reason


@pytest.mark.parametrize(
    ("said", "shown"), [("é" * 100, "é" * 100), ("é" * 101, "é" * 99 + "…")], ids=["short", "long"]
)
async def test_of_a_long_memory_the_beginning_is_shown(memory: Memory, said: str, shown: str) -> None:
    await memory.create_bank("anna")
    await memory.remember("anna", said)
    await settle(memory, "anna")
    answer = await memory.recall("anna", "anything")
    await memory.flush()
    trace = await memory.get_trace("anna", answer.trace_id)
    assert [c.content for c in trace.candidates] == [shown]


async def test_what_was_asked_besides_keeps_no_secret(memory: Memory, geese: UUID) -> None:
    answer = await memory.recall(
        "anna", "geese", tags=[f"x {SECRET}"], recipient=SECRET, agent=SECRET, topics=[SECRET]
    )
    await memory.flush()
    trace = await memory.get_trace("anna", answer.trace_id)
    assert set(trace.asked) == {"k", "tags", "recipient", "agent", "topics"}
    assert SECRET not in str(trace)


async def test_a_trace_tells_of_what_a_context_printed_in_recent(memory: Memory, admin: Admin) -> None:
    """RECENT prints important recent episodes even if the profile drops them from RELEVANT."""
    await memory.create_bank(
        "anna",
        {
            "emotional_thread": False,
            "profiles": {"strict": {"similarity": 1, "importance": 0, "recency": 0, "floor": 0.9999}},
        },
    )
    told = await memory.remember(
        "anna", "The wedding was wonderful.", importance=0.9, valence=0.9, occurred_at=NOW
    )
    await settle(memory, "anna")
    made = await memory.context("anna", "A bicycle", profile="strict")
    assert [section.memory_ids for section in made.sections] == [(told.memory_id,)]
    assert made.dropped == ()
    await memory.flush()
    trace = await memory.get_trace("anna", made.trace_id)
    assert [(c.memory_id, c.dropped) for c in trace.candidates] == [(told.memory_id, None)]
    assert trace.returned == 1
    assert counts(admin) == {told.memory_id: 1}


async def test_a_trace_holds_no_memory_text(memory: Memory, admin: Admin, geese: UUID) -> None:
    answer = await memory.recall("anna", "birds")
    await memory.context("anna", "birds")
    await memory.flush()
    kept = str(admin.execute("select to_jsonb(t) from memory.retrieval_trace t").fetchall())
    assert "afraid" not in kept
    admin.execute("delete from memory.episodic_memory")
    trace = await memory.get_trace("anna", answer.trace_id)
    assert [c.content for c in trace.candidates] == [None]


async def test_a_trace_remembers_what_it_looked_back_from(memory: Memory, geese: UUID) -> None:
    past = NOW - timedelta(days=1)
    answer = await memory.recall("anna", "geese", as_of=past)
    await memory.flush()
    assert (await memory.get_trace("anna", answer.trace_id)).as_of == past


async def test_what_the_arms_measured_is_in_the_trace(memory: Memory, geese: UUID, monkeypatch: Any) -> None:
    candidates = Retrieval.candidates

    async def measured(*arguments: Any) -> Any:
        return [c._replace(figures={"cosine": 0.25}) for c in await candidates(*arguments)]

    monkeypatch.setattr(Retrieval, "candidates", measured)
    answer = await memory.recall("anna", "geese")
    await memory.flush()
    trace = await memory.get_trace("anna", answer.trace_id)
    assert [c.figures for c in trace.candidates] == [{"cosine": 0.25}]


async def test_traces_over_http(http: httpx.AsyncClient, memory: Memory, geese: UUID) -> None:
    bank = "/v1/banks/anna"
    ids: list[str] = []
    for n in range(3):
        answer = await http.post(f"{bank}/recall", json={"query": f"geese {n}", "explain": n == 0})
        ids.append(answer.json()["trace_id"])
        (item,) = answer.json()["items"]
        assert ("components" in item) is (n == 0)
    await memory.flush()
    listed = (await http.get(f"{bank}/traces")).json()
    assert [x["trace_id"] for x in listed["items"]] == ids[::-1]
    assert (listed["items"][0]["query"], listed["next_cursor"]) == ("geese 2", None)
    page = (await http.get(f"{bank}/traces", params={"limit": 2})).json()
    rest = (await http.get(f"{bank}/traces", params={"limit": 2, "cursor": page["next_cursor"]})).json()
    assert [x["trace_id"] for x in (*page["items"], *rest["items"])] == ids[::-1]
    whole = (await http.get(f"{bank}/traces/{ids[0]}")).json()
    assert (whole["query"], whole["candidates"][0]["memory_id"]) == ("geese 0", str(geese))
    assert set(whole["candidates"][0]["components"]) >= {"similarity", "importance", "recency", "age_days"}


@pytest.mark.parametrize(
    ("path", "status", "field"),
    [
        ("anna/traces/01a20059-4e59-74c7-b76b-aa5f457a04d8", 404, "trace_id"),
        ("anna/traces/nonsense", 422, "trace_id"),
        ("nobody/traces/01a20059-4e59-74c7-b76b-aa5f457a04d8", 404, "bank_id"),
        ("anna/traces?limit=0", 422, "limit"),
        ("anna/traces?cursor=x", 422, "cursor"),
        ("anna/traces?kind=recall", 422, "kind"),
        ("nobody/traces", 404, "bank_id"),
    ],
)
async def test_wrong_calls_for_traces_are_named(
    http: httpx.AsyncClient, geese: UUID, path: str, status: int, field: str
) -> None:
    answer = await http.get(f"/v1/banks/{path}")
    assert (answer.status_code, field in answer.json()["detail"]) == (status, True), answer.text


# Their end


def age_traces(admin: Admin, days: float, bank_id: str = "anna") -> None:
    admin.execute(
        "update memory.retrieval_trace set at = now() - make_interval(secs => %s) where bank_id = %s",
        (days * 86_400, bank_id),
    )


async def asked(memory: Memory, bank_id: str, times: int = 1) -> UUID:
    answers = [await memory.recall(bank_id, "geese") for _ in range(times)]
    await memory.flush()
    return answers[-1].trace_id


@pytest.mark.parametrize(
    ("settings_of_bank", "days", "left", "query"),
    [
        ({}, 6.9, 1, "geese"),
        ({}, 7.1, 1, None),
        ({}, 29.9, 1, None),
        ({}, 30.1, 0, None),
        ({"trace_days": 90, "trace_query_days": 60}, 59, 1, "geese"),
        ({"trace_days": 90}, 89, 1, None),
        ({"trace_days": 0.5}, 0.6, 0, None),
        ({"trace_query_days": 0}, 0.01, 1, None),
    ],
)
async def test_what_a_trace_keeps_has_its_time(
    memory: Memory, admin: Admin, settings_of_bank: dict[str, Any], days: float, left: int, query: str | None
) -> None:
    await memory.create_bank("anna", settings_of_bank)
    trace_id = await asked(memory, "anna")
    age_traces(admin, days)
    for _ in range(2):
        await memory.expire_traces("anna")
        assert traces(admin) == left
    if left:
        trace = await memory.get_trace("anna", trace_id)
        assert (trace.query, trace.asked == {}) == (query, query is None)
    else:
        with pytest.raises(NotFound, match="expired"):
            await memory.get_trace("anna", trace_id)


async def test_the_services_own_retention_holds_where_a_bank_has_none(
    settings: Settings, admin: Admin
) -> None:
    short = settings.model_copy(update={"trace_days": 2.0, "trace_query_days": 1.0})
    async with await Memory.open(short, migrated=False) as memory:
        for bank_id, own in (("anna", {}), ("bob", {"trace_days": 3, "trace_query_days": 3})):
            await memory.create_bank(bank_id, own)
            await asked(memory, bank_id)
            age_traces(admin, 2.5, bank_id)
        assert await memory.expire_traces() == 1
        left = admin.execute("select bank_id, query from memory.retrieval_trace").fetchall()
        assert left == [("bob", "geese")]


async def test_many_go_in_pages_and_twice_is_once(
    memory: Memory, admin: Admin, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memory_service.recall.trace_expiry.PAGE", 7)
    pages: list[int] = []
    expire = Traces.expire

    async def counted(self: Traces, *arguments: Any) -> int:
        pages.append(await expire(self, *arguments))
        return pages[-1]

    monkeypatch.setattr(Traces, "expire", counted)
    await memory.create_bank("anna")
    await asked(memory, "anna", 25)
    age_traces(admin, 31)
    await asked(memory, "anna")
    assert await memory.expire_traces() == 25
    assert (max(pages), traces(admin)) == (7, 1)
    assert await memory.expire_traces() == 0


async def test_two_that_expire_at_once_do_it_once(memory: Memory, admin: Admin) -> None:
    await memory.create_bank("anna")
    await asked(memory, "anna", 40)
    age_traces(admin, 31)
    assert sum(await asyncio.gather(*(memory.expire_traces("anna") for _ in range(4)))) == 40
    assert traces(admin) == 0


async def test_a_worker_sees_to_it_by_itself(memory: Memory, admin: Admin) -> None:
    await memory.create_bank("anna")
    await asked(memory, "anna")
    age_traces(admin, 31)
    async with at_work(memory):
        await until(lambda: traces(admin) == 0)


async def test_expiring_an_unknown_bank_is_an_error(memory: Memory) -> None:
    with pytest.raises(NotFound):
        await memory.expire_traces("nobody")


@pytest.mark.parametrize("name", ["trace_days", "trace_query_days"])
@pytest.mark.parametrize("value", [-1, "7", True, 1e9, [7]])
async def test_a_wrong_retention_is_named(memory: Memory, name: str, value: object) -> None:
    with pytest.raises(InvalidInput) as raised:
        await memory.create_bank("anna", {name: value})
    assert raised.value.field == f"settings.{name}"


async def test_a_trace_can_be_read_as_soon_as_its_id_is_known(memory: Memory) -> None:
    await memory.create_bank("anna")
    for _ in range(3):
        recalled = await memory.recall("anna", "anything")
        assert (await memory.get_trace("anna", recalled.trace_id)).trace_id == recalled.trace_id


async def test_a_trace_of_another_process_is_said_to_come(memory: Memory) -> None:
    await memory.create_bank("anna")
    with pytest.raises(NotFound, match=r"of another process is written within a second"):
        await memory.get_trace("anna", uuids.uuid7())
    with pytest.raises(NotFound, match=r"or it has expired$"):
        await memory.get_trace("anna", UUID(int=1))
