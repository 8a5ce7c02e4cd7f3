"""The HNSW index of large banks."""

from __future__ import annotations

from datetime import datetime

from memory_service.store.area import Area


class VectorIndex(Area):
    async def extend(
        self, bank_id: str, model_id: str, page: int, enter_above: int, at: datetime, *, dry_run: bool = False
    ) -> int:
        """Move up to `page` memories of a bank into the index or out of it; 0 where nothing is left to move.

        `enter_above` is in vectors. A dry run moves nothing and returns the number of vectors that would be moved.
        """
        return await self._database.value(
            "memory_api.extend_vector_index",
            bank=bank_id,
            model=model_id,
            page=page,
            enter_above=enter_above,
            at=at,
            dry_run=dry_run,
        )
