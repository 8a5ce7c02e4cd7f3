"""Labelled files as rows, and what to say where one is missing."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast

from rich.console import Console
from rich.table import Table

out = Console(highlight=False)
if not out.is_terminal:
    out.width = 160


def rows(folder: Path, name: str) -> list[dict[str, Any]]:
    """The rows of `name`.jsonl.gz; none, with a line that says so, where the folder does not hold it."""
    path = folder / f"{name}.jsonl.gz"
    if not path.exists():
        out.print(f"Skipped: {folder} holds no {path.name}")
        return []
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def conversations(folder: Path) -> list[Path]:
    """LoCoMo's conversation files; none, with a line that says so, where the folder holds none."""
    files = sorted(folder.glob("locomo_conv-*.json"))
    if not files:
        out.print(f"Skipped: {folder} holds no locomo_conv-*.json")
    return files


def flat(ids: object) -> Iterator[Any]:
    """All ids in a list or mapping, however deep."""
    if isinstance(ids, Mapping):
        ids = list(cast("Mapping[str, object]", ids).values())
    if isinstance(ids, list):
        for one in cast("list[object]", ids):
            yield from flat(one)
    else:
        yield ids


def table(title: str, *columns: str) -> Table:
    """An empty table; the first column is text, the others are figures."""
    made = Table(title=title, title_justify="left", box=None, pad_edge=False)
    for position, column in enumerate(columns):
        made.add_column(column, justify="right" if position else "left", no_wrap=True)
    return made
