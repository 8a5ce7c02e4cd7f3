"""Whether recall finds the evidence of a question in which one word is misspelt, beside the question as written."""

from __future__ import annotations

import random
import re
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from memory_service.config import Settings
from memory_service.memory import Memory
from tests.bench.quality import own_chats
from tests.bench.quality.data import out, table
from tests.bench.quality.evidence import Question, Said, own_bank
from tests.bench.quality.gate import load
from tests.bench.quality.retrieval import OWN, Asked, scores

LIMIT = 20
SEED = 20
LETTERS = "abcdefghijklmnopqrstuvwxyz"
SHORTEST = 4
"""Characters of a word that is misspelt."""
FUNCTION_WORDS = frozenset(
    (
        "about",
        "after",
        "also",
        "been",
        "before",
        "could",
        "does",
        "during",
        "each",
        "ever",
        "from",
        "have",
        "having",
        "into",
        "more",
        "most",
        "much",
        "often",
        "over",
        "recent",
        "should",
        "some",
        "still",
        "than",
        "that",
        "their",
        "them",
        "then",
        "there",
        "they",
        "this",
        "those",
        "through",
        "time",
        "want",
        "were",
        "what",
        "when",
        "where",
        "which",
        "while",
        "will",
        "with",
        "would",
        "your",
    )
)
"""Words of questions that say nothing of the matter."""
ARMS: Sequence[tuple[str, tuple[str, ...] | None]] = (("words", ("words",)), ("default", None))


async def measure() -> None:
    """Load the project's own banks, ask each question as written and misspelt, and print the recall of its evidence."""
    with tempfile.TemporaryDirectory(prefix="memory-typos-") as folder:
        settings = Settings.model_validate({"data_dir": Path(folder), "exchange_quiet_seconds": 1})
        async with await Memory.open(settings) as memory:
            sets = {name: {name: own_bank(name)} for name in OWN} | {
                "chats": {file.stem: chat(file) for file in own_chats.files(held=False)}
            }
            loaded = {
                name: [await asked(memory, bank_id, *bank) for bank_id, bank in banks.items()]
                for name, banks in sets.items()
            }
            await show(memory, loaded)


async def show(memory: Memory, sets: Mapping[str, Sequence[Asked]]) -> None:
    shown = table(
        "evidence found with one word misspelt, in percent",
        *("bank", "arms", "R@10 as written", "R@10 misspelt", "R@10 without it", "questions"),
    )
    for name, banks in sets.items():
        for arms, by in ARMS:
            answer = Answering(memory, by)
            rows = [await scores(changed(banks, change), answer) for change in (str, misspelt, without)]
            shown.add_row(name, arms, *(row[1] for row in rows), rows[0][-1])
    out.print(shown)


@dataclass(frozen=True, slots=True)
class Answering:
    """Recall by some arms, None is all; by `precise`, because recalls change the importance that others rank by."""

    memory: Memory
    by: tuple[str, ...] | None

    async def __call__(self, bank_id: str, text: str) -> Sequence[str]:
        if not text:
            return []
        answer = await self.memory.recall(bank_id, text, k=LIMIT, profile="precise", by=cast("Any", self.by))
        return [str(item.memory_id) for item in answer.items]


def changed(banks: Sequence[Asked], change: Callable[[str], str]) -> list[Asked]:
    """The same banks with changed questions."""
    return [
        Asked(bank.bank_id, [Question(change(q.text), q.evidence) for q in bank.questions], bank.origins)
        for bank in banks
    ]


def misspelt(question: str) -> str:
    """The question with one error in one of its content words; the same error in every run."""
    return replaced(question, one_error)


def without(question: str) -> str:
    """The question without that word."""
    return replaced(question, lambda word, chance: "")


def replaced(question: str, change: Callable[[str, random.Random], str]) -> str:
    chance = random.Random(f"{SEED} {question}")
    words = [
        word
        for word in re.finditer(rf"[A-Za-z]{{{SHORTEST},}}", question)
        if word[0].lower() not in FUNCTION_WORDS
    ]
    if not words:
        return question
    word = chance.choice(words)
    return question[: word.start()] + change(word[0], chance) + question[word.end() :]


def one_error(word: str, chance: random.Random) -> str:
    """The word with a letter left out, added, replaced or exchanged with the next one."""
    while True:
        at = chance.randrange(len(word))
        kind = chance.choice(("left out", "added", "replaced", "exchanged"))
        if kind == "left out":
            wrong = word[:at] + word[at + 1 :]
        elif kind == "added":
            wrong = word[:at] + chance.choice(LETTERS) + word[at:]
        elif kind == "replaced":
            wrong = word[:at] + chance.choice(LETTERS) + word[at + 1 :]
        else:
            wrong = word[:at] + word[at + 1 : at + 2] + word[at : at + 1] + word[at + 2 :]
        if wrong != word:
            return wrong


def chat(file: Path) -> tuple[Said, Sequence[Question]]:
    """The messages of a labelled chat, and its questions that have evidence."""
    data = own_chats.read(file)
    return own_chats.said_in(data), [
        Question(q["question"], frozenset(q["evidence"])) for q in data["questions"] if q["evidence"]
    ]


async def asked(memory: Memory, bank_id: str, said: Said, questions: Sequence[Question]) -> Asked:
    """A new bank in which each message is one memory."""
    await load(memory, bank_id, said, {"intake": "verbatim"})
    return Asked(bank_id, questions, await origins(memory, bank_id))


async def origins(memory: Memory, bank_id: str) -> dict[str, str]:
    """The id of the message of each memory."""
    found: dict[str, str] = {}
    cursor: str | None = None
    while True:
        page = await memory.list_decisions(bank_id, limit=200, cursor=cursor)
        found |= {str(d.memory_id): d.client_ids[0] for d in page.items if d.memory_id and d.client_ids[0]}
        if (cursor := page.next_cursor) is None:
            return found
