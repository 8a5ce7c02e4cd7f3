"""Re-embedding: give the texts of a bank vectors of another model beside the old ones, then switch the bank.

Nothing is remembered but which vectors are there: a process that is killed leaves whole texts behind, and the next one
continues with those that lack a vector. Writers that change a text delete its vector of the other model.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Literal

from memory_service.config import Settings
from memory_service.features import features_of
from memory_service.intake.embed import SENTENCE, pieces
from memory_service.intake.embedding import embed_texts, embedder_of
from memory_service.intake.model_calls import ModelCalls
from memory_service.models.interface import Embedder
from memory_service.models.registry import Models
from memory_service.results import Reembedding, Verification
from memory_service.store import Store
from memory_service.types import StoredText

PAGE = 32
"""Texts of one embedding call, and of one transaction, which locks the bank for writers."""
INDEX_PAGE = 100
"""Memories that one transaction copies into the HNSW index, as in jobs/vector_index.py."""
DEPTH = 10
"""Results of a query in a verification: recall@10."""
LEAST_SHARE = 0.95
"""Share of the old model's recall that the new one must reach in a verification."""

End = Literal["switched", "refused", "unfinished", "none"]
"""`refused`: the verification found less; `unfinished`: the time was up; `none`: the bank is not being re-embedded."""


class Reembedder:
    """Continues the re-embedding of banks. Errors: as Embedder; TokenLimitReached of a billed one."""

    def __init__(self, store: Store, models: Models, settings: Settings, calls: ModelCalls) -> None:
        self._store = store.reembeddings
        self._banks = store.banks
        self._index = store.vector_index
        self._models = models
        self._settings = settings
        self._calls = calls

    async def run(self, bank_id: str, *, share: float, seconds: float | None = None) -> End:
        """Copy, compare and switch a bank. `share`: the share of the time that it works, else it pauses; `seconds`: the
        longest duration."""
        state = await self._store.read(bank_id)
        if state is None or state.status != "copying":
            return "none"
        embedder = embedder_of(self._models, state.other_model)
        pause = Pause(share, seconds)
        while True:
            if not await self._copy(bank_id, embedder, pause) or not await self._copy_index(
                bank_id, embedder.name, pause
            ):
                return "unfinished"
            if state.verify_queries and not await self._passes(bank_id, state, embedder):
                return "refused"
            if await self._store.in_transaction(bank_id, lambda: self._switch(bank_id, embedder)):
                return "switched"
            state = await self._store.read(bank_id)
            if state is None or state.status != "copying" or state.other_model != embedder.name:
                return "none"

    async def _copy(self, bank_id: str, embedder: Embedder, pause: Pause) -> bool:
        """Embed all texts that lack a vector, in their order; False where the time was up.

        Ends with the first page that is not full: writers may add texts faster than any end is reached.
        """
        texts: list[StoredText] = []
        while texts := await self._store.texts(bank_id, PAGE, texts[-1] if texts else None):
            await self._embed(bank_id, embedder, texts)
            if await pause.ends():
                return False
            if len(texts) < PAGE:
                break
        return True

    async def _embed(self, bank_id: str, embedder: Embedder, texts: Sequence[StoredText]) -> None:
        bank = await self._banks.read(bank_id)
        limit = features_of(bank.settings, self._settings).daily_tokens
        split = [
            (n, text.part + place, piece)
            for n, text in enumerate(texts)
            for place, piece in enumerate(vectors_for(text, embedder))
        ]
        vectors = await embed_texts(self._calls, embedder, bank_id, limit, [piece for _, _, piece in split])
        await self._store.write(
            bank_id, embedder.name, texts, [(text, part) for text, part, _ in split], vectors
        )

    async def _copy_index(self, bank_id: str, model_id: str, pause: Pause) -> bool:
        """Copy a large bank's new vectors into the HNSW index; False where the time was up."""
        enter_above = self._settings.vector_index_from
        while await self._index.extend(bank_id, model_id, INDEX_PAGE, enter_above, datetime.now(UTC)):
            if await pause.ends():
                return False
        return True

    async def _switch(self, bank_id: str, embedder: Embedder) -> bool:
        """Embed the texts written since, while writers wait, and switch; False where these are more than a page."""
        texts = await self._store.texts(bank_id, PAGE, locks=True)
        if len(texts) == PAGE:
            return False
        if texts:
            await self._embed(bank_id, embedder, texts)
        return await self._store.switch(bank_id, embedder.name)

    async def _passes(self, bank_id: str, state: Reembedding, embedder: Embedder) -> bool:
        """Whether the new model's recall is about that of the old one; compared once."""
        verified = state.verified
        if verified is None:
            used = embedder_of(self._models, state.embedding_model)
            verified = await self._compare(bank_id, state.verify_queries, used, embedder)
            await self._store.record_verification(bank_id, embedder.name, verified)
        return verified["other_model"] >= LEAST_SHARE * verified["embedding_model"]

    async def _compare(self, bank_id: str, most: int, used: Embedder, other: Embedder) -> Verification:
        """Recall@10 of the same queries by each model's vectors."""
        queries = await self._store.queries(bank_id, most)
        found = {"used": 0.0, "other": 0.0, "shared": 0.0}
        for query, expected in queries:
            nearest: list[set[object]] = []
            for name, embedder in (("used", used), ("other", other)):
                answer = await embedder.embed_query(query)
                ids = await self._store.nearest(bank_id, embedder.name, answer.vectors[0], DEPTH)
                found[name] += len(expected & set(ids)) / min(DEPTH, len(expected))
                nearest.append(set(ids))
            found["shared"] += len(nearest[0] & nearest[1]) / max(1, len(nearest[0]))
        number = max(1, len(queries))
        return {
            "queries": len(queries),
            "embedding_model": round(found["used"] / number, 4),
            "other_model": round(found["other"] / number, 4),
            "shared": round(found["shared"] / number, 4),
        }


class Pause:
    """Rests after each piece of work, so that a share of the time is worked, until the time is up."""

    def __init__(self, share: float, seconds: float | None) -> None:
        self._factor = 1 / share - 1
        self._began = self._last = time.monotonic()
        self._seconds = seconds

    async def ends(self) -> bool:
        """Pause; whether the time is up."""
        await asyncio.sleep((time.monotonic() - self._last) * self._factor)
        self._last = time.monotonic()
        return self._seconds is not None and self._last - self._began > self._seconds


def vectors_for(text: StoredText, embedder: Embedder) -> list[str]:
    """The texts whose vectors find a stored text."""
    if text.form == "whole":
        return [text.content]
    parts = [text.content, *SENTENCE.split(text.content)] if text.form == "sentences" else [text.content]
    return [piece for part in dict.fromkeys(parts) for piece in pieces(part, embedder.fits)]
