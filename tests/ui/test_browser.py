"""The pages in a real browser: accessible, at 320 pixels, dark, without JavaScript, under the policy; acts by click."""

from __future__ import annotations

from typing import Any, Literal

import httpx
import pytest
from axe_playwright_python.base import AXE_FILE_PATH
from playwright.async_api import Browser, Page

from memory_service.memory import Memory
from memory_service.ui.rendering import MENU, SERVICE_MENU
from tests.client.served import served
from tests.ui.life import BANK

AXE = AXE_FILE_PATH.read_text()
HERE = f"/ui/banks/{BANK}"


async def addresses(memory: Memory) -> list[str]:
    """One address of each kind of page."""
    fact = next(one for one in (await memory.list_facts(BANK)).items if "walnuts" in one.fact)
    trace = (await memory.list_traces(BANK)).items[0]
    norm = (await memory.list_norms(BANK))[0]
    return [
        "/ui", "/ui/sign-in", "/ui/none", *(f"{HERE}/{entry.path}" for group in MENU for entry in group.entries),
        f"{HERE}/facts/{fact.memory_id}", f"{HERE}/memories/{fact.derived_from[0]}", f"{HERE}/why/{trace.trace_id}",
        f"{HERE}/norms/{norm.memory_id}", f"{HERE}/norms?state=all",
        f"{HERE}/try?message=What+shall+I+cook", f"{HERE}/questions?status=answered",
        f"{HERE}/memories/{fact.derived_from[0]}/edit", f"{HERE}/forget/plan?memory_id={fact.memory_id}",
        *(f"/ui/service/{entry.path}" for entry in SERVICE_MENU.entries),
    ]  # fmt: skip


async def test_every_page_is_accessible(life: Memory, browser: Browser) -> None:
    """axe-core on every page, light and dark, wide and at 320 pixels, with all details open; no sideways scrolling."""
    schemes: tuple[tuple[Literal["light", "dark"], int], ...] = (("light", 1280), ("dark", 320))
    async with served(life) as base:
        for scheme, width in schemes:
            page = await browser.new_page(color_scheme=scheme, viewport={"width": width, "height": 800})
            problems = watched(page)
            for address in await addresses(life):
                await page.goto(base + address, wait_until="networkidle")
                await page.evaluate(
                    "document.querySelectorAll('details').forEach((one) => { one.open = true })"
                )
                await page.evaluate(AXE)
                violations = await page.evaluate("axe.run().then((results) => results.violations)")
                assert [(one["id"], one["nodes"][0]["html"]) for one in violations] == [], (address, scheme)
                assert await page.evaluate("document.documentElement.scrollWidth") <= width, address
            assert [one for one in problems if "404" not in one] == []
            await page.close()


def watched(page: Page) -> list[str]:
    """What the console of the page says: errors, and breaches of the policy."""
    problems: list[str] = []
    page.on("console", lambda message: problems.append(message.text) if "[DOM]" not in message.text else None)
    page.on("pageerror", lambda error: problems.append(str(error)))
    return problems


@pytest.mark.parametrize("scripts", [True, False], ids=["with JavaScript", "without"])
async def test_a_question_and_a_fact_by_click(life: Memory, browser: Browser, scripts: bool) -> None:
    async with served(life) as base:
        context = await browser.new_context(java_script_enabled=scripts)
        page = await context.new_page()
        problems = watched(page)
        await page.goto(base)
        await page.goto(f"{base}/ui")
        await page.click(f"text={BANK}")
        await page.click("nav >> text=Questions")
        await page.click("button.side-fact:has-text('does not like')")
        await page.wait_for_selector("text=No question is open")
        (done,) = (await life.list_clarifications(BANK, statuses=["answered"])).items
        assert done.keep == done.facts[-1].memory_id
        await page.click("nav >> text=Facts")
        await page.click("text=allergic to walnuts")
        await page.wait_for_selector("text=Correct it")
        await page.click("text=Never let it fade")
        await page.wait_for_selector("text=Done: pin.")
        assert "act=pin" in page.url
        assert any(one.pinned for one in (await life.list_facts(BANK)).items)
        await page.click("nav >> text=Try")
        await page.fill("textarea", "What shall I cook?")
        await page.click("text=Build context")
        await page.wait_for_selector("text=[memory context]")
        assert "message=What" in page.url
        await page.go_back()
        await page.wait_for_selector("text=Build context")
        assert [one for one in problems if "404" not in one] == []
        await context.close()


async def test_the_keyboard_reaches_everything(life: Memory, browser: Browser) -> None:
    """From the top: the first stop skips to the content; a question is answered by Enter."""
    async with served(life) as base:
        page = await browser.new_page()
        await page.goto(f"{base}{HERE}/questions", wait_until="networkidle")
        await page.keyboard.press("Tab")
        assert await focused(page, "textContent") == "Skip to content"
        await page.keyboard.press("Enter")
        for _ in range(12):
            await page.keyboard.press("Tab")
            if "This is right" in str(await focused(page, "textContent")):
                break
        await page.keyboard.press("Enter")
        await page.wait_for_selector("text=No question is open")
        assert (await life.list_clarifications(BANK, statuses=["answered"])).items


async def focused(page: Page, name: str) -> Any:
    return await page.evaluate(f"document.activeElement.{name}")


async def test_a_chart_is_drawn_beside_its_table(
    life: Memory, browser: Browser, http: httpx.AsyncClient
) -> None:
    async with served(life) as base:
        page = await browser.new_page()
        fact = next(one for one in (await life.list_facts(BANK)).items if "walnuts" in one.fact)
        await page.goto(f"{base}{HERE}/facts")
        await page.click("text=allergic to walnuts")  # by htmx: the chart of a page that was swapped in
        await page.wait_for_selector(".chart canvas")
        await page.click("text=As a table")
        rows = await page.locator("table.plain tbody tr").count()
        versions = (await life.fact_history(BANK, fact.memory_id)).items
        assert rows == len(versions) + 1
