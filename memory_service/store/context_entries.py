"""What a context prints beside its candidates: recent memories, norms, emotional thread and procedures."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import numpy as np

from memory_service.models.interface import Vectors
from memory_service.store.area import Area
from memory_service.store.database import at_time
from memory_service.store.records import record

UNDECIDED_LINES = 40
EPISODE_LINES = 20
REFUSED_LINES = 6
"""Rows of each kind that a context's RECENT section considers; six messages are a `snippet` segment."""


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


@dataclass(frozen=True, slots=True)
class RecentMemory:
    """A row of context_entries: an undecided or refused message, a recent important episode, a question, or the fact
    of a death, with the person's name."""

    kind: str
    id: UUID
    role: str | None
    name: str | None
    content: str
    occurred_at: datetime
    source: str | None
    facts: tuple[UUID, ...] = ()
    """The two facts of a question."""
    memory_id: UUID | None = None
    """The episode of the row, or the one made of its message."""


class ContextEntries(Area):
    async def of_person(
        self, bank_id: str, model_id: str, vector: Vectors | None, as_of: datetime | None
    ) -> list[PersonEntry]:
        """What a context may show of the person, unordered. Errors: NotFound."""
        return await self._records(
            PersonEntry,
            "memory_api.person_entries",
            bank=bank_id,
            model=model_id,
            query=None if vector is None else np.asarray(vector, dtype=np.float32),
            **at_time(as_of),
        )

    async def of_context(
        self,
        bank_id: str,
        model_id: str,
        vector: Vectors | None,
        conversation_id: str | None,
        valence: float | None,
        apart: float,
        as_of: datetime | None,
    ) -> tuple[list[RecentMemory], list[PersonEntry]]:
        """Candidates for a context's RECENT section, best first: undecided messages, important episodes, the last
        refused messages; then the open question to ask, if there is one, and the deaths.
        Episodes whose valence differs by more than
        `apart` from `valence` are left out. And what `of_person` returns. Errors: NotFound."""
        rows = await self._database.rows(
            "memory_api.context_entries",
            bank=bank_id,
            model=model_id,
            query=None if vector is None else np.asarray(vector, dtype=np.float32),
            conversation=conversation_id,
            undecided=UNDECIDED_LINES,
            episodes=EPISODE_LINES,
            refused=REFUSED_LINES,
            valence=valence,
            max_valence_difference=apart,
            historical=as_of is not None,
            **at_time(as_of),
        )
        recent = [record(RecentMemory, row) for row in rows if row["detail"] is None]
        return recent, [record(PersonEntry, row) for row in rows if row["detail"] is not None]
