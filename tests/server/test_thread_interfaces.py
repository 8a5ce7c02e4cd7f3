"""The emotional thread through HTTP and Python: the same answers, paging, keys, errors, and the SQL view."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from memory_service.errors import InvalidInput, NotFound
from memory_service.memory import Memory
from tests.conftest import Admin, settle
from tests.support.shared_app import bearer, client_on, own_client

THREAD = "/v1/banks/anna/emotional-thread"
NOW = datetime.now(UTC).replace(microsecond=0)


@pytest.fixture
async def bank(memory: Memory) -> str:
    """A grief that faded, then a worry, then a joy, which is open."""
    await memory.create_bank("anna")
    for days, valence, emotion, topic in (
        (90, -0.9, "grief", "grandmother"), (2, -0.6, "nervousness", "exam"), (1, 0.8, "joy", "exam"),
    ):  # fmt: skip
        await memory.remember(
            "anna", f"{emotion} about {topic}", valence=valence, emotions=[emotion], topics=[topic],
            occurred_at=NOW - timedelta(days=days),
        )  # fmt: skip
    await settle(memory, "anna")
    return "anna"


async def test_the_open_thread(memory: Memory, bank: str) -> None:
    thread = await memory.emotional_thread(bank)
    assert thread is not None
    assert thread.current_state == "happy about exam"
    assert (thread.emotion, thread.topic, thread.thread_length) == ("joy", "exam", 1)
    assert thread.started_at == thread.last_update == NOW - timedelta(days=1)
    assert 0.5 < thread.valence < 0.8
    assert (await memory.get_memory(bank, thread.recognized_from[0])).content == "joy about exam"
    async with client_on(memory) as http:
        given = (await http.get(THREAD)).json()["emotional_thread"]
        assert set(given) == set(thread.__dataclass_fields__)
        assert given["recognized_from"] == [str(one) for one in thread.recognized_from]
        assert (given["should_acknowledge"], given["ended_at"], given["end_reason"]) == (True, None, None)
        past = await http.get(THREAD, params={"as_of": (NOW - timedelta(days=1.5)).isoformat()})
        assert past.json()["emotional_thread"]["current_state"] == "worried about exam"
        none = await http.get(THREAD, params={"as_of": (NOW - timedelta(days=50)).isoformat()})
        assert none.json() == {"emotional_thread": None}


async def test_all_threads_by_pages(memory: Memory, bank: str) -> None:
    async with client_on(memory) as http:
        states: list[Any] = []
        cursor = None
        for _ in range(3):
            query = {"limit": 1} if cursor is None else {"limit": 1, "cursor": cursor}
            page = (await http.get(f"{THREAD}/history", params=query)).json()
            states += [(one["current_state"], one["end_reason"]) for one in page["items"]]
            cursor = page["next_cursor"]
        assert cursor is None
    assert states == [
        ("happy about exam", None), ("worried about exam", "broken"), ("grieving over grandmother", "faded"),
    ]  # fmt: skip
    assert [one.end_reason for one in (await memory.list_emotional_threads(bank)).items] == [
        None,
        "broken",
        "faded",
    ]


async def test_a_thread_is_ended_once_by_a_writer(memory: Memory, bank: str, admin: Admin) -> None:
    writer = await memory.create_key("write", ["anna"], agent_id="gardener")
    reader = await memory.create_key("read", ["anna"])
    other = await memory.create_key("write", ["bob"])
    async with own_client(memory) as http:
        assert (await http.post(f"{THREAD}/end", headers=bearer(reader))).status_code == 403
        assert (await http.post(f"{THREAD}/end", headers=bearer(other))).status_code == 404
        assert (await http.get(THREAD, headers=bearer(reader))).json()["emotional_thread"] is not None
        ended = (await http.post(f"{THREAD}/end", headers=bearer(writer))).json()["emotional_thread"]
        assert (ended["end_reason"], ended["ended_by"]) == ("ended", "gardener")
        again = await http.post(f"{THREAD}/end", headers=bearer(writer))
        assert (again.status_code, again.json()) == (200, {"emotional_thread": None})
        assert (await http.get(THREAD, headers=bearer(reader))).json() == {"emotional_thread": None}
    audit = admin.execute(
        "select actor, subjects from analytics.audit where action = 'thread_ended'"
    ).fetchall()
    assert audit == [("gardener", [ended["thread_id"]])]


async def test_deletion_takes_the_words_with_it(memory: Memory, bank: str, admin: Admin) -> None:
    """A storage strategy deletes the grief of long ago."""
    await memory.update_bank(bank, {"prune_after_days": 60, "prune_below_importance": 1})
    admin.execute("update memory.episodic_memory set importance = 0.1, landmark = false")
    assert len(await memory.store.retention.prune(bank, 100, NOW)) == 1
    assert len((await memory.list_emotional_threads(bank)).items) == 2
    for table in ("emotional_thread", "emotional_thread_episode"):
        assert "grandmother" not in str(
            admin.execute(f"select t::text from memory.{table} t".encode()).fetchall()
        )


async def test_the_view(memory: Memory, bank: str, admin: Admin) -> None:
    found = admin.execute(
        "select current_state, end_reason, present_valence, cardinality(recognized_from), acknowledged_at "
        "from analytics.emotional_thread order by started_at"
    ).fetchall()
    thread = await memory.emotional_thread(bank)
    assert thread is not None
    assert found == [
        ("grieving over grandmother", "faded", None, 1, None), ("worried about exam", "broken", None, 1, None),
        ("happy about exam", None, pytest.approx(thread.valence, abs=1e-3), 1, None),
    ]  # fmt: skip


async def test_switched_off(memory: Memory, bank: str) -> None:
    await memory.update_bank(bank, {"emotional_thread": False})
    async with client_on(memory) as http:
        assert (await http.get(THREAD)).json() == {"emotional_thread": None}
        assert (await http.get(f"{THREAD}/history")).json()["items"] == []
        assert (await http.post(f"{THREAD}/end")).json() == {"emotional_thread": None}
    with pytest.raises(InvalidInput, match=r"settings\.emotional_thread"):
        await memory.update_bank(bank, {"emotional_thread": "off"})


@pytest.mark.parametrize(
    ("method", "path", "body", "field"),
    [
        ("GET", "?as_of=yesterday", None, "as_of"),
        ("GET", "?as_of=2026-01-01T00:00:00", None, "as_of"),
        ("GET", "?at=2026-01-01T00:00:00Z", None, "at"),
        ("GET", "/history?limit=0", None, "limit"),
        ("GET", "/history?cursor=nonsense", None, "cursor"),
        ("POST", "/end", {"actor": "a\nb"}, "actor"),
        ("POST", "/end", {"actor": "ghp_" + "aB3dE5" * 6}, "actor"),
        ("POST", "/end", {"reason": "x"}, "reason"),
    ],
)
async def test_bad_input(memory: Memory, bank: str, method: str, path: str, body: Any, field: str) -> None:
    async with client_on(memory) as http:
        answer = await http.request(method, THREAD + path, json=body)
        assert answer.status_code == 422, answer.text
        assert answer.json()["errors"][0]["field"] == field
        assert (await http.get(THREAD)).json()["emotional_thread"] is not None


async def test_a_cursor_of_another_bank_and_an_unknown_bank(memory: Memory, bank: str) -> None:
    page = await memory.list_emotional_threads(bank, limit=1)
    await memory.create_bank("bob")
    with pytest.raises(InvalidInput, match="another bank"):
        await memory.list_emotional_threads("bob", cursor=page.next_cursor)
    for call in (memory.emotional_thread, memory.list_emotional_threads, memory.end_emotional_thread):
        with pytest.raises(NotFound):
            await call("nobody")
