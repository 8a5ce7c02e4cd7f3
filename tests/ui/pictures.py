"""`python -m tests.ui.pictures docs/pictures`: the pictures of docs/page.md, of a bank with the life of life.py.

With a second folder it also writes every page there, light and dark, wide and narrow, for visual review.
"""

from __future__ import annotations

import asyncio
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from itertools import product
from pathlib import Path
from typing import Literal

from playwright.async_api import Browser, async_playwright

from memory_service import logs
from memory_service.config import Settings
from memory_service.jobs.nightly import PASSES
from memory_service.jobs.report import Report
from memory_service.jobs.runner import NightlyRun, RunOptions
from memory_service.memory import Memory
from memory_service.ui.rendering import MENU, SERVICE_MENU
from tests.client.served import served
from tests.conftest import settle
from tests.ui.life import BANK, live

Scheme = Literal["light", "dark"]
HERE = f"/ui/banks/{BANK}"
DIARY = "diary"
"""A bank of memories that are alike, for the map."""
ALIKE: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...] = (
    (
        "Pico chased {} {}.",
        ("a squirrel", "a red ball", "two pigeons", "his own tail"),
        ("through the park", "on the beach", "in the yard", "along the river"),
    ),
    (
        "I cooked {} with {}.",
        ("cod", "black beans", "mussels"),
        ("rice", "potatoes", "olives", "a green salad"),
    ),
    (
        "In the workshop I repaired the {} of {}.",
        ("mast", "rudder", "rigging"),
        ("a frigate", "a fishing boat", "the ship model"),
    ),
    (
        "I practised {} on the cello {}.",
        ("a suite by Bach", "slow scales"),
        ("before breakfast", "for an hour", "with Inês", "until it was dark"),
    ),
    (
        "I ran {} {}.",
        ("five kilometres", "ten kilometres"),
        ("along the river", "in the rain", "up the hill"),
    ),
    (
        "My mother called about {} {}.",
        ("her garden", "the old house"),
        ("again", "before lunch", "late in the evening"),
    ),
    ("I planted {} {}.", ("basil", "lavender", "strawberries"), ("on the balcony", "behind the house")),
    ("The train to {} was {}.", ("Lisbon", "Braga"), ("late", "full", "cancelled")),
    ("The choir sang {} {}.", ("a requiem", "two carols"), ("on Thursday", "in the old church")),
    ("{} {}.", ("The dentist moved my appointment", "The heating failed"), ("on Monday",)),
)
WIDE, NARROW = 1120, 320
HEIGHT = 720


async def write_diary(memory: Memory) -> None:
    """Remember every sentence of ALIKE, one a day, and let a night find the clusters."""
    await memory.create_bank(DIARY, {"subject": "Anna", "agent_name": "Kit"})
    now = datetime.now(UTC)
    texts = [form.format(*words) for form, *parts in ALIKE for words in product(*parts)]
    for number, text in enumerate(texts):
        await memory.remember(DIARY, text, occurred_at=now - timedelta(days=number * 7 % len(texts)))
    await settle(memory, DIARY)
    async with await Memory.open(memory.settings, upkeep=True) as night:
        await NightlyRun(night, PASSES, RunOptions(now, DIARY), Report()).run()


async def places(memory: Memory) -> dict[str, str]:
    """The pages by name, each with its address."""
    fact = next(one for one in (await memory.list_facts(BANK)).items if "walnuts" in one.fact)
    trace = next(one for one in (await memory.list_traces(BANK)).items if one.kind == "recall")
    norm = next(one for one in await memory.list_norms(BANK) if one.kind == "sensitivity")
    largest = Counter(one.cluster_id for one in await memory.map_episodes(DIARY)).most_common(1)[0][0]
    named = {entry.path: f"{HERE}/{entry.path}" for group in MENU for entry in group.entries}
    return named | {
        **{entry.path: f"/ui/service/{entry.path}" for entry in SERVICE_MENU.entries},
        "banks": "/ui",
        "fact": f"{HERE}/facts/{fact.memory_id}",
        "read": f"{HERE}/why/{trace.trace_id}",
        "try": f"{HERE}/try?message=What+should+I+cook+tonight%3F",
        "norm": f"{HERE}/norms/{norm.memory_id}",
        "edit": f"{HERE}/memories/{fact.memory_id}/edit",
        "plan": f"{HERE}/forget/plan?memory_id={fact.memory_id}",
        "memory": f"{HERE}/memories/{fact.derived_from[0]}",
        "map": f"/ui/banks/{DIARY}/map",
        "cluster": f"/ui/banks/{DIARY}/map?cluster={largest}",
        "night": f"/ui/service/nights/next?bank={BANK}",
    }


SHOWN: Mapping[str, Scheme] = {
    "overview": "light", "fact": "light", "read": "dark", "questions": "light", "decisions": "dark",
    "map": "light",
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
    await page.wait_for_selector("text=Sign out", timeout=120_000)
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
            await write_diary(memory)
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
