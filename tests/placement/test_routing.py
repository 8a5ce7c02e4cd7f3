"""Calls go to the server that has the bank; lists, counts and metrics are of all servers. Two real servers."""

from __future__ import annotations

import asyncio
import io

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as settings_of_hypothesis
from hypothesis import strategies as st

from memory_service.config import Settings
from memory_service.errors import Conflict, DatabaseUnavailable, DatabaseUnsuitable, InvalidInput, NotFound
from memory_service.memory import Memory
from memory_service.placement.registry import add_server, list_servers
from memory_service.requests import NewMessage
from memory_service.store.servers import HOME, SLOTS, ServerUrls, slot_of
from memory_service.transfer import export_bank, import_bank
from tests.conftest import Admin, settle, until
from tests.placement.conftest import SECOND, names_on
from tests.support.shared_app import own_client


def banks_of(admin: Admin) -> list[str]:
    return [str(row[0]) for row in admin.execute("select bank_id from memory.bank order by 1").fetchall()]


async def test_a_bank_lives_on_the_server_of_its_slot(memory: Memory, admin: Admin, second: Admin) -> None:
    here, there = names_on(memory, HOME, 3), names_on(memory, SECOND, 3)
    for bank in (*here, *there):
        created = (await memory.create_bank(bank))[1]
        again = (await memory.create_bank(bank))[1]
        assert (created, again) == (True, False)
    assert (banks_of(admin), banks_of(second)) == (sorted(here), sorted(there))
    listed = await memory.list_banks(limit=4)
    rest = await memory.list_banks(limit=4, cursor=listed.next_cursor)
    assert [bank.bank_id for bank in (*listed.items, *rest.items)] == sorted([*here, *there])


async def test_a_bank_is_used_where_it_lives(
    memory: Memory, second_memory: Memory, admin: Admin, second: Admin
) -> None:
    (bank,) = names_on(memory, SECOND, 1)
    await memory.create_bank(bank)
    said = [NewMessage("user", "Please remember that my sister Maria is allergic to walnuts.")]
    await memory.add_messages(bank, "c", said)
    assert (await memory.stats(bank))["messages"]["pending"] == 1
    assert (await memory.queue_stats())["depth"] == 1
    await settle(second_memory, bank)  # the worker beside the second server
    found = await memory.recall(bank, "Who is allergic to walnuts?")
    assert "walnuts" in found.items[0].content
    await memory.trace_writer.flush()
    for table in ("message", "episodic_memory", "retrieval_trace"):
        counts = [
            c.execute(f"select count(*) from memory.{table}".encode()).fetchone() for c in (admin, second)
        ]
        assert counts == [(0,), (1,)], table
    await memory.erase_bank(bank)
    with pytest.raises(NotFound):
        await memory.stats(bank)
    assert banks_of(second) == []


async def test_keys_and_their_audit_are_on_the_home_server(memory: Memory, second: Admin) -> None:
    async with own_client(memory) as http:
        await memory.create_key("admin", ["*"])
        assert (await http.get("/v1/banks")).status_code == 401
    assert second.execute("select count(*) from memory.api_key").fetchone() == (0,)


async def test_the_audit_is_of_all_servers(memory: Memory) -> None:
    banks = [
        name
        for pair in zip(*(names_on(memory, server, 2) for server in (HOME, SECOND)), strict=True)
        for name in pair
    ]
    for bank in banks:
        await memory.create_bank(bank)
    found: list[str] = []
    cursor = None
    for _ in banks:
        page = await memory.list_audit(limit=1, cursor=cursor)
        found += page.items[0].bank_ids
        cursor = page.next_cursor
    assert found == banks[::-1]


async def test_http_answers_for_both(memory: Memory) -> None:
    (here,), (there,) = names_on(memory, HOME, 1), names_on(memory, SECOND, 1)
    async with own_client(memory) as http:
        for bank in (here, there):
            headers = {"Idempotency-Key": f"create-{bank}"}
            answers = [
                await http.post("/v1/banks", json={"bank_id": bank}, headers=headers) for _ in range(2)
            ]
            assert [answer.status_code for answer in answers] == [201, 201]
            assert answers[1].headers["Idempotent-Replayed"] == "true"
            body = {"conversation_id": "c", "messages": [{"role": "user", "content": "I like walnuts."}]}
            sent = [
                await http.post(f"/v1/banks/{bank}/messages", json=body, headers={"Idempotency-Key": "m"})
                for _ in range(2)
            ]
            assert sent[0].json() == sent[1].json()
            assert (await http.get(f"/v1/banks/{bank}/stats")).json()["messages"]["total"] == 1
        assert (await http.get("/readyz")).json()["queue"]["depth"] == 2
        metrics = (await http.get("/metrics")).text
        assert 'memory_queue_items{kind="segment"} 2.0' in metrics


