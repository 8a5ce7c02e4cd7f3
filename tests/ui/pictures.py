"""`python -m tests.ui.pictures docs/pictures`: the pictures of docs/page.md, of a bank with the life of life.py.

With a second folder it also writes every page there, light and dark, wide and narrow, to be looked at.
"""

from __future__ import annotations

import asyncio
import shutil
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from playwright.async_api import Browser, async_playwright

from memory_service import logs
from memory_service.config import Settings
from memory_service.memory import Memory
from memory_service.ui.rendering import MENU, SERVICE_MENU
from tests.client.served import served
from tests.ui.life import BANK, live

Scheme = Literal["light", "dark"]
HERE = f"/ui/banks/{BANK}"
WIDE, NARROW = 1120, 320
HEIGHT = 720


async def places(memory: Memory) -> dict[str, str]:
    """The pages by name, each with its address."""
    fact = next(one for one in (await memory.list_facts(BANK)).items if "walnuts" in one.fact)
    trace = next(one for one in (await memory.list_traces(BANK)).items if one.kind == "recall")
    named = {entry.path: f"{HERE}/{entry.path}" for group in MENU for entry in group.entries}
    return named | {
        **{entry.path: f"/ui/service/{entry.path}" for entry in SERVICE_MENU.entries},
        "banks": "/ui",
        "fact": f"{HERE}/facts/{fact.memory_id}",
        "read": f"{HERE}/why/{trace.trace_id}",
        "try": f"{HERE}/try?message=What+should+I+cook+tonight%3F",
        "edit": f"{HERE}/memories/{fact.memory_id}/edit",
        "plan": f"{HERE}/forget/plan?memory_id={fact.memory_id}",
        "memory": f"{HERE}/memories/{fact.derived_from[0]}",
    }


SHOWN: Mapping[str, Scheme] = {
    "overview": "light", "fact": "light", "read": "dark", "questions": "light", "decisions": "dark",
}  # fmt: skip
"""The pictures of docs/page.md, and the scheme of each."""


LOOKS: tuple[tuple[Scheme, int], ...] = (("light", WIDE), ("dark", NARROW))


async def take(
    browser: Browser, address: str, file: Path, scheme: Scheme, width: int, key: str, *, full: bool
) -> None:
    """A picture of a page, signed in with the key."""
    page = await browser.new_page(color_scheme=scheme, viewport={"width": width, "height": HEIGHT})
    await page.goto(address)
    await page.fill("input[name=key]", key)
    await page.keyboard.press("Enter")
    await page.wait_for_selector("text=Sign out")
    await page.wait_for_load_state("networkidle")
    await page.screenshot(path=file, full_page=full)
    await page.close()


async def main(folder: Path, every: Path | None) -> None:
    logs.configure("error")
    chromium = shutil.which("chromium")
    if chromium is None:
        raise SystemExit("there is no chromium in PATH: apt-get install chromium")
    with tempfile.TemporaryDirectory(prefix="memory-pictures-") as data:
        async with await Memory.open(Settings.model_validate({"data_dir": Path(data)})) as memory:
            await live(memory)
            await memory.create_key("write", [BANK], agent_id="kit", note="the agent of the kitchen")
            key = (await memory.create_key("admin", ["*"], agent_id="eva", note="pages")).key
            pages = await places(memory)
            async with served(memory) as base, async_playwright() as playwright:
                browser = await playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
                for name, scheme in SHOWN.items():
                    await take(
                        browser, base + pages[name], folder / f"{name}.png", scheme, WIDE, key, full=False
                    )
                for name, address in pages.items() if every else ():
                    assert every is not None
                    for scheme, width in LOOKS:
                        file = every / f"{name}-{scheme}-{width}.png"
                        await take(browser, base + address, file, scheme, width, key, full=True)
                await browser.close()


if __name__ == "__main__":
    targets = [Path(one) for one in sys.argv[1:]]
    for target in targets:
        target.mkdir(parents=True, exist_ok=True)
    asyncio.run(main(targets[0], targets[1] if len(targets) > 1 else None))
