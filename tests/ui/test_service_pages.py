"""Timeline and spend of a bank; health, nights, keys and audit of the service, for admins of all banks."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from html import unescape

import httpx
import pytest

from memory_service.jobs.nightly import PASSES as NIGHTLY
from memory_service.memory import Memory
from memory_service.requests import NewMessage
from memory_service.results import DailySpend
from memory_service.types import Usage
from memory_service.ui.spend import totals
from memory_service.vocabulary import KeyRole
from tests.conftest import settle
from tests.ui.crawl import crawl
from tests.ui.life import BANK
from tests.ui.test_curation import signed_in

HERE = f"/ui/banks/{BANK}"
SERVICE = [f"/ui/service/{name}" for name in ("health", "nights", "keys", "audit")]


async def test_the_timeline_says_what_happened(memory: Memory, http: httpx.AsyncClient) -> None:
    await memory.create_bank(BANK)
    fact = (await memory.remember(BANK, "Anna lives in Porto.", type="semantic")).memory_id
    gone = (await memory.remember(BANK, "Anna sold the car.")).memory_id
    await settle(memory, BANK)
    await memory.retract_fact(BANK, fact, actor="eva")
    await memory.erase_memory(BANK, gone)
    entries = (await memory.list_timeline(BANK)).items
    assert [one.change_id for one in entries] == sorted((one.change_id for one in entries), reverse=True)
    assert {one.memory_id: one.content for one in entries} == {fact: "Anna lives in Porto.", gone: None}
    page = unescape((await http.get(f"{HERE}/timeline")).text)
    for text in ("learned", "by eva", "forgotten", "no longer exists", f"{datetime.now(UTC):%Y-%m-%d}"):
        assert text in page, text
    first = await memory.list_timeline(BANK, limit=2)
    rest = await memory.list_timeline(BANK, limit=200, cursor=first.next_cursor)
    assert (*first.items, *rest.items) == entries


async def test_the_end_of_a_fact_is_no_rewording(memory: Memory, http: httpx.AsyncClient) -> None:
    await memory.create_bank(BANK)
    for n, text in enumerate(
        ("I live in Bergen and I use Flask.", "I don't use Flask any more.", "I moved to Porto.")
    ):
        at = datetime(2026, 3, 1 + n, 9, tzinfo=UTC)
        await memory.add_messages(BANK, f"c{n}", [NewMessage("user", text, occurred_at=at)])
        await settle(memory, BANK)
    page = unescape((await http.get(f"{HERE}/timeline")).text)
    assert (">ended<" in page, ">replaced<" in page, "reworded" in page) == (True, True, False)
    facts = (await memory.stats(BANK))["facts"]
    assert (facts["ended"], facts.get("tentative", 0) + facts.get("stable", 0)) == (2, 1)
    overview = unescape((await http.get(f"{HERE}/overview")).text)
    assert "and 2 ended" in overview


async def test_spend_by_day(memory: Memory, http: httpx.AsyncClient) -> None:
    await memory.create_bank(BANK)
    assert "No provider was called" in (await http.get(f"{HERE}/spend")).text
    estimate = Usage("gpt", "extract", 100, 50)
    for outcome in ("ok", "failed: TimeoutError"):
        line = await memory.store.spending.begin(BANK, estimate, 1, None)
        assert line is not None
        await memory.store.spending.end(BANK, line, outcome, estimate)
    (one,) = await memory.spend_by_day(BANK)
    assert (one.calls, one.failed, one.input_tokens, one.output_tokens) == (2, 1, 200, 100)
    page = (await http.get(f"{HERE}/spend")).text
    assert ("2 (1 failed)" in page, page.count('<rect class="fill"')) == (True, 30)
    assert "gpt" in (await http.get(f"{HERE}/spend.csv")).text


def test_days_without_calls_have_empty_bars() -> None:
    day = date(2026, 3, 1)
    spent = [
        DailySpend(day, "extract", "m", 1, 0, 1, 30, 10, 0.1),
        DailySpend(day, "embed", "m", 1, 0, 1, 10, 0, 0.1),
    ]
    found = totals(spent, [day - timedelta(days=1), day])
    assert [(one.tokens, one.height) for one in found] == [(0, 0.0), (50, 100.0)]


async def test_pages_of_the_service(memory: Memory, http: httpx.AsyncClient) -> None:
    await memory.create_bank(BANK)
    key = await memory.create_key("admin", ["*"], note="for eva")
    await signed_in(http, key)
    for address in SERVICE:
        found = await crawl(http, address)
        assert {one.status_code for one in found.values()} == {200}
    keys = (await http.get("/ui/service/keys")).text
    assert ("for eva" in keys, key.key in keys) == (True, False)
    assert "key created" in (await http.get("/ui/service/audit")).text
    findings = {one.check for one in await memory.examine()}
    assert {"database", "queue", "nightly run", "disk"} <= findings
    health = (await http.get("/ui/service/health")).text
    assert all(f"<strong>{check}</strong>" in health for check in findings)
    nights = (await http.get("/ui/service/nights")).text
    assert "have never run" in nights
    for one in NIGHTLY:
        assert f"<dt>{one.name.replace('_', ' ')}</dt>" in nights


@pytest.mark.parametrize(("role", "banks"), [("write", ["*"]), ("admin", [BANK])])
async def test_they_need_an_admin_of_all_banks(
    memory: Memory, http: httpx.AsyncClient, role: KeyRole, banks: list[str]
) -> None:
    await memory.create_bank(BANK)
    await signed_in(http, await memory.create_key(role, banks))
    for address in SERVICE:
        for suffix in ("", ".json"):
            assert (await http.get(address + suffix)).status_code == 403
    assert (await http.get("/ui/service/nights/next", params={"bank": BANK})).status_code == 403
    assert "/ui/service/" not in (await http.get(f"{HERE}/overview")).text
