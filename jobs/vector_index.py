"""Vector index pass: copy large banks into the HNSW index, remove banks that have shrunk from it.

A bank enters with more than `vector_index_from` vectors and leaves below half of that. Recall uses the index once it
holds all vectors of the bank, and an exact scan before. Writers are not blocked between two pages.
"""

from __future__ import annotations

from memory_service.jobs.command import main
from memory_service.jobs.passes import Outcome, PassContext
from memory_service.types import Bank

PAGE = 100
"""Memories of one transaction: 0.3 to 0.5 s, during which the bank's writers wait."""


class VectorIndex:
    """The last pass, since memories that another pass deletes need not be copied."""

    name = "vector_index"

    async def run(self, bank: Bank, context: PassContext) -> Outcome:
        outcome = Outcome()
        store, enter_above = context.store.vector_index, context.settings.vector_index_from
        while moved := await store.extend(
            bank.bank_id, bank.embedding_model, PAGE, enter_above, context.at, dry_run=context.dry_run
        ):
            outcome.counts["vectors_moved"] += moved
            if context.dry_run:
                break
        return outcome


if __name__ == "__main__":
    main([VectorIndex()])
