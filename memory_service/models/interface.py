"""Interfaces of model providers: Embedder, Extractor, LanguageModel."""

from __future__ import annotations

import math
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, cast, runtime_checkable

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel

from memory_service.errors import InvalidOutput
from memory_service.types import Extractions, Purpose, Segment, Usage

VECTOR_DIMENSIONS = 768
"""Dimensions of every stored vector: shorter vectors are zero-padded, models with more are requested to return 768."""

CHARACTERS_PER_TOKEN = 4
"""Estimate where a provider reports no token count: the tokenizers of its models are not available offline."""

Vectors = NDArray[np.float32]
Afford = Callable[[int], Awaitable[bool]]
"""Returns whether the daily token limit leaves room for another call of so many tokens."""


@dataclass(frozen=True, slots=True)
class Embeddings:
    """Unit vectors, float32 of shape (number of texts, 768), in the order of the texts."""

    vectors: Vectors
    usage: Usage | None = None
    """None for a model that is not billed."""


class Embedder(Protocol):
    """Embeds texts as unit vectors of 768 dimensions.

    Errors: ProviderUnavailable (outage), RequestRejected (the provider refuses these texts), InvalidOutput (a wrong
    number of vectors or an invalid value).
    """

    @property
    def name(self) -> str:
        """The model's name, stored with each vector: vectors of different models are not comparable."""
        ...

    @property
    def billed(self) -> bool:
        """Whether its calls count towards the daily token limit."""
        ...

    def fits(self, text: str) -> bool:
        """Whether the text is within the model's input limit; a longer one must be split."""
        ...

    async def embed_documents(self, texts: Sequence[str]) -> Embeddings: ...

    async def embed_query(self, text: str) -> Embeddings: ...

    async def aclose(self) -> None: ...


@runtime_checkable
class EarlyEmbedder(Embedder, Protocol):
    """An embedder that can begin before it is called: one that runs here and is not billed."""

    def begin(self, texts: Sequence[str]) -> None:
        """Begin to embed texts that `embed_documents` will be called with soon. Keeps their vectors for seconds only,
        and no text."""
        ...

    def drop(self, texts: Sequence[str]) -> None:
        """Drop texts that were begun: their memory is not to be embedded."""
        ...


class Extractor(Protocol):
    """Gates and summarizes segments: verdicts, summary, valence, emotions, features, facts. Errors: as Embedder."""

    @property
    def name(self) -> str: ...

    async def extract(self, segments: Sequence[Segment], *, afford: Afford | None = None) -> Extractions:
        """One extraction per segment, in their order. `afford` allows or denies a repair call."""
        ...

    async def aclose(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Task:
    """A kind of structured call: its purpose in `model_call`, the system instructions and the schema of the answer."""

    purpose: Purpose
    instructions: str
    form: type[BaseModel]


@dataclass(frozen=True, slots=True)
class Reply:
    """The text of a model's answer, its input tokens, and its output tokens including thinking."""

    text: str
    input_tokens: int
    output_tokens: int


class LanguageModel(Protocol):
    """Answers prompts in JSON. The schema is a request only: callers validate the answer (structured.ask_structured).

    Errors: ProviderUnavailable, RequestRejected.
    """

    @property
    def name(self) -> str: ...

    async def ask(self, task: Task, texts: Sequence[str]) -> Reply:
        """Send user messages, in their order, with the instructions of the task."""
        ...

    async def aclose(self) -> None: ...


def estimated_tokens(text: str) -> int:
    """Estimated tokens of a text, at least 1."""
    return max(1, math.ceil(len(text) / CHARACTERS_PER_TOKEN))


async def embed_in_requests(
    model: str,
    texts: Sequence[str],
    most: int,
    request: Callable[[Sequence[str]], Awaitable[tuple[Vectors, int]]],
) -> Embeddings:
    """Embed texts by requests of at most `most` texts, each of which returns unit vectors and its tokens."""
    started = time.perf_counter()
    vectors = np.zeros((len(texts), VECTOR_DIMENSIONS), dtype=np.float32)
    tokens = 0
    for start in range(0, len(texts), most):
        part = texts[start : start + most]
        vectors[start : start + len(part)], used = await request(part)
        tokens += used
    seconds = time.perf_counter() - started
    return Embeddings(vectors, Usage(model, "embed", tokens, 0, seconds) if texts else None)


def unit_vectors(model: str, values: Sequence[Sequence[float]]) -> Vectors:
    """A provider's vectors as float32 of shape (texts, 768), zero-padded and L2-normalized.

    All of `values` have the same length, at most 768. Errors: InvalidOutput when a vector is zero or not finite.
    """
    given = np.array(values, dtype=np.float64)
    norms = np.linalg.norm(given, axis=1, keepdims=True)
    if not np.isfinite(norms).all() or not norms.all():
        raise InvalidOutput(f"{model}: a vector that is zero or not finite")
    vectors = np.zeros((len(given), VECTOR_DIMENSIONS), dtype=np.float32)
    vectors[:, : given.shape[1]] = given / norms
    return cast("Vectors", vectors)
