"""Confidence pass: evidence and conflicts found by vector search, pair judging, deprecation of facts that have decayed.

The confidence of a fact is computed from its evidence and conflicts whenever these change, and decays by a formula that
is applied on reading (docs/design.md, "Confidence"). Nothing is compounded: a run that finds nothing changes nothing.
"""

from __future__ import annotations

from memory_service.errors import InvalidOutput, ProviderUnavailable, RequestRejected
from memory_service.features import features_of
from memory_service.intake.model_calls import TokenLimitReached
from memory_service.intake.pair_judging import PairJudging
from memory_service.jobs.command import main
from memory_service.jobs.passes import Change, Outcome, PassContext
from memory_service.types import Bank

BATCH = 100
"""New episodes, and changed facts, of one transaction, which locks the bank for writers."""
FACTS_PER_CALL = 32
"""Facts whose undecided pairs share a call."""


class Confidence:
    """Finds evidence and conflicts, judges undecided pairs, deprecates facts that have decayed."""

    name = "confidence"

    async def run(self, bank: Bank, context: PassContext) -> Outcome:
        outcome = Outcome()
        await self._find_evidence(bank, context, outcome)
        await self._find_conflicts(bank, context, outcome)
        # Before the deprecation, which depends on its results.
        await self._judge_pairs(bank, context, outcome)
        await self._deprecate(bank, context, outcome)
        return outcome

    async def _find_evidence(self, bank: Bank, context: PassContext, outcome: Outcome) -> None:
        most = None if context.dry_run else BATCH
        while True:
            found = await context.store.fact_upkeep.find_evidence(
                bank.bank_id, bank.embedding_model, most, context.at, dry_run=context.dry_run
            )
            outcome.counts["compared"] += found.scanned
            outcome.counts["evidence"] += len(found.pairs)
            if context.dry_run:
                outcome.changes += [
                    Change(fact, "semantic", "evidence", f"said in {episode}")
                    for fact, episode in found.pairs
                ]
            if (
                most is None or found.scanned < most
            ):  # neither episodes nor facts filled the batch: none are left
                return

    async def _find_conflicts(self, bank: Bank, context: PassContext, outcome: Outcome) -> None:
        found = await context.store.fact_upkeep.find_conflicts(
            bank.bank_id, bank.embedding_model, context.at, dry_run=context.dry_run
        )
        outcome.counts["conflicts"] += len(found)
        if context.dry_run:
            for one, other, rule in found:
                outcome.changes.append(Change(one, "semantic", "halve", f"{rule}: against {other}"))
                outcome.changes.append(Change(other, "semantic", "halve", f"{rule}: against {one}"))

    async def _judge_pairs(self, bank: Bank, context: PassContext, outcome: Outcome) -> None:
        """Judge the undecided pairs that the step `judge` left: no language model was available or the limit
        reached."""
        features = features_of(bank.settings, context.settings)
        model = context.models.language_model() if features.language_model else None
        if model is None or context.dry_run:
            return
        judging = PairJudging(context.store, context.calls)
        while facts := await context.store.fact_upkeep.unjudged(bank.bank_id, FACTS_PER_CALL):
            fact_ids = [fact_id for fact_id, _ in facts]
            try:
                judged = await judging.judge(
                    model, bank.bank_id, features.daily_tokens, fact_ids, isolate=True
                )
            except (InvalidOutput, RequestRejected):
                outcome.counts["unusable"] += 1
                return
            except ProviderUnavailable:
                outcome.counts["model_unavailable"] += 1
                return
            except TokenLimitReached:
                outcome.counts["cap_reached"] += 1
                return
            if judged:  # a call takes the nearest pairs only: these facts may have more
                outcome.counts["judged"] += await context.store.fact_pairs.record_decisions(
                    bank.bank_id, judged, at=context.at
                )
            else:
                await context.store.fact_upkeep.mark_judged(bank.bank_id, facts)

    async def _deprecate(self, bank: Bank, context: PassContext, outcome: Outcome) -> None:
        faded = await context.store.fact_upkeep.fade(bank.bank_id, context.at, dry_run=context.dry_run)
        outcome.counts["deprecated"] += len(faded)
        if context.dry_run:
            outcome.changes += [Change(fact, "semantic", "deprecate", "faded") for fact in faded]


if __name__ == "__main__":
    main([Confidence()])
