"""How sure facts are, at night (S1 6.2): evidence that nobody heard as such, contradictions that nobody saw, and what
has faded too far.

A fact's confidence is worked out from what is known of it whenever that changes, and fades by a formula that every
reader applies: nothing is compounded here, and a night on which nothing was found changes nothing.
"""

from __future__ import annotations

from memory_service.errors import InvalidOutput, ProviderUnavailable, RequestRejected
from memory_service.features import features_of
from memory_service.intake.pair_judging import Doubts
from memory_service.jobs.passes import Act, Night, Outcome
from memory_service.jobs.runner import main
from memory_service.types import Bank

BATCH = 100
"""New episodes, and changed facts, of one transaction: while it lasts, the bank is written by nobody else."""


DOUBTS = 32
"""Facts whose doubts share a call."""


class Confidence:
    """Evidence by vector search, conflicts between facts that are surely both believed, what a language model says of
    pairs that rules cannot judge, and deprecation."""

    name = "confidence"

    async def run(self, bank: Bank, night: Night) -> Outcome:
        outcome = Outcome()
        await self._find_evidence(bank, night, outcome)
        await self._find_conflicts(bank, night, outcome)
        # Before anything is given up: what a model finds counts for it.
        await self._judge_doubts(bank, night, outcome)
        await self._fade(bank, night, outcome)
        return outcome

    async def _find_evidence(self, bank: Bank, night: Night, outcome: Outcome) -> None:
        most = None if night.dry_run else BATCH
        while True:
            found = await night.store.nights.find_evidence(
                bank.bank_id, bank.embedding_model, most, night.at, dry_run=night.dry_run
            )
            outcome.counts["compared"] += found.looked
            outcome.counts["evidence"] += len(found.pairs)
            if night.dry_run:
                outcome.acts += [
                    Act(fact, "semantic", "evidence", f"said in {episode}") for fact, episode in found.pairs
                ]
            if most is None or found.looked < most:  # of either kind less than a batch: that was the last
                return

    async def _find_conflicts(self, bank: Bank, night: Night, outcome: Outcome) -> None:
        found = await night.store.nights.find_conflicts(
            bank.bank_id, bank.embedding_model, night.at, dry_run=night.dry_run
        )
        outcome.counts["conflicts"] += len(found)
        if night.dry_run:
            for one, other, rule in found:
                outcome.acts.append(Act(one, "semantic", "halve", f"{rule}: against {other}"))
                outcome.acts.append(Act(other, "semantic", "halve", f"{rule}: against {one}"))

    async def _judge_doubts(self, bank: Bank, night: Night, outcome: Outcome) -> None:
        """What could contradict and no rule can judge, where a language model was not there, or not asked, when the
        facts were new."""
        features = features_of(bank.settings, night.settings)
        model = night.models.language_model() if features.language_model else None
        if model is None or night.dry_run:
            return
        doubts = Doubts(night.store, night.ledger)
        while facts := await night.store.nights.doubted(bank.bank_id, DOUBTS):
            try:
                found = await doubts.judged(
                    model, bank.bank_id, features.daily_tokens, [fact for fact, _ in facts], alone=True
                )
            except (InvalidOutput, RequestRejected):
                outcome.counts["unusable"] += 1
                return
            except ProviderUnavailable:
                outcome.counts["model_unavailable"] += 1
                return
            if found is None:
                outcome.counts["cap_reached"] += 1
                return
            if found:  # there may be more of these
                outcome.counts["judged"] += await night.store.pairs.judge(bank.bank_id, found, at=night.at)
            else:
                await night.store.nights.mark_doubts(bank.bank_id, facts)

    async def _fade(self, bank: Bank, night: Night, outcome: Outcome) -> None:
        faded = await night.store.nights.fade(bank.bank_id, night.at, dry_run=night.dry_run)
        outcome.counts["deprecated"] += len(faded)
        if night.dry_run:
            outcome.acts += [Act(fact, "semantic", "deprecate", "faded") for fact in faded]


if __name__ == "__main__":
    main([Confidence()])
