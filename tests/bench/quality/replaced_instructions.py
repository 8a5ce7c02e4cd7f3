"""Instructions given and replaced over sessions: is the present one in the context, and the replaced one not?

Each dialogue of MemoryCode is a bank; its mentor is the user. The question asks for code; a context holds an
instruction if the words that it demands (a prefix, a decorator) stand in it.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

from memory_service.memory import Memory
from memory_service.requests import NewMessage
from tests.bench.quality.data import out, rows, table
from tests.bench.quality.preferences import START, in_process, settled

QUESTION = (
    "Write a Python class with a method that reads a file, and a function with arguments that calls it."
)
BUDGETS = (300, 700, 1_000)
RECENT_SHARE = 0.3
DEMANDED = re.compile(
    r"'([^']+)'|\b(docstrings|annotations|comments|try|assert|digit|UPPERCASE|snake_case|CamelCase)\b"
)


def demanded(topic: str) -> str | None:
    """The words that an instruction demands in code: a literal, else a named construct."""
    found = DEMANDED.findall(topic)
    literals = [literal for literal, _ in found if literal and literal != "pedantic"]
    return literals[0] if literals else next((word for _, word in found if word), None)


def turns_of(text: str) -> list[tuple[str, str]]:
    """Speakers and what each says, which may have several paragraphs."""
    turns: list[tuple[str, str]] = []
    for line in text.split("\n"):
        if re.match(r"^[A-Z]\w+:", line):
            speaker, said = line.split(":", 1)
            turns.append((speaker, said))
        elif turns:
            turns[-1] = (turns[-1][0], f"{turns[-1][1]}\n{line}")
    return turns


async def load(memory: Memory, bank: str, row: Mapping[str, Any], settings: Mapping[str, Any] | None) -> Any:
    """Send a dialogue's sessions; present and replaced instructions, and the time of the question."""
    await memory.create_bank(bank, settings)
    at = START
    present: dict[str, str] = {}
    replaced: set[str] = set()
    for n, session in enumerate(row["sessions"]):
        lines = turns_of(session["text"])
        mentor = lines[0][0] if lines else ""
        messages: list[NewMessage] = []
        for speaker, text in lines:
            at += timedelta(minutes=1)
            if text.strip():
                messages.append(
                    NewMessage("user" if speaker == mentor else "assistant", text.strip(), occurred_at=at)
                )
        for start in range(0, len(messages), 100):
            await memory.add_messages(bank, f"s{n}", messages[start : start + 100])
        for kind, topic in zip(session["type"], session["topic"], strict=True):
            words = demanded(topic) if kind in ("instruction-add", "instruction-update") else None
            if words is None:
                continue
            slot = re.sub(r"'[^']+'", "", topic) if kind == "instruction-add" else None
            if kind == "instruction-update":
                about = set(
                    re.findall(r"\b(?:variable|function argument|function|method|attribute|class)\b", topic)
                )
                for known in [k for k in present if about & set(re.findall(r"[a-z]+(?: argument)?", k))]:
                    if re.search(r"\b(?:start|end)\b", known) and re.search(r"\b(?:start|end)\b", topic):
                        replaced.add(present.pop(known))
            present[slot or topic] = words
        at += timedelta(days=7)
    await memory.end_import(bank, [f"s{n}" for n in range(len(row["sessions"]))])
    await settled(memory, bank)
    return set(present.values()), replaced - set(present.values()), at


async def measure(folder: Path, settings: Mapping[str, Any] | None = None) -> None:
    dialogues = rows(folder, "memorycode_dev")
    if not dialogues:
        return
    held = dict.fromkeys(BUDGETS, 0)
    left = dict.fromkeys(BUDGETS, 0)
    present_count = replaced_count = 0
    with tempfile.TemporaryDirectory(prefix="memory-instructions-") as scratch:
        async with in_process(Path(scratch) / "data") as memory:
            for row in dialogues:
                bank = f"memorycode.{row['id']}"
                present, replaced, at = await load(memory, bank, row, settings)
                present_count += len(present)
                replaced_count += len(replaced)
                for budget in BUDGETS:
                    recent = round(RECENT_SHARE * budget)
                    context = await memory.context(
                        bank, QUESTION, recent_tokens=recent, knowledge_tokens=budget - recent, as_of=at
                    )
                    held[budget] += sum(words.lower() in context.text.lower() for words in present)
                    left[budget] += sum(f"'{words}'".lower() in context.text.lower() for words in replaced)
    shown = table(
        f"MemoryCode: {present_count} present and {replaced_count} replaced instructions in contexts, in percent",
        "tokens", "present", "replaced",
    )  # fmt: skip
    for budget in BUDGETS:
        shown.add_row(
            str(budget),
            f"{100 * held[budget] / present_count:.0f}",
            f"{100 * left[budget] / max(replaced_count, 1):.0f}",
        )
    out.print(shown)
