"""What every model provider gives to the rest of the house."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from memory_service.types import Extractions, Segment, Usage

VECTOR_DIMENSIONS = 768
"""Every stored vector has this many: fewer are zero-padded, more are asked for as 768 (DESIGN §3)."""

Vectors = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Embeddings:
    """Unit vectors, float32 of shape (number of texts, 768), in the order of the texts."""

    vectors: Vectors
    usage: Usage | None = None
    """None where nothing is billed."""


class Embedder(Protocol):
    """Turns text into unit vectors of 768 dimensions.

    Errors: ProviderUnavailable (an outage), RequestRejected (these very texts), InvalidOutput (a count or
    a number that cannot be right).
    """

    @property
    def name(self) -> str:
        """The model's name: stored beside each vector, because vectors of different models do not mix."""
        ...

    def fits(self, text: str) -> bool:
        """Whether the model reads this text to its end; a longer one has to be split."""
        ...

    async def embed_documents(self, texts: Sequence[str]) -> Embeddings: ...

    async def embed_query(self, text: str) -> Embeddings: ...

    async def aclose(self) -> None: ...


class Extractor(Protocol):
    """Judges and summarizes segments: verdicts, summary, valence, emotions, features, facts (S2, S3, S4).

    Errors: as Embedder.
    """

    @property
    def name(self) -> str: ...

    async def extract(self, segments: Sequence[Segment]) -> Extractions: ...

    async def aclose(self) -> None: ...
