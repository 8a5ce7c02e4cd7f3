"""The local embedder: a sentence-embedding model on the CPU, without key and network."""

from __future__ import annotations

import asyncio
import hashlib
import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from pathlib import Path
from typing import TypeVar, cast

import numpy as np
from tokenizers import Tokenizer

from memory_service.errors import InvalidInput
from memory_service.models.built_model import BUILT_IN, built_model, source_folder
from memory_service.models.interface import VECTOR_DIMENSIONS, Embeddings, Vectors
from memory_service.models.sentence_model import (
    MAX_TOKENS,
    SentenceModel,
    length_batches,
    read_tokenizer,
)

EARLY_SECONDS = 5.0
"""Time after which a vector that was begun early and never requested is dropped."""
MOST_EARLY = 16
"""Texts that are embedded early at the same time."""

Result = TypeVar("Result")


class LocalEmbedder:
    """The built-in model in int8, or the model in `model_dir`; an interface.Embedder.

    `models_dir` caches the built model; `built_in` is its name, one of built_model.MODELS. `model_dir`, a folder with
    model.onnx and tokenizer.json, replaces it; its name is `local:<folder>-<hash>`. `threads` embed documents
    concurrently; default: the available processors, at most 4. The model is loaded on first use. Texts are truncated
    after `max_tokens`; callers split longer ones.
    Errors: InvalidInput naming MEMORY_LOCAL_MODEL_DIR, ModelError, InvalidOutput.
    """

    billed = False

    def __init__(
        self,
        models_dir: Path,
        *,
        built_in: str = BUILT_IN,
        model_dir: Path | None = None,
        threads: int | None = None,
    ) -> None:
        self._models_dir = models_dir
        self._built_in = built_in
        self._model_dir = model_dir
        self._threads = threads or min(4, _processors())
        self._loading = threading.Lock()
        self._model: SentenceModel | None = None
        # Queries have a separate thread and do not wait for documents. Concurrent runs of one thread each waste less
        # than runs of several threads, which wait for each other at every layer.
        self._documents = ThreadPoolExecutor(self._threads, thread_name_prefix="embed-documents")
        self._queries = ThreadPoolExecutor(1, thread_name_prefix="embed-query")
        self._early: dict[bytes, asyncio.Future[Vectors]] = {}
        """By digest of the text: no text is kept once it is embedded."""

    @property
    def name(self) -> str:
        return self._built_in if self._model_dir is None else self._folder_name

    @cached_property
    def _folder_name(self) -> str:
        folder = cast("Path", self._model_dir).resolve()
        return f"local:{folder.name}-{_fingerprint(folder)}"

    @cached_property
    def tokenizer(self) -> Tokenizer:
        """The model's own tokenizer, without truncation and padding."""
        return read_tokenizer(self._tokenizer_path())

    @property
    def max_tokens(self) -> int:
        """Most tokens of a text that the model reads, as counted by `count_tokens`."""
        return MAX_TOKENS - self.tokenizer.num_special_tokens_to_add(False)

    def count_tokens(self, text: str) -> int:
        """Tokens of the text without the special tokens that the model adds."""
        return len(self.tokenizer.encode(text, add_special_tokens=False).ids)

    def fits(self, text: str) -> bool:
        """Whether the text has at most `max_tokens` tokens."""
        return len(text) <= self.max_tokens or self.count_tokens(text) <= self.max_tokens

    async def load(self) -> None:
        """Load the model now, building it if necessary, instead of on first use."""
        await self._in(self._documents, self._loaded)

    def begin(self, texts: Sequence[str]) -> None:
        """Begin to embed texts that `embed_documents` will be called with soon, up to MOST_EARLY at the same time."""
        for text in texts[: MOST_EARLY - len(self._early)]:
            if (key := _digest(text)) not in self._early:
                loop = asyncio.get_running_loop()
                # No task: it would begin after the caller's next wait.
                begun = loop.run_in_executor(self._documents, self._embed_now, [text])
                self._early[key] = begun
                loop.call_later(EARLY_SECONDS, self._drop_early, key, begun)

    def drop(self, texts: Sequence[str]) -> None:
        """Drop texts that were begun: their memory is not to be embedded."""
        for key in map(_digest, texts):
            if (begun := self._early.get(key)) is not None:
                self._drop_early(key, begun)

    async def embed_documents(self, texts: Sequence[str]) -> Embeddings:
        """Unit vectors, float32 (len(texts), 768), in the order of the texts."""
        begun = [self._early.pop(_digest(text), None) for text in texts] if self._early else []
        if not any(begun):
            return Embeddings(await self._embed(self._documents, texts))
        left = [text for text, task in zip(texts, begun, strict=True) if task is None]
        embedded = iter(await self._embed(self._documents, left))
        rows = [next(embedded) if task is None else (await task)[0] for task in begun]
        return Embeddings(np.stack(rows))

    async def embed_query(self, text: str) -> Embeddings:
        """A unit vector, float32 (1, 768). The model embeds queries and documents alike."""
        return Embeddings(await self._embed(self._queries, [text]))

    async def aclose(self) -> None:
        """End the threads after their current call."""
        for key, begun in list(self._early.items()):
            self._drop_early(key, begun)
        for executor in (self._documents, self._queries):
            await asyncio.to_thread(executor.shutdown, cancel_futures=True)

    def _drop_early(self, key: bytes, begun: asyncio.Future[Vectors]) -> None:
        """Drop a vector that was begun early, unless it has been requested."""
        if self._early.get(key) is begun:
            del self._early[key]
            if not begun.cancel():
                begun.exception()  # retrieved: asyncio would log it

    async def _embed(self, executor: ThreadPoolExecutor, texts: Sequence[str]) -> Vectors:
        if len(texts) == 1:  # the live case: one turn of the thread
            return await self._in(executor, lambda: self._embed_now(texts))
        vectors = np.zeros((len(texts), VECTOR_DIMENSIONS), dtype=np.float32)
        if not texts:
            return vectors
        model = await self._in(executor, self._loaded)
        tokens = await self._in(executor, lambda: model.tokenize(texts))
        batches = length_batches(tokens)
        left = iter(batches)

        async def embed_rest() -> None:
            for batch in left:  # a job per batch: concurrent callers alternate, a cancelled one stops soon
                part = [tokens[index] for index in batch]
                vectors[batch] = await self._in(executor, lambda part=part: model.embed(part))

        tasks = [asyncio.create_task(embed_rest()) for _ in batches[: self._threads]]
        try:
            await asyncio.gather(*tasks)
        finally:
            for task in tasks:  # after an error the others are not needed
                task.cancel()
        return vectors

    def _embed_now(self, texts: Sequence[str]) -> Vectors:
        model = self._loaded()
        return model.embed(model.tokenize(texts))

    async def _in(self, executor: ThreadPoolExecutor, call: Callable[[], Result]) -> Result:
        return await asyncio.get_running_loop().run_in_executor(executor, call)

    def _loaded(self) -> SentenceModel:
        with self._loading:
            if self._model is None:
                model = (
                    self._model_dir / "model.onnx"
                    if self._model_dir
                    else built_model(self._models_dir, self._built_in)
                )
                self._model = SentenceModel(model, self._tokenizer_path(), 1)
            return self._model

    def _tokenizer_path(self) -> Path:
        return (self._model_dir or source_folder()) / "tokenizer.json"


def _processors() -> int:
    """Processors that this process may use; containers often allow fewer than the machine has."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


def _fingerprint(folder: Path) -> str:
    """Eight hex digits of the hash of model.onnx, its external data and tokenizer.json.

    Errors: InvalidInput naming the setting.
    """
    digest = hashlib.sha256()
    try:
        for path in [folder / "model.onnx", *sorted(folder.glob("model.onnx?*")), folder / "tokenizer.json"]:
            with path.open("rb") as file:
                digest.update(hashlib.file_digest(file, "sha256").digest())
    except OSError as error:
        problem = f"{folder} needs model.onnx and tokenizer.json: {error.strerror}"
        raise InvalidInput("MEMORY_LOCAL_MODEL_DIR", problem) from error
    return digest.hexdigest()[:8]
