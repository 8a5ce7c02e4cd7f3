"""Procedures pass: lessons that several episodes teach become procedures.

Each lesson is embedded once and compared once (memory_api.learn_lessons), so that a run that finds nothing new changes
nothing. Habits, routines and skills are written at intake (memory_service/intake/procedures.py).
"""

from __future__ import annotations

from memory_service.errors import ModelError
from memory_service.features import features_of
from memory_service.intake.embedding import embed_texts, embedder_of
from memory_service.intake.model_calls import TokenLimitReached
from memory_service.jobs.command import main
from memory_service.jobs.passes import Change, Outcome, PassContext
from memory_service.types import Bank

BATCH = 100
"""Lessons of one embedding call, and of one transaction, which locks the bank for writers."""


class Procedures:
    """Embeds new lessons, then compares them."""

    name = "procedures"

    async def run(self, bank: Bank, context: PassContext) -> Outcome:
        outcome = Outcome()
        if context.dry_run:
            lessons = await context.store.procedures.read_lessons(bank.bank_id, bank.embedding_model, BATCH)
            outcome.counts["lessons"] += len(lessons)
            outcome.changes += [
                Change(episode, "episodic", "compare", "its lesson is new") for episode, _ in lessons
            ]
            return outcome
        await self._embed(bank, context, outcome)
        await self._learn(bank, context, outcome)
        return outcome

    async def _embed(self, bank: Bank, context: PassContext, outcome: Outcome) -> None:
        """Embed the lessons that have no vector of the bank's model; the rest is left where that is unavailable."""
        store, model_id = context.store.procedures, bank.embedding_model
        daily_tokens = features_of(bank.settings, context.settings).daily_tokens
        while lessons := await store.read_lessons(bank.bank_id, model_id, BATCH):
            texts = [lesson for _, lesson in lessons]
            try:
                embedder = embedder_of(context.models, model_id)
                vectors = await embed_texts(context.calls, embedder, bank.bank_id, daily_tokens, texts)
            except TokenLimitReached:
                outcome.counts["cap_reached"] += 1
                outcome.left = True
                return
            except ModelError:
                outcome.counts["model_unavailable"] += 1
                outcome.left = True
                return
            await store.write_lesson_vectors(bank.bank_id, model_id, lessons, vectors)
            outcome.counts["lessons"] += len(lessons)

    async def _learn(self, bank: Bank, context: PassContext, outcome: Outcome) -> None:
        store = context.store.procedures
        while True:
            learned = await store.learn_lessons(bank.bank_id, bank.embedding_model, BATCH, context.at)
            outcome.counts["learned"] += len(learned.created)
            outcome.counts["reinforced"] += len(learned.reinforced)
            if learned.compared < BATCH:
                return


if __name__ == "__main__":
    main([Procedures()])
