"""Re-embedding pass: continue an interrupted re-embedding, delete the former model's vectors when their time is up.

`memory-service reembed` begins one (docs/reembedding.md).
"""

from __future__ import annotations

from memory_service.errors import ModelError
from memory_service.intake.model_calls import TokenLimitReached
from memory_service.intake.reembed import Reembedder
from memory_service.jobs.command import main
from memory_service.jobs.passes import Outcome, PassContext
from memory_service.types import Bank

SHARE = 0.5
SECONDS = 900.0
"""Longest work on one bank in one run; the rest follows an hour later."""
PAGE = 500
"""Memories whose vectors one transaction deletes, during which the bank's writers wait."""


class Reembed:
    """After the passes that write texts; before the index, which leaves a removed model's vectors to this one."""

    name = "reembed"

    async def run(self, bank: Bank, context: PassContext) -> Outcome:
        outcome = Outcome()
        state = await context.store.reembeddings.read(bank.bank_id)
        if state is None:
            return outcome
        if state.keep_until is not None:
            if state.keep_until <= context.at:
                if context.dry_run:
                    outcome.counts["texts_dropped"] = state.other_texts
                    return outcome
                while dropped := await context.store.reembeddings.drop_kept(bank.bank_id, PAGE, context.at):
                    outcome.counts["vectors_dropped"] += dropped
            return outcome
        outcome.counts["texts_left"] = max(0, state.texts - state.other_texts)
        if context.dry_run:
            return outcome
        reembedder = Reembedder(context.store, context.models, context.settings, context.calls)
        try:
            end = await reembedder.run(bank.bank_id, share=SHARE, seconds=SECONDS)
        except TokenLimitReached:
            outcome.counts["cap_reached"] += 1
        except ModelError:
            outcome.counts["model_unavailable"] += 1
        else:
            outcome.counts[end] += 1
            outcome.left = end == "unfinished"
        return outcome


if __name__ == "__main__":
    main([Reembed()])
