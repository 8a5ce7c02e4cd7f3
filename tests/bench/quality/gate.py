"""How much the rule-based gate drops, and how much of what later questions need it keeps."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from memory_service.memory import Memory
from tests.bench.quality.data import out, table
from tests.bench.quality.evidence import questions


async def measure(memory: Memory, files: Sequence[Path]) -> None:
    turns = kept = needed = kept_needed = 0
    for file in files:
        bank_id = f"exchange:{file.stem}"
        evidence = frozenset[str]().union(*(question.evidence for question in questions(file)))
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
