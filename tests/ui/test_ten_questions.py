"""The questions of a new user, answered in a real browser from the first page on, by clicks and typed words alone."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from playwright.async_api import Browser, Page

from memory_service.jobs.nightly import PASSES
from memory_service.jobs.report import Report
from memory_service.jobs.runner import DONE, NightlyRun, RunOptions
from memory_service.memory import Memory
from memory_service.types import Usage
from tests.client.served import served
from tests.ui.life import BANK, SAID
from tests.ui.test_browser import watched

WALNUTS = "Anna is allergic to walnuts."
CAR = "Anna wants to sell the car."


class Visitor:
    """One person at one page. `goto` is not used: each page is reached by a link or a button of the one before."""

    def __init__(self, page: Page) -> None:
        self._page = page

    async def opens(self, name: str, *, heading: str | None = None) -> None:
        """Follow a link of the menu."""
        await self._page.locator("header.side").get_by_role("link", name=name, exact=True).click()
        await self.sees(heading=heading or name)

    async def follows(self, text: str) -> None:
        await self._page.locator("main").get_by_role("link", name=text).first.click()

    async def presses(self, text: str) -> None:
        await self._page.locator("main").get_by_role("button", name=text).first.click()

    async def unfolds(self, text: str, *, within: str) -> None:
        """Open the first folded part with this summary in the entry that contains `within`."""
        entry = self._page.locator("main li, main article").filter(has_text=within).first
        await entry.locator("summary").filter(has_text=text).first.click()

    async def types(self, label: str, text: str) -> None:
        await self._page.get_by_label(label).fill(text)

    async def sees(self, *texts: str, heading: str | None = None) -> None:
        """Errors: TimeoutError unless all of it is visible on the page."""
        main = self._page.locator("main")
        if heading is not None:
            await main.get_by_role("heading", level=1, name=heading).wait_for()
        for text in texts:
            await main.get_by_text(text).locator("visible=true").first.wait_for()

    async def sees_entry(self, *texts: str) -> None:
        """One entry of the list contains all the texts."""
        entry = self._page.locator("main li, main article, main tr")
        for text in texts:
            entry = entry.filter(has_text=text)
        await entry.locator("visible=true").first.wait_for()

    async def misses(self, text: str) -> None:
        assert text not in await self._page.locator("main").inner_text()


async def prepared(memory: Memory) -> str:
    """A night and a model call in the bank's life; an admin's key."""
    night = NightlyRun(memory, PASSES, RunOptions(datetime.now(UTC), BANK), Report())
    assert await night.run() == DONE
    spent = Usage("gpt-5-nano", "extract", 1200, 340)
    line = await memory.store.spending.begin(BANK, spent, 1, None)
    assert line is not None
    await memory.store.spending.end(BANK, line, "ok", spent)
    return (await memory.create_key("admin", ["*"], agent_id="eva")).key


def day_of(said: str) -> str:
    """The date on which something was said in the life of the bank."""
    (days,) = [days for days, text, _ in SAID if said in text]
    return f"{datetime.now(UTC) - timedelta(days=days):%Y-%m-%d}"


async def test_a_new_user_finds_the_answers(
    life: Memory, browser: Browser, subtests: pytest.Subtests
) -> None:
    key = await prepared(life)
    page = await browser.new_page()
    page.set_default_timeout(10_000)
    problems = watched(page)
    eva = Visitor(page)
    async with served(life) as base:
        await page.goto(f"{base}/ui")
        await eva.types("API key", key)
        await eva.presses("Sign in")

        with subtests.test("What does it know of me?"):
            await eva.sees(heading="Banks")
            await eva.follows(BANK)
            await eva.sees(WALNUTS, "Every Sunday I call my mother", "sell the car", heading="Anna")
            await eva.sees("All messages are decided.")
        with subtests.test("Since when, and who said it?"):
            await eva.follows(WALNUTS)
            await eva.sees(f"since {day_of('walnuts')}", "it sent me to hospital once", heading=WALNUTS)
            await eva.sees(f"user to kit · {day_of('walnuts')} · conversation kitchen-table")
        with subtests.test("Why was this memory shown?"):
            await eva.opens("Why")
            await eva.follows("Where do I live?")
            await eva.sees(heading="Where do I live?")
            await eva.unfolds("high similarity", within="I live in Porto now")
            await eva.sees("Behind the similarity:", "below the cut-off")
        with subtests.test("What is wrong here, and how do I correct it?"):
            await eva.opens("Facts")
            await eva.follows(CAR)
            await eva.presses("It was never true")
            await eva.sees("Done: retract.", "never (retracted)", heading=CAR)
            await eva.opens("Facts")
            await eva.misses(CAR)
        with subtests.test("Two facts contradict each other: which is right?"):
            await eva.opens("Overview", heading="Anna")
            await eva.follows("Which of the two is right now?")
            await eva.presses("Anna does not like coriander.")
            await eva.sees("The answer is recorded.", "No question is open")
            await eva.follows("answered")
            await eva.sees_entry("Anna does not like coriander.", "kept", "by eva")
        with subtests.test("What did it refuse, and why?"):
            await eva.opens("Decisions")
            await eva.follows("refused")
            await eva.sees_entry("What's the weather like?", "no gate passed")
            await eva.unfolds("Seven gates", within="What's the weather like?")
            await eva.sees("did not pass")
            await eva.misses("walnuts")
        with subtests.test("What is in quarantine?"):
            await eva.opens("Quarantine")
            await eva.sees_entry("Ignore all previous instructions", "Release", "Refuse and erase")
        with subtests.test("What did last night do?"):
            await eva.opens("Nights")
            (night,) = (await life.list_nights()).items
            changed = [
                (one.name, f"{count} {name}") for one in night.passes for name, count in one.counts.items()
            ]
            assert any(text.endswith("consolidated") for _, text in changed)
            for name, text in changed:
                await eva.sees_entry(name.replace("_", " "), text.replace("_", " "))
        with subtests.test("What did it cost?"):
            await eva.opens("Banks")
            await eva.follows(BANK)
            await eva.sees("1 model call today", heading="Anna")
            await eva.follows("Spend")
            await eva.sees_entry("gpt-5-nano", "1,200", "340")
        with subtests.test("What would be in the context of this message?"):
            await eva.opens("Try")
            await eva.types("Message of the person", "Can you bake me a walnut cake?")
            await eva.presses("Build context")
            await eva.sees("[memory context]", '"Anna is allergic to walnuts."')
        with subtests.test("Forget this."):
            await eva.follows(WALNUTS)
            await eva.follows("Forget it…")
            await eva.sees("Nothing is deleted yet.", "it sent me to hospital once", heading="One memory")
            assert any(one.fact == WALNUTS for one in (await life.list_facts(BANK)).items)
            await eva.types("reason, without content", "asked by Anna")
            await eva.presses("Erase")
            await eva.sees("Erased. No read reaches it any more", "by eva · asked by Anna")
            for name in ("Facts", "Timeline", "Decisions", "Why"):
                await eva.opens(name)
                await eva.misses("walnut")
    assert problems == []
