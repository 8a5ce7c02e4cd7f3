"""`make bench-quality DATA=folder`: quality on labelled data, which is no part of this repository.

The folder holds LoCoMo conversation files (`locomo_conv-*.json`). Measured is whether recall finds the turns that a
question's answer rests on, and how much of that evidence the gate keeps.
"""

from __future__ import annotations

import asyncio
import json
import math
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import uvloop
from rich.console import Console
from rich.table import Table

from memory_service import logs
from memory_service.cli.transcripts import read_transcript
from memory_service.config import Settings
from memory_service.inputs import RecallQuery
from memory_service.memory import IMPORT, Memory

ANSWERABLE = (1, 2, 3, 4)
"""Question categories that have an answer; 5 are adversarial."""

out = Console(highlight=False)


@dataclass(frozen=True, slots=True)
class Question:
    text: str
    evidence: frozenset[str]


async def main(folder: Path) -> int:
    files = sorted(folder.glob("locomo_conv-*.json"))
    if not files:
        out.print(
            f"No labelled data: {folder} holds no locomo_conv-*.json. Name the folder: make bench-quality DATA=…"
        )
        return 1
    logs.configure("error")
    table = Table(box=None, pad_edge=False)
    for name in ("profile", "R@5", "R@10", "R@20", "MRR", "nDCG@10", "questions"):
        table.add_column(name)
    with tempfile.TemporaryDirectory(prefix="memory-quality-") as data:
        settings = Settings.model_validate({"data_dir": Path(data), "exchange_quiet_seconds": 1})
        async with await Memory.open(settings) as memory:
            for file in files:
                await load(memory, file, f"verbatim:{file.stem}", "verbatim")
                await load(memory, file, f"exchange:{file.stem}", "exchange")
            for profile in ("precise", "balanced"):
                await retrieval(memory, files, profile, table)
            out.print("LoCoMo evidence retrieval, each turn one memory, in percent")
            out.print(table)
            await gate(memory, files)
    return 0


async def load(memory: Memory, file: Path, bank_id: str, intake: str) -> None:
    await memory.create_bank(bank_id, {"intake": intake})
    turns = read_transcript(file)
    conversations = list(dict.fromkeys(turn.conversation_id for turn in turns))
    for conversation_id in conversations:
        said = [turn.message for turn in turns if turn.conversation_id == conversation_id]
        await memory.add_messages(bank_id, conversation_id, said, lane=IMPORT)
    await memory.end_import(bank_id, conversations)
    stop = asyncio.Event()
    working = asyncio.create_task(memory.work(stop))
    stats = await memory.stats(bank_id)
    while stats["messages"]["pending"] or stats["queue"]["depth"]:
        await asyncio.sleep(0.1)
        stats = await memory.stats(bank_id)
    stop.set()
    await working


def questions(file: Path) -> list[Question]:
    rows = cast("list[dict[str, Any]]", json.loads(file.read_text())["qa"])
    return [
        Question(str(row["question"]), frozenset(row["evidence"]))
        for row in rows
        if row["category"] in ANSWERABLE and row.get("evidence")
    ]


async def retrieval(memory: Memory, files: Sequence[Path], profile: str, table: Table) -> None:
    """Recall at 5, 10 and 20, mean reciprocal rank and nDCG of the evidence turns."""
    sums: dict[str, float] = dict.fromkeys(("r5", "r10", "r20", "mrr", "ndcg"), 0.0)
    asked = 0
    for file in files:
        for question in questions(file):
            found = await memory.recall(
                f"verbatim:{file.stem}", RecallQuery(question.text, k=20, profile=profile)
            )
            ids = [item.candidate.metadata.get("dia_id") for item in found.items]
            hits = [dia_id in question.evidence for dia_id in ids]
            for k in (5, 10, 20):
                sums[f"r{k}"] += sum(hits[:k]) / len(question.evidence)
            sums["mrr"] += next((1 / rank for rank, hit in enumerate(hits, 1) if hit), 0.0)
            ideal = sum(1 / math.log2(rank + 1) for rank in range(1, min(len(question.evidence), 10) + 1))
            gained = sum(1 / math.log2(rank + 1) for rank, hit in enumerate(hits[:10], 1) if hit)
            sums["ndcg"] += gained / ideal
            asked += 1
    table.add_row(profile, *(f"{100 * value / asked:.1f}" for value in sums.values()), str(asked))


async def gate(memory: Memory, files: Sequence[Path]) -> None:
    """How much the gate drops, and how much of the evidence it keeps."""
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
    out.print(
        f"\nGate, exchanges, rules only: {100 * (1 - kept / turns):.1f} % of {turns} turns dropped, "
        f"{100 * kept_needed / needed:.1f} % of {needed} evidence turns kept"
    )


if __name__ == "__main__":
    sys.exit(uvloop.run(main(Path(sys.argv[1] if len(sys.argv) > 1 else "data"))))