async def test_a_process_notices_the_first_server(settings: Settings, second_url: str) -> None:
    async with await Memory.open(settings, migrated=False) as memory, await Memory.open(settings) as other:
        servers, others = memory.store.database.servers, other.store.database.servers
        assert servers is not None
        assert others is not None
        await memory.create_bank("before")
        await asyncio.to_thread(add_server, settings, SECOND, ServerUrls(second_url, None, None), None, "ann")
        assert not servers.several
        there = next(name for name in (f"bank{n}" for n in range(50)) if slot_of(name) >= SLOTS // 2)
        await memory.create_bank(there)  # the home server refuses it, and the map is read again
        assert servers.several
        assert (await memory.get_bank(there)).bank_id == there
        await until(lambda: others.several, seconds=10)  # by its version
        assert len((await other.list_banks()).items) == 2


async def test_banks_stay_where_they_are(
    settings: Settings, second_url: str, admin: Admin, second: Admin
) -> None:
    async with await Memory.open(settings, migrated=False) as memory:
        old = [f"old{n}" for n in range(8)]
        for bank in old:
            await memory.create_bank(bank)
        added = await asyncio.to_thread(
            add_server, settings, SECOND, ServerUrls(second_url, None, None), SLOTS, "ann"
        )
        assert added == SLOTS
        assert memory.store.database.servers is not None
        await memory.store.database.servers.refresh()
        for bank in old:
            assert (await memory.get_bank(bank)).bank_id == bank
        await memory.create_bank("new")
        assert (banks_of(admin), banks_of(second)) == (old, ["new"])
    lines = await asyncio.to_thread(list_servers, settings)
    assert [(line.server_id, line.slots, line.banks) for line in lines] == [
        ("home", 0, 8),
        (SECOND, SLOTS, 1),
    ]


async def test_an_erased_bank_stays_beside_its_ledger(
    settings: Settings, second_url: str, admin: Admin, second: Admin
) -> None:
    """Else an older export of it could be imported on the server that has no ledger."""
    async with await Memory.open(settings, migrated=False) as memory:
        await memory.create_bank("old")
        file = io.BytesIO()
        await export_bank(memory, "old", file.write)
        await memory.erase_bank("old")
        await asyncio.to_thread(
            add_server, settings, SECOND, ServerUrls(second_url, None, None), SLOTS, "ann"
        )
        assert memory.store.database.servers is not None
        await memory.store.database.servers.refresh()
        for bank in ("old", "new"):
            file.seek(0)
            with pytest.raises(Conflict, match="erased"):
                await import_bank(memory, bank, file)
        await memory.create_bank("old")
        assert (banks_of(admin), banks_of(second)) == (["old"], [])


async def test_another_release_is_refused_on_all_servers(memory: Memory) -> None:
    (there,) = names_on(memory, SECOND, 1)
    await memory.create_bank(there)
    memory.store.database.refuse("another release")
    with pytest.raises(DatabaseUnsuitable, match="another release"):
        await memory.stats(there)


async def test_banks_that_are_created_while_a_server_is_added_are_found(
    settings: Settings, second_url: str, admin: Admin, second: Admin
) -> None:
    async with await Memory.open(settings, migrated=False) as memory, await Memory.open(settings) as other:
        names: list[str] = []
        adding: list[asyncio.Task[int]] = []

        async def create() -> None:
            """Create banks, each by both processes, until 20 banks after the server has been added."""
            ended = 0
            while not adding or not adding[0].done() or len(names) < ended + 20:
                name = f"bank{len(names)}"
                names.append(name)
                await asyncio.gather(memory.create_bank(name), other.create_bank(name))
                if len(names) == 10:
                    urls = ServerUrls(second_url, None, None)
                    work = asyncio.to_thread(add_server, settings, SECOND, urls, 700, "ann")
                    adding.append(asyncio.create_task(work))
                if adding and not adding[0].done():
                    ended = len(names)

        await create()
        await adding[0]
        here, there = banks_of(admin), banks_of(second)
        assert sorted(here + there) == sorted(names)  # each once
        assert there
        for name in names:
            assert (await other.get_bank(name)).bank_id == name


async def test_a_server_that_does_not_answer(memory: Memory, admin: Admin) -> None:
    """Banks of the others are served; health and metrics say so; lists fail instead of missing some."""
    (here,), (there,) = names_on(memory, HOME, 1), names_on(memory, SECOND, 1)
    await memory.create_bank(here)
    admin.execute("update memory.server set url = 'postgresql:///gone?host=/nowhere' where server_id = 's2'")
    admin.execute("update memory.server_map set version = version + 1")
    servers = memory.store.database.servers
    assert servers is not None
    await servers.refresh()
    assert (await memory.get_bank(here)).bank_id == here
    for call in (memory.get_bank(there), memory.create_bank(there), memory.list_banks()):
        with pytest.raises(DatabaseUnavailable, match="server s2"):
            await call
    async with own_client(memory) as http:
        ready = await http.get("/readyz")
        assert (ready.status_code, ready.json()["status"]) == (200, "degraded")
        metrics = (await http.get("/metrics")).text
        assert 'memory_server_up{server="s2"} 0.0' in metrics
        assert 'memory_server_up{server="home"} 1.0' in metrics


@pytest.mark.parametrize(
    ("server_id", "url", "slots", "error"),
    [
        ("home", "postgresql:///memory", None, "server: "),
        ("S2", "postgresql:///memory", None, "server: "),
        ("s2", "postgresql://ann:secret@localhost/memory", None, "password file"),
        ("s2", "postgresql:///memory", 1025, "slots: "),
    ],
)
def test_a_server_that_is_refused(
    settings: Settings, server_id: str, url: str, slots: int | None, error: str
) -> None:
    with pytest.raises(InvalidInput, match=error) as refused:
        add_server(settings, server_id, ServerUrls(url, None, None), slots, "ann")
    assert "secret" not in str(refused.value)


def test_the_home_server_and_one_with_banks_are_refused(
    settings: Settings, database_url: str, second_url: str, second: Admin, admin: Admin
) -> None:
    with pytest.raises(DatabaseUnsuitable, match="home server"):
        add_server(settings, "s2", ServerUrls(database_url, None, None), None, "ann")
    second.execute("select memory_api.register_embedding_model('m', 3)")
    second.execute("select memory_api.create_bank('anna', '{}', 'm')")
    with pytest.raises(DatabaseUnsuitable, match="has banks"):
        add_server(settings, "s2", ServerUrls(second_url, None, None), None, "ann")
    second.execute("delete from memory.bank")
    second.execute(
        "insert into memory.erasure "
        "(bank_id, erasure_id, scope, selector, status, actor, requested_at, unreachable_at) "
        "values ('anna', gen_random_uuid(), 'bank', '{}', 'unreachable', 'ann', now(), now())"
    )
    with pytest.raises(DatabaseUnsuitable, match="receipts of erased banks"):
        add_server(settings, "s2", ServerUrls(second_url, None, None), None, "ann")
    assert admin.execute("select count(*) from memory.server").fetchone() == (1,)


@given(st.text(min_size=1, max_size=128).filter(lambda name: "\0" not in name))
@settings_of_hypothesis(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_slots_are_the_same_in_sql(admin: Admin, name: str) -> None:
    name = name.encode(errors="replace").decode()
    assert admin.execute("select memory_internal.server_slot_of(%s)", (name,)).fetchone() == (slot_of(name),)


async def test_a_bank_is_exported_and_imported_on_any_server(
    memory: Memory, admin: Admin, second: Admin
) -> None:
    (here, here2), (there, there2) = names_on(memory, HOME, 2), names_on(memory, SECOND, 2)
    await memory.create_bank(here)
    await memory.add_messages(here, "c", [NewMessage("user", "I like walnuts.")])
    for source, target in ((here, there), (there, there2), (there2, here2)):
        file = io.BytesIO()
        await export_bank(memory, source, file.write)
        file.seek(0)
        await import_bank(memory, target, file)
        assert (await memory.stats(target))["messages"]["total"] == 1
    assert (banks_of(admin), banks_of(second)) == (sorted([here, here2]), sorted([there, there2]))
