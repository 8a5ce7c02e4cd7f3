"""Norms, emotional thread and procedures as a context shows them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import numpy as np

from memory_service.models.interface import Vectors
from memory_service.store.area import Area
from memory_service.store.database import at_time


@dataclass(frozen=True, slots=True)
class PersonEntry:
    """A row of memory_api.person_entries."""

    kind: str
    """`norm`, `thread` or `procedure`."""
    id: UUID
    content: str
    situation: str
    """Where a norm or procedure applies; empty: everywhere."""
    cosine: float | None
    """Similarity to the query, -1 to 1; None without a query vector."""
    occurred_at: datetime
    detail: dict[str, Any]


class Person(Area):
    async def entries(
        self, bank_id: str, model_id: str, vector: Vectors | None, as_of: datetime | None
    ) -> list[PersonEntry]:
        """What a context may show of the person, unordered. Errors: NotFound."""
        return await self._records(
            PersonEntry,
            "memory_api.person_entries",
            select="kind, id, content, situation, cosine, occurred_at, detail",
            bank=bank_id,
            model=model_id,
            query=None if vector is None else np.asarray(vector, dtype=np.float32),
            historical=as_of is not None,
            **at_time(as_of),
        )
