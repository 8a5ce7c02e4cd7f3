"""Long names and texts: no page scrolls sideways, and one long text does not push the others out of a list."""

from __future__ import annotations

import pytest
from playwright.async_api import Browser

from memory_service.memory import Memory
from memory_service.types import Usage
from memory_service.ui.rendering import MENU
from tests.client.served import served
from tests.conftest import settle

BANK = "b" * 120
WORD = "Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz" * 12
LONGEST_ENTRY = 200
"""Pixels: five lines and the line below them."""


@pytest.fixture
async def long_bank(memory: Memory) -> str:
    await memory.create_bank(BANK, {"subject": "Donaudampfschifffahrtsgesellschaftskapitänin"})
    await memory.remember(BANK, f"Anna says {WORD}", type="semantic", tags=["t" * 60])
    await memory.remember(BANK, "Anna restores ship models which she likes a lot. " * 200)
    await memory.put_relational(BANK, [{"kind": "instruction", "norm": WORD[:480], "situation": "s" * 100}])
    await settle(memory, BANK)
    await memory.recall(BANK, WORD)
    await memory.flush()
    line = await memory.store.spending.begin(BANK, Usage("m" * 60, "extract", 100, 50), 1, None)
    assert line is not None
    await memory.store.spending.end(BANK, line, "ok", Usage("m" * 60, "extract", 100, 50))
    return BANK


@pytest.mark.parametrize("width", [320, 1280])
async def test_long_texts_stay_within_their_rows(
    memory: Memory, long_bank: str, browser: Browser, width: int
) -> None:
    pages = [f"/ui/banks/{BANK}/{entry.path}" for group in MENU for entry in group.entries]
    texts = 0
    async with served(memory) as base:
        page = await browser.new_page(viewport={"width": width, "height": 800})
        for address in (*pages, "/ui", "/ui/service/audit", "/ui/service/keys"):
            response = await page.goto(base + address)
            assert response is not None
            assert response.ok, address
            assert await page.evaluate("document.documentElement.scrollWidth") <= width, address
            heights: list[int] = await page.evaluate(
                "[...document.querySelectorAll('.rows .said')].map((one) => one.offsetHeight)"
            )
            assert max(heights, default=0) <= LONGEST_ENTRY, address
            texts += len(heights)
    assert texts
