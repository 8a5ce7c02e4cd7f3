"""Relational pass: norms, style and sensitivity from episodes that no worker has counted, and the phase by time."""

from __future__ import annotations

from memory_service.features import features_of
from memory_service.intake.embedding import vectors_of
from memory_service.jobs.command import main
from memory_service.jobs.passes import Outcome, PassContext
from memory_service.types import Bank


class Relational:
    """Runs what the worker runs after every tenth exchange; a relationship's phase also changes by silence."""

    name = "relational"

    async def run(self, bank: Bank, context: PassContext) -> Outcome:
        outcome = Outcome()
        if context.dry_run or not features_of(bank.settings, context.settings).relational:
            return outcome
        store = context.store.relational
        written = await store.update(bank.bank_id, at=context.at)
        outcome.counts["relational_updates"] += written or 0
        texts = await store.to_embed(bank.bank_id)
        embedder = context.models.embedder(bank.embedding_model)
        if texts and not embedder.billed:  # the worker embeds with a billed model, within the daily limit
            vectors, _ = await vectors_of(embedder, [text.text for text in texts])
            await store.embed(bank.bank_id, texts, vectors)
        return outcome


if __name__ == "__main__":
    main([Relational()])
