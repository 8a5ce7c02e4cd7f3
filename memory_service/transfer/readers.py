"""The files that `memory-service import` reads, by the product that wrote them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from memory_service.errors import InvalidInput
from memory_service.transfer import mem0, notes
from memory_service.transfer.chatgpt import chatgpt_parts
from memory_service.transfer.claude import claude_parts
from memory_service.transfer.graphiti import graphiti_parts
from memory_service.transfer.parts import Part
from memory_service.transfer.transcripts import transcript_parts

READERS: dict[str, Callable[[Path], Iterator[Part]]] = {
    "jsonl": transcript_parts,
    "chatgpt": chatgpt_parts,
    "claude": claude_parts,
    "graphiti": graphiti_parts,
}
"""JSON lines include LoCoMo files."""
PRODUCTS = (*READERS, mem0.PRODUCT, notes.PRODUCT)


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """Options that only some products have."""

    table: str | None = None
    """Of mem0: name of its table, with its schema if that is not in the search path."""
    user: str | None = None
    """Of mem0: the user_id of the memories to read."""
    date: datetime | None = None
    """Of notes: when they were written."""


def read_parts(product: str, source: str, options: ReadOptions) -> Iterator[Part]:
    """The parts of a file, or of the database with the URL `source`. Errors: InvalidInput naming the field."""
    for name, of in (("table", mem0.PRODUCT), ("user", mem0.PRODUCT), ("date", notes.PRODUCT)):
        if getattr(options, name) is not None and product != of:
            raise InvalidInput(f"--{name}", f"is for --from {of} only")
    if product == mem0.PRODUCT:
        return mem0.mem0_parts(source, options.table, options.user)
    if product == notes.PRODUCT:
        return notes.notes_parts(Path(source), options.date)
    return READERS[product](Path(source))
