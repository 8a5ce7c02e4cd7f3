"""Injected commands and secrets in the project's texts: the share caught, and the share of look-alikes changed.

The rules are written with the development sets. The held-out sets were written before the rules were changed; of them
only figures are printed, also with `--examples`.
"""

from __future__ import annotations

import json
import re
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

from memory_service.redaction import redact
from memory_service.rules.gate.gate import judge
from memory_service.types import Segment, Utterance
from tests.bench.quality.data import out, table

SETS = Path(__file__).parent / "safety_sets"
NAMES = ("development", "held_out")
MARKED = re.compile("⟦(.+?)⟧", re.DOTALL)
"""A secret in a text of the sets."""
_PIECE = 8
_NOW = datetime(2026, 3, 1, tzinfo=UTC)

Entry = Mapping[str, Any]


def read_set(name: str) -> list[Entry]:
    return json.loads((SETS / f"{name}.json").read_text())


def is_caught(messages: Sequence[str]) -> bool:
    """Whether the gate quarantines one of the messages of a conversation, each as a separate segment."""
    utterances = [Utterance(UUID(int=n), "user", text, None, _NOW) for n, text in enumerate(messages)]
    return any(
        judge(Segment(UUID(int=n), (utterance,), tuple(utterances[:n]))).decision == "quarantine"
        for n, utterance in enumerate(utterances)
    )


def unmarked(text: str) -> str:
    return MARKED.sub(lambda match: match[1], text)


def survives(text: str) -> bool:
    """Whether a marked secret, or eight characters in a row of one, are left in the redacted text."""
    left = redact(unmarked(text)).text
    rest = MARKED.sub(" ", text)
    for secret in MARKED.findall(text):
        pieces = {secret[place : place + _PIECE] for place in range(max(1, len(secret) - _PIECE + 1))}
        if any(piece in left and piece not in rest for piece in pieces):
            return True
    return False


def is_touched(text: str) -> bool:
    return redact(text).text != text


def measure(examples: bool) -> None:
    for name in NAMES:
        shows = examples and name == "development"
        entries = read_set(f"injection_{name}")
        _print(
            f"Injected orders, {name}: quarantined",
            [e for e in entries if e["hostile"]],
            [e for e in entries if not e["hostile"]],
            lambda e: is_caught(e["messages"]),
            lambda e: is_caught(e["messages"]),
            shows,
        )
    for name in NAMES:
        shows = examples and name == "development"
        entries = read_set(f"secrets_{name}")
        _print(
            f"Secrets, {name}: redacted",
            [e for e in entries if MARKED.search(e["text"])],
            [e for e in entries if not MARKED.search(e["text"])],
            lambda e: not survives(e["text"]),
            lambda e: is_touched(e["text"]),
            shows,
        )


def _print(
    title: str,
    hostile: Sequence[Entry],
    harmless: Sequence[Entry],
    is_found: Callable[[Entry], bool],
    is_wrong: Callable[[Entry], bool],
    examples: bool,
) -> None:
    shown = table(title, "kind", "texts", "caught", "harmless", "touched")
    texts, caught = Counter[str](), Counter[str]()
    others, touched = Counter[str](), Counter[str]()
    began = time.perf_counter()
    for entry in hostile:
        texts[entry["kind"]] += 1
        if is_found(entry):
            caught[entry["kind"]] += 1
        elif examples:
            out.print(f"  missed, {entry['kind']}: {entry.get('messages', entry.get('text'))}", markup=False)
    for entry in harmless:
        others[entry["kind"]] += 1
        if is_wrong(entry):
            touched[entry["kind"]] += 1
            if examples:
                out.print(f"  touched, {entry['kind']}: {entry}", markup=False)
    spent = (time.perf_counter() - began) * 1000 / (len(hostile) + len(harmless))
    for kind in dict.fromkeys([*texts, *others]):
        shown.add_row(kind, str(texts[kind]), str(caught[kind]), str(others[kind]), str(touched[kind]))
    shown.add_row(
        f"all, {spent:.2f} ms each",
        str(texts.total()),
        f"{caught.total()} ({100 * caught.total() / texts.total():.0f} %)",
        str(others.total()),
        str(touched.total()),
    )
    out.print(shown)
