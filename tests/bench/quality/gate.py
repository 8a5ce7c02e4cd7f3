"""How much the rule-based gate drops, and how much of what later questions need it keeps."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Sequence
from pathlib import Path

from memory_service.checks import MAX_MESSAGES
from memory_service.config import Settings
from memory_service.memory import IMPORT, Memory
from tests.bench.quality.data import out, table
from tests.bench.quality.evidence import Said, conversation


async def measure(files: Sequence[Path]) -> None:
    """Load the conversations into an embedded Postgres, as exchanges, and print what became of their turns."""
    with tempfile.TemporaryDirectory(prefix="memory-gate-") as data:
        settings = Settings.model_validate({"data_dir": Path(data), "exchange_quiet_seconds": 1})
        async with await Memory.open(settings) as memory:
            await decided(memory, files)


async def decided(memory: Memory, files: Sequence[Path]) -> None:
    turns = kept = needed = kept_needed = 0
    for file in files:
        bank_id = file.stem
        said, questions = conversation(file)
        await load(memory, bank_id, said)
        evidence = frozenset[str]().union(*(question.evidence for question in questions))
        cursor: str | None = None
        while True:
            page = await memory.list_decisions(bank_id, limit=200, cursor=cursor)
            for decision in page.items:
                stored = decision.outcome == "stored"
                for dia_id in decision.client_ids:
                    turns += 1
                    kept += stored
                    needed += dia_id in evidence
                    kept_needed += stored and dia_id in evidence
            if (cursor := page.next_cursor) is None:
                break
    if not turns or not needed:
        out.print("Skipped: these conversations have no decided turns or no evidence")
        return
    shown = table("LoCoMo gate, exchanges, in percent", "gate", "turns dropped", "evidence kept", "turns")
    shown.add_row("rules", f"{100 * (1 - kept / turns):.1f}", f"{100 * kept_needed / needed:.1f}", str(turns))
    shown.add_row("seven surface features, turn by turn", "40", "90", "")
    out.print(shown)


async def load(memory: Memory, bank_id: str, said: Said) -> None:
    await memory.create_bank(bank_id)
    for conversation_id, messages in said.items():
        for start in range(0, len(messages), MAX_MESSAGES):
            part = messages[start : start + MAX_MESSAGES]
            await memory.add_messages(bank_id, conversation_id, part, lane=IMPORT)
    await memory.end_import(bank_id, list(said))
    stop = asyncio.Event()
    working = asyncio.create_task(memory.work(stop))
    stats = await memory.stats(bank_id)
    while stats["messages"]["pending"] or stats["queue"]["depth"]:
        await asyncio.sleep(0.1)
        stats = await memory.stats(bank_id)
    stop.set()
    await working
