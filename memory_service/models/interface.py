"""What every model provider gives to the rest of the house."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, cast

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel

from memory_service.errors import InvalidOutput
from memory_service.types import Extractions, Purpose, Segment, Usage

VECTOR_DIMENSIONS = 768
"""Every stored vector has this many: fewer are zero-padded, more are asked for as 768 (DESIGN §3)."""

CHARACTERS_PER_TOKEN = 4
"""An estimate for where a provider does not count: no tokenizer of its models is there offline."""

Vectors = NDArray[np.float32]
Afford = Callable[[int], Awaitable[bool]]
"""Whether there are so many tokens left for another call."""


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

    @property
    def billed(self) -> bool:
        """Whether its calls cost tokens that somebody counts."""
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

    async def extract(self, segments: Sequence[Segment], *, afford: Afford | None = None) -> Extractions:
        """One extraction per segment, in their order. `afford` says whether there are tokens left for a repair call."""
        ...

    async def aclose(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Task:
    """One kind of question to a language model: its name in the ledger, what the model is told, and the form of its
    answer."""

    purpose: Purpose
    instructions: str
    form: type[BaseModel]


@dataclass(frozen=True, slots=True)
class Reply:
    """The text of a model's answer, the tokens that went in, and those that came out, thinking included."""

    text: str
    input_tokens: int
    output_tokens: int


class LanguageModel(Protocol):
    """Answers questions in JSON. The form only shapes the answer: whoever asks checks it (structured.answered).

    Errors: ProviderUnavailable, RequestRejected.
    """

    @property
    def name(self) -> str: ...

    async def ask(self, task: Task, texts: Sequence[str]) -> Reply:
        """Send the user's messages, in their order, under the instructions of the task."""
        ...

    async def aclose(self) -> None: ...


def estimated_tokens(text: str) -> int:
    """About how many tokens a text has, at least one."""
    return max(1, math.ceil(len(text) / CHARACTERS_PER_TOKEN))


def unit_vectors(model: str, values: Sequence[Sequence[float]]) -> Vectors:
    """What a provider answered, as float32 (texts, 768): zero-padded where shorter, L2-normalized always.

    All of `values` are equally long, at most 768. Errors: InvalidOutput when a vector is zero or not finite.
    """
    given = np.array(values, dtype=np.float64)
    norms = np.linalg.norm(given, axis=1, keepdims=True)
    if not np.isfinite(norms).all() or not norms.all():
        raise InvalidOutput(f"{model}: a vector that is zero or not finite")
    vectors = np.zeros((len(given), VECTOR_DIMENSIONS), dtype=np.float32)
    vectors[:, : given.shape[1]] = given / norms
    return cast("Vectors", vectors)
