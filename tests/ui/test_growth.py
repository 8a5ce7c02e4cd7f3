"""Pages of a bank with 10,000 episodes: as many database calls as of a small bank, and lists in pages."""

from __future__ import annotations

import time
from contextvars import ContextVar
from typing import Any

import httpx
import psycopg
import pytest

from memory_service.memory import Memory
from memory_service.ui.overview import FACTS
from memory_service.ui.rendering import MENU
from tests.ui.life import BANK, contradict

visiting: ContextVar[bool] = ContextVar("visiting", default=False)
"""True in the tasks of a counted request, not in those of traces and metrics."""

Admin = psycopg.Connection[tuple[Any, ...]]
HERE = f"/ui/banks/{BANK}"
PAGES = [f"{HERE}/{entry.path}" for group in MENU for entry in group.entries]
GROW = (
    "insert into memory.episodic_memory (bank_id, memory_id, source, status, occurred_at, recorded_at, full_text, "
    "summary, importance) select 'anna', gen_random_uuid(), 'user', case when n % 50 = 0 then 'quarantined' else "
    "'active' end, now() - n * interval '1 hour', now(), '{}', repeat('a long summary ', 20) || n, 0.5 "
    "from generate_series(1, 10000) n",
    "insert into memory.semantic_memory (bank_id, memory_id, fact, timeline, fingerprint, status, confidence, "
    "occurred_at, recorded_at, first_observed, last_confirmed, valid_from, source) select 'anna', gen_random_uuid(), "
    "'a fact ' || n, 'text|' || n, n, 'stable', 0.9, now() - n * interval '1 hour', now(), now(), now(), now(), 'user' "
    "from generate_series(1, 2000) n",
    "insert into memory.memory_event (bank_id, memory_id, memory_type, event, to_status, reason, actor, at) "
    "select 'anna', memory_id, 'episodic', 'created', status, 'r', 'rules', recorded_at "
    "from memory.episodic_memory where bank_id = 'anna'",
    "insert into memory.gate_decision (bank_id, decision_id, memory_id, outcome, reason, verdicts, decided_by, "
    "decided_at) select 'anna', gen_random_uuid(), memory_id, 'stored', 'r', '[]', 'rules', recorded_at "
    "from memory.episodic_memory where bank_id = 'anna'",
    "insert into memory.model_call (bank_id, model, purpose, items, input_tokens, output_tokens, seconds, outcome, at) "
    "select 'anna', 'm' || n % 2, 'extract', 1, 100, 10, 0.1, 'ok', now() - n * interval '5 minutes' "
    "from generate_series(1, 8000) n",
    "analyze",
)


async def test_a_page_calls_the_database_as_often_in_a_large_bank(
    memory: Memory, http: httpx.AsyncClient, admin: Admin, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same number of calls; prints the server's time of each page, beside that of the small bank."""
    await memory.create_bank(BANK)
    await contradict(memory, BANK)
    calls: list[str] = []
    run = memory.store.database._run  # type: ignore[reportPrivateUsage]

    async def counted(method: str, statement: str, values: Any, **options: Any) -> Any:
        if visiting.get() and "any_key_exists" not in statement:  # asked once a second
            calls.append(statement)
        return await run(method, statement, values, **options)

    monkeypatch.setattr(memory.store.database, "_run", counted)

    async def visit(address: str) -> tuple[int, float, int]:
        """Database calls, milliseconds and bytes of the second visit, when caches are filled."""
        await http.get(address)
        calls.clear()
        visiting.set(True)
        began = time.perf_counter()
        answer = await http.get(address)
        visiting.set(False)
        assert answer.status_code == 200
        return len(calls), (time.perf_counter() - began) * 1000, len(answer.text)

    small = {address: await visit(address) for address in PAGES}
    for statement in GROW:
        admin.execute(statement.encode())
    large = {address: await visit(address) for address in PAGES}
    for address in PAGES:
        (few, before, _), (many, after, size) = small[address], large[address]
        print(
            f"{address}: {few} calls, {before:.0f} ms; 10,000 episodes: {many} calls, {after:.0f} ms, {size} bytes"
        )
    assert {address: one[0] for address, one in large.items()} == {
        address: one[0] for address, one in small.items()
    }
    assert max(size for _, _, size in large.values()) < 150_000
    assert len((await http.get(f"{HERE}/overview.json")).json()["facts"]["items"]) == FACTS
    for name in ("timeline", "decisions", "quarantine", "facts"):
        assert 'rel="next"' in (await http.get(f"{HERE}/{name}")).text
