"""Candidates: the query embedded, all arms asked in one SQL call; by words alone while its model is out of reach."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from datetime import datetime

import structlog

from memory_service.errors import InvalidInput, ModelError
from memory_service.inputs import Filters
from memory_service.models.interface import Vectors
from memory_service.models.registry import Models
from memory_service.recall.tracing import Timing
from memory_service.store import Store
from memory_service.types import Bank, Candidate

log = structlog.get_logger()

VISIBLE: dict[str, tuple[str, ...]] = {"passive": ("active",), "tool": ("active", "archived")}
"""Statuses that each mode sees (DESIGN §4)."""

QUERY_EMBEDDING_SECONDS = 10.0
CACHED_QUERIES = 1_000


class Candidates:
    """Finds what may answer a query, in any bank."""

    def __init__(self, store: Store, models: Models) -> None:
        self._store = store
        self._models = models
        self._queries: OrderedDict[tuple[str, str], Vectors] = OrderedDict()

    async def find(
        self,
        bank: Bank,
        text: str,
        fetch: int,
        mode: str,
        filters: Filters,
        as_of: datetime | None,
        timing: Timing,
    ) -> tuple[list[Candidate], bool]:
        """The candidates, and whether they were found by words alone because the query could not be embedded."""
        vector, degraded = None, False
        try:
            vector = await self._vector_of(bank.embedding_model, text)
        except (ModelError, InvalidInput, TimeoutError) as error:
            log.warning("recall degraded: no query embedding", bank_id=bank.bank_id, error=str(error))
            degraded = True
        timing.lap("embed")
        found = await self._store.retrieval.candidates(
            bank.bank_id, bank.embedding_model, vector, text, fetch, VISIBLE[mode], filters, as_of
        )
        timing.lap("search")
        return found, degraded

    async def _vector_of(self, model: str, text: str) -> Vectors:
        """The query's unit vector, from the cache where the same was asked lately."""
        key = (model, text)
        if key in self._queries:
            self._queries.move_to_end(key)
            return self._queries[key]
        embedder = self._models.embedder(model)
        answer = await asyncio.wait_for(embedder.embed_query(text), QUERY_EMBEDDING_SECONDS)
        self._queries[key] = answer.vectors[0]
        if len(self._queries) > CACHED_QUERIES:
            self._queries.popitem(last=False)
        return answer.vectors[0]
