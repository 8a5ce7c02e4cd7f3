"""LoCoMo conversations loaded once, for recall and for the gate, and the questions asked about them."""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, cast

from memory_service.cli.transcripts import read_transcript
from memory_service.config import Settings
from memory_service.inputs import MAX_MESSAGES, NewMessage
from memory_service.memory import IMPORT, Memory

ANSWERABLE = (1, 2, 3, 4)
"""Question categories that have an answer; 5 are adversarial."""
OWN = ("group_chat", "diary")
"""Banks of this project: five friends, and one person alone."""


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
                asked = {f"verbatim:{file.stem}": questions(file) for file in files}
                await retrieval.measure(memory, "LoCoMo", asked, retrieval.BASELINES)
                for name in OWN:
                    said, own = own_bank(name)
                    await load_said(memory, name, "verbatim", said)
                    await retrieval.measure(memory, name, {name: own}, {})
            if "gate" in parts:
                for file in files:
                    await load(memory, file, f"exchange:{file.stem}", "exchange")
                await gate.measure(memory, files)


async def load(memory: Memory, file: Path, bank_id: str, intake: str) -> None:
    said: dict[str, list[NewMessage]] = {}
    for turn in read_transcript(file):
        said.setdefault(turn.conversation_id, []).append(turn.message)
    await load_said(memory, bank_id, intake, said)


def own_bank(name: str) -> tuple[dict[str, list[NewMessage]], list[Question]]:
    """A bank made up for this project, that is no chat of two: what is said in it, and questions with evidence."""
    held = json.loads((Path(__file__).parent / f"{name}.json").read_text(encoding="utf-8"))
    said: dict[str, list[NewMessage]] = {}
    for turn in held["turns"]:
        at = datetime.fromisoformat(turn["occurred_at"])
        message = NewMessage("user", turn["text"], turn["speaker"], at, turn["id"], {"dia_id": turn["id"]})
        said.setdefault(turn["conversation_id"], []).append(message)
    return said, [Question(q["question"], frozenset(q["evidence"])) for q in held["questions"]]


async def load_said(
    memory: Memory, bank_id: str, intake: str, said: Mapping[str, Sequence[NewMessage]]
) -> None:
    await memory.create_bank(bank_id, {"intake": intake})
    for conversation_id, messages in said.items():
        for start in range(0, len(messages), MAX_MESSAGES):
            await memory.add_messages(
                bank_id, conversation_id, messages[start : start + MAX_MESSAGES], lane=IMPORT
            )
    await memory.end_import(bank_id, list(said))
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
