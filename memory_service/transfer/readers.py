"""The files that `memory-service import` reads, by the product that wrote them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from memory_service.transfer.chatgpt import chatgpt_parts
from memory_service.transfer.claude import claude_parts
from memory_service.transfer.parts import Part
from memory_service.transfer.transcripts import transcript_parts

READERS: dict[str, Callable[[Path], Iterator[Part]]] = {
    "jsonl": transcript_parts,
    "chatgpt": chatgpt_parts,
    "claude": claude_parts,
}
"""JSON lines include LoCoMo files."""
