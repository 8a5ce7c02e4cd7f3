"""Re-embedding: vectors of a second model beside those of a bank's embedding model."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from typing import TypeVar
from uuid import UUID

from pgvector import HalfVector  # type: ignore[import-untyped]

from memory_service.models.interface import Vectors
from memory_service.results import Reembedding, Verification
from memory_service.store.actor import acting
from memory_service.store.area import Area
from memory_service.store.records import record
from memory_service.types import StoredText

T = TypeVar("T")
BEGIN = StoredText("lesson", UUID(int=0), -1, "", "whole")
"""Sorts before every text."""


class Reembeddings(Area):
    async def start(self, bank_id: str, model_id: str, keep_days: int, verify_queries: int) -> bool:
        """False if the bank has this embedding model. Errors: NotFound, Conflict while it has vectors of a third."""
        return await self._database.value(
            "memory_api.start_reembedding",
            bank=bank_id,
            model=model_id,
            keep_days=keep_days,
            verify_queries=verify_queries,
            **acting(),
        )

    async def read(self, bank_id: str) -> Reembedding | None:
        row = await self._database.row("memory_api.read_reembedding", bank=bank_id)
        return None if row is None else record(Reembedding, row)

    async def texts(
        self, bank_id: str, page: int, after: StoredText | None = None, *, locks: bool = False
    ) -> list[StoredText]:
        """Texts without a vector of the other model, after the given one. `locks` takes the bank lock."""
        place = after or BEGIN
        return await self._records(
            StoredText,
            "memory_api.reembedding_texts",
            bank=bank_id,
            page=page,
            after_kind=place.kind,
            after_id=place.id,
            after_part=place.part,
            locks=locks,
        )

    async def write(
        self,
        bank_id: str,
        model_id: str,
        texts: Sequence[StoredText],
        places: Sequence[tuple[int, int]],
        vectors: Vectors,
    ) -> int:
        """Write vectors; the number of texts that had not changed. `places`: of each vector the text, from 0, and the
        part."""
        return await self._database.value(
            "memory_api.write_reembedding",
            bank=bank_id,
            model=model_id,
            texts=[
                {"kind": text.kind, "id": str(text.id), "part": text.part, "content": text.content}
                for text in texts
            ],
            of_texts=[text + 1 for text, _ in places],
            parts=[part for _, part in places],
            embeddings=[HalfVector(vector) for vector in vectors],
        )

    async def switch(self, bank_id: str, model_id: str) -> bool:
        """Make the other model the bank's embedding model; False where it is not whole."""
        return await self._database.value(
            "memory_api.switch_reembedding", bank=bank_id, model=model_id, **acting()
        )

    async def end(self, bank_id: str) -> bool:
        """Let the vectors of the model that the bank does not use be deleted; False where there are none."""
        return await self._database.value("memory_api.end_reembedding", bank=bank_id)

    async def drop_kept(self, bank_id: str, page: int, at: datetime) -> int:
        """Delete vectors of the former model whose time has ended; 0 where nothing is left."""
        return await self._database.value("memory_api.drop_kept_vectors", bank=bank_id, page=page, at=at)

    async def queries(self, bank_id: str, most: int) -> list[tuple[str, frozenset[UUID]]]:
        """Queries for a comparison, with the episodes that they should find."""
        rows = await self._database.rows("memory_api.verification_queries", bank=bank_id, most=most)
        return [(row["query"], frozenset(row["expected"])) for row in rows]

    async def nearest(self, bank_id: str, model_id: str, vector: Vectors, count: int) -> list[UUID]:
        """The nearest episodes by the vectors of one model."""
        return await self._database.value(
            "memory_api.nearest_by_model", bank=bank_id, model=model_id, query=HalfVector(vector), count=count
        )

    async def record_verification(self, bank_id: str, model_id: str, result: Verification) -> bool:
        return await self._database.value(
            "memory_api.record_verification", bank=bank_id, model=model_id, result=result
        )

    async def in_transaction(self, bank_id: str, call: Callable[[], Awaitable[T]]) -> T:
        """Await `call` with all its statements about a bank in one transaction."""
        return await self._database.in_transaction(call, bank=bank_id)
