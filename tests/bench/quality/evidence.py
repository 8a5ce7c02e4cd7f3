"""LoCoMo conversations loaded once, for recall and for the gate, and the questions asked about them."""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from memory_service.cli.transcripts import read_transcript
from memory_service.config import Settings
from memory_service.memory import IMPORT, Memory

ANSWERABLE = (1, 2, 3, 4)
"""Question categories that have an answer; 5 are adversarial."""


@dataclass(frozen=True, slots=True)
class Question:
    text: str
    evidence: frozenset[str]


async def evidence(files: Sequence[Path], parts: Collection[str]) -> None:
    """Load the conversations into an embedded Postgres and measure recall (`retrieval`) and the `gate` on them."""
    from tests.bench.quality import gate, retrieval

    with tempfile.TemporaryDirectory(prefix="memory-quality-") as data:
        settings = Settings.model_validate({"data_dir": Path(data), "exchange_quiet_seconds": 1})
        async with await Memory.open(settings) as memory:
            if "retrieval" in parts:
                for file in files:
                    await load(memory, file, f"verbatim:{file.stem}", "verbatim")
                await retrieval.measure(memory, files)
            if "gate" in parts:
                for file in files:
                    await load(memory, file, f"exchange:{file.stem}", "exchange")
                await gate.measure(memory, files)


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
