"""Scripted models: deterministic, with failures set by a test."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from memory_service.memory import Memory
from memory_service.models.interface import Embeddings
from memory_service.rules.extractor import RulesExtractor
from memory_service.types import Extractions, Segment, Usage

Fault = Callable[[Sequence[str]], Exception | None]


def no_fault(_: Sequence[str]) -> Exception | None:
    return None


class ScriptedEmbedder:
    """Vectors from the characters of a text; `fault` sees the texts of each call and may answer with an error.

    Where it is `billed`, a text costs ten tokens.
    """

    name = "scripted"
    billed = False

    def fits(self, text: str) -> bool:
        return len(text) <= 2_000

    def __init__(self, fault: Fault = no_fault) -> None:
        self.fault = fault
        self.calls: list[list[str]] = []

    async def embed_documents(self, texts: Sequence[str]) -> Embeddings:
        self.calls.append(list(texts))
        error = self.fault(texts)
        if error is not None:
            raise error
        vectors = np.zeros((len(texts), 768), dtype=np.float32)
        for row, text in enumerate(texts):
            for character in text.lower():
                vectors[row, ord(character) % 768] += 1
        usage = Usage(self.name, "embed", 10 * len(texts)) if self.billed else None
        return Embeddings(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), usage)

    async def embed_query(self, text: str) -> Embeddings:
        return await self.embed_documents([text])

    async def aclose(self) -> None:
        return


class ScriptedExtractor:
    """The rules, as if a billed model had answered; `fault` sees the first words of each segment."""

    name = "scripted"

    def __init__(self, fault: Fault = no_fault) -> None:
        self.fault = fault
        self.calls: list[list[str]] = []
        self._rules = RulesExtractor()

    async def extract(self, segments: Sequence[Segment], **options: object) -> Extractions:
        said = [segment.utterances[0].content for segment in segments]
        self.calls.append(said)
        error = self.fault(said)
        if error is not None:
            raise error
        answer = await self._rules.extract(segments)
        return Extractions(answer.items, Usage(self.name, "extract", 100 * len(said), 10 * len(said), 0.5))

    async def aclose(self) -> None:
        return


def script(
    memory: Memory, embedder: ScriptedEmbedder | None = None, extractor: ScriptedExtractor | None = None
) -> None:
    """Make this Memory's models the scripted ones; banks made from now on use them."""
    models = memory.models
    if embedder is not None:
        models.embedder = lambda name=None: embedder  # type: ignore[method-assign]
    if extractor is not None:
        models.extractor = lambda: extractor  # type: ignore[method-assign]
