"""Share of messages that the rule-based gate drops, and share of the messages worth remembering that it keeps.

LoCoMo's conversations pass the whole write path as exchanges; the curve of the fact-bearing score's threshold is
measured on single messages of every labelled set.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memory_service.config import Settings
from memory_service.memory import Memory
from memory_service.requests import IMPORT
from memory_service.rules.extractor import extract
from memory_service.rules.gate.gate import judge, read_segment
from memory_service.rules.gate.worth_score import KEEP_AT
from memory_service.validation import MAX_MESSAGES
from tests.bench.quality.data import out, table
from tests.bench.quality.evidence import Said, conversation
from tests.bench.quality.labelled import Message, labelled_sets, segment_of


async def measure(files: Sequence[Path]) -> None:
    """Load the conversations into an embedded Postgres as exchanges, and print the shares of turns dropped and of
    evidence kept."""
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


THRESHOLDS = (0.03, 0.05, 0.06, 0.07, 0.08, 0.1, 0.15, 0.2, 0.3)


def curve(folder: Path, examples: bool) -> None:
    """Print for each set and threshold of the score the share of messages worth remembering that the gate keeps, and
    the share of the others that it drops; then the outcomes of the hand-written sentences by kind."""
    sets = labelled_sets(folder)
    shown = table(
        "Gate by the fact-bearing score's threshold, messages of users: worth kept / rest dropped, in percent",
        "set", *(f"{'*' if threshold == KEEP_AT else ''}{threshold:.2f}" for threshold in THRESHOLDS),
    )  # fmt: skip
    for name, messages in sets.items():
        found = [judged(message) for message in messages]
        cells: list[str] = []
        for threshold in THRESHOLDS:
            kept = [one.passes or (not one.refused and one.score >= threshold) for one in found]
            worth = [k for k, message in zip(kept, messages, strict=True) if message.worth]
            rest = [k for k, message in zip(kept, messages, strict=True) if not message.worth]
            cells.append(f"{100 * sum(worth) / len(worth):.1f} / {100 * (1 - sum(rest) / len(rest)):.0f}")
        shown.add_row(name, *cells)
    out.print(shown)
    kinds = table("Hand-written sentences", "kind", "sentences", "kept", "by relational_damage", "by a rule")
    by_kind: dict[str, list[Judged]] = {}
    for message in sets["own sentences"]:
        one = judged(message)
        by_kind.setdefault(message.kind, []).append(one)
        if examples and one.kept is not message.worth:
            out.print(f"  {'refused' if message.worth else 'kept'}: {message.text}", markup=False)
    for kind, found in by_kind.items():
        kinds.add_row(
            kind,
            str(len(found)),
            str(sum(one.kept for one in found)),
            str(sum(one.relational for one in found)),
            str(sum(one.passes for one in found)),
        )
    out.print(kinds)


@dataclass(frozen=True, slots=True)
class Judged:
    """The decision of the rules on one message."""

    kept: bool
    passes: bool
    """Kept by another gate, or by a rule of stable_fact, at any score."""
    refused: bool
    """Whatever the score."""
    relational: bool
    score: float


def judged(message: Message) -> Judged:
    segment = segment_of(message)
    ruling = judge(segment)
    extraction = extract(segment, ruling)
    refused = ruling.decision in ("refuse", "quarantine")
    passed = [v for v in extraction.verdicts if v.passed and v.gate != "harm_check"]
    return Judged(
        extraction.keep,
        not refused and any(not v.reason.startswith("fact-bearing") for v in passed),
        refused,
        any(v.gate == "relational_damage" for v in passed),
        read_segment(segment).score,
    )


async def load(memory: Memory, bank_id: str, said: Said, settings: dict[str, Any] | None = None) -> None:
    """Send all of it to a new bank, and work until it is decided and embedded."""
    await memory.create_bank(bank_id, settings)
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
