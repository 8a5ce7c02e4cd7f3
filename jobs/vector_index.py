"""Vector index: large banks are copied into the HNSW index, banks that have shrunk are removed from it.

A bank enters with more than `vector_index_from` vectors and leaves below half of that. Recalls use the index once all
vectors are in it; until then they compare every vector. Writers go on between the pages.
"""

from __future__ import annotations

from memory_service.jobs.passes import Night, Outcome
from memory_service.jobs.runner import main
from memory_service.types import Bank

PAGE = 100
"""Memories of one transaction: 0.3 to 0.5 s, during which the bank's writers wait."""


class VectorIndex:
    """The last pass of the night: what the others have deleted is not copied."""

    name = "vector_index"

    async def run(self, bank: Bank, night: Night) -> Outcome:
        outcome = Outcome()
        store, enter_above = night.store.vector_index, night.settings.vector_index_from
        while moved := await store.extend(
            bank.bank_id, bank.embedding_model, PAGE, enter_above, night.at, dry_run=night.dry_run
        ):
            outcome.counts["vectors_moved"] += moved
            if night.dry_run:
                break
        return outcome


if __name__ == "__main__":
    main([VectorIndex()])
