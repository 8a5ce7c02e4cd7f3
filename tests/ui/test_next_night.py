"""The dry run of the next night as a page: it changes nothing, and says why where it cannot run."""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime, timedelta
from html import unescape
from pathlib import Path
from typing import Literal
from uuid import UUID

import httpx
import psycopg
import pytest
from playwright.async_api import Browser

from memory_service import night_preview
from memory_service.memory import Memory
from memory_service.night_preview import only_one
from memory_service.running_service import is_alive
from memory_service.ui.items import MOST
from memory_service.ui.service import COUNTED, PASSES
from tests.client.served import served
from tests.conftest import settle
from tests.ui.life import BANK
from tests.ui.test_browser import AXE, watched
from tests.ui.test_pages import contents

Admin = psycopg.Connection[tuple[object, ...]]
NEXT = "/ui/service/nights/next"
SCHEMES: tuple[tuple[Literal["light", "dark"], int], ...] = (("light", 1280), ("dark", 320))


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python starts slowly where tests share two cores."""
    monkeypatch.setattr(night_preview, "SECONDS", 600.0)


async def faded(memory: Memory, admin: Admin) -> str:
    """A bank whose next night deprecates a fact; that fact."""
    await memory.create_bank(BANK)
    fact = (await memory.remember(BANK, "Anna collects <b>stamps</b>.", type="semantic")).memory_id
    await settle(memory, BANK)
    long_ago = datetime.now(UTC) - timedelta(days=4000)
    admin.execute("update memory.semantic_memory set last_confirmed = %s", [long_ago])
    return str(fact)


async def test_the_next_night_is_shown_and_changes_nothing(
    memory: Memory, http: httpx.AsyncClient, admin: Admin
) -> None:
    fact = await faded(memory, admin)
    await memory.flush()
    before = contents(admin)
    page = await http.get(NEXT, params={"bank": BANK})
    assert contents(admin) == before
    text = unescape(page.text)
    for said in (
        "Nothing was changed.",
        f"{COUNTED['deprecated']}: <strong>1</strong>",
        f"/memories/{fact}",
        "faded",
    ):
        assert said in text, said
    assert "<b>stamps</b>" not in page.text
    assert all(one in text for one in PASSES.values())

    data = (await http.get(f"{NEXT}.json", params={"bank": BANK})).json()["night"]
    assert [one["name"] for one in data["passes"]] == list(PASSES)
    assert {change["memory_id"]: change["act"] for one in data["passes"] for change in one["changes"]} == {
        fact: "deprecate"
    }
    for address in ("/ui/service/nights", f"/ui/banks/{BANK}/overview"):
        assert f'action="{NEXT}"' in (await http.get(address)).text


@pytest.mark.parametrize(
    "bank", ["nobody", "--help", "-x", "b;id", "$(id)", "../etc", "b\n", "b\0", "", "é", "a" * 129]
)
async def test_a_bank_that_is_none_starts_no_process(
    memory: Memory, http: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch, bank: str
) -> None:
    monkeypatch.setattr(night_preview, "COMMAND", ("/none",))
    answer = await http.get(NEXT, params={"bank": bank})
    assert answer.status_code in (404, 422), answer.text


async def test_a_run_that_cannot_be_started_is_a_problem_with_a_remedy(
    memory: Memory, http: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    await memory.create_bank(BANK)
    monkeypatch.setattr(night_preview, "COMMAND", ("/none",))
    answer = await http.get(NEXT, params={"bank": BANK})
    assert (answer.status_code, "in a terminal: python -m jobs.nightly" in answer.text) == (503, True)


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
async def test_a_page_of_others_starts_no_process(
    memory: Memory, http: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch, site: str
) -> None:
    await memory.create_bank(BANK)
    monkeypatch.setattr(night_preview, "COMMAND", ("/none",))
    answer = await http.get(NEXT, params={"bank": BANK}, headers={"Sec-Fetch-Site": site})
    assert (answer.status_code, "a page of this service" in answer.text) == (403, True)


async def test_the_page_is_accessible_and_inert(
    memory: Memory, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With more changes than it lists, long texts and markup in every field of the output."""
    await memory.create_bank(BANK)
    hostile = "<img src=x onerror=alert(1)>" * 20
    change = {
        "event": "would",
        "pass": hostile,
        "memory_id": str(UUID(int=1)),
        "type": hostile,
        "act": hostile,
    }
    lines = [
        *({**change, "reason": f"{hostile} {UUID(int=2)} {hostile}"} for _ in range(MOST + 5)),
        {"event": "would", "pass": hostile, "counts": {hostile: 12_345}},
    ]
    code = f"print({chr(10).join(map(json.dumps, lines))!r})"
    monkeypatch.setattr(night_preview, "COMMAND", (sys.executable, "-c", code))
    async with served(memory) as base:
        for scheme, width in SCHEMES:
            page = await browser.new_page(color_scheme=scheme, viewport={"width": width, "height": 800})
            problems = watched(page)
            await page.goto(f"{base}{NEXT}?bank={BANK}", wait_until="networkidle")
            await page.evaluate(AXE)
            violations = await page.evaluate("axe.run().then((results) => results.violations)")
            assert [(one["id"], one["nodes"][0]["html"]) for one in violations] == []
            assert await page.evaluate("document.documentElement.scrollWidth") <= width
            assert await page.locator(".rows .verb + .main a[href*=memories]").count() >= MOST
            assert f"The first {MOST}" in await page.inner_text("main")
            assert problems == []
            await page.close()


async def test_one_at_a_time(
    memory: Memory, http: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    await memory.create_bank(BANK)
    with only_one(memory.settings):
        answer = await http.get(NEXT, params={"bank": BANK})
    assert (answer.status_code, "one at a time" in answer.text) == (409, True)


FAILING = {
    "without the extra": (
        "import sys, runpy; sys.modules['hdbscan'] = None; "
        "runpy.run_module('memory_service.jobs.nightly', run_name='__main__')",
        "pip install 'memory-service[night]'",
    ),
    "without an answer": ("import time; time.sleep(600)", "took longer than 2 s"),
    "endless": ("while True: print('x' * 60_000)", "more than 0 MB of changes"),
    "killed": (
        'import os; os.write(1, b\'{"event": "wou\'); os.kill(os.getpid(), 9)',
        "exit code -9",
    ),
}


@pytest.mark.parametrize("case", FAILING)
async def test_a_dry_run_that_fails_says_why(
    memory: Memory, http: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, case: str
) -> None:
    """The child process ends, and the next dry run may begin."""
    await memory.create_bank(BANK)
    code, said = FAILING[case]
    noted = f"import os; open({str(tmp_path / 'pid')!r}, 'w').write(str(os.getpid()))\n"
    monkeypatch.setattr(night_preview, "COMMAND", (sys.executable, "-c", noted + code))
    if case == "without an answer":
        monkeypatch.setattr(night_preview, "SECONDS", 2.0)
    monkeypatch.setattr(night_preview, "MOST_BYTES", 100_000)
    for suffix in ("", ".json"):
        answer = await http.get(NEXT + suffix, params={"bank": BANK})
        assert (answer.status_code, said in unescape(answer.text)) == (503, True), answer.text
        if (tmp_path / "pid").exists():  # a slow one was stopped before it wrote
            assert not is_alive(int((tmp_path / "pid").read_text()))
