"""Budget: the caps of a bank, the storage strategies that it turned on, and the end of raw messages and traces (S1 6.4,
S2, S5).

What is over a cap is put away and can be brought back; only what a strategy or an expiry names is deleted. The numbers
stand in db/functions/retention/memories_over_caps.sql and prune_episodes.sql.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from memory_service.jobs.passes import Act, Night, Outcome
from memory_service.jobs.runner import main
from memory_service.store.retention import Removal
from memory_service.store.traces import Retention
from memory_service.types import Bank

PAGE = 1_000
"""Rows in one transaction."""
PRUNE_PAGE = 200
"""Episodes deleted in one transaction, besides their near duplicates."""


class Budget:
    """The last pass of the night: what does not fit goes."""

    name = "budget"

    async def run(self, bank: Bank, night: Night) -> Outcome:
        settings, store, bank_id = night.settings, night.store.budgets, bank.bank_id
        retention = Retention(settings.trace_days, settings.trace_query_days)
        outcome = Outcome()
        if night.dry_run:
            preview = await store.preview(bank_id, settings.message_days, retention, night.at)
            count(outcome, preview.removals)
            outcome.counts["messages_emptied"] += preview.messages
            outcome.counts["traces_expired"] += preview.traces
            outcome.acts.extend(Act(r.memory_id, r.type, r.act, r.reason) for r in preview.removals)
            return outcome
        while removals := await store.prune(bank_id, PRUNE_PAGE, night.at):
            count(outcome, removals)
        while True:
            removals = await store.enforce_caps(bank_id, PAGE, night.at)
            count(outcome, removals)
            if len(removals) < PAGE:
                break
        outcome.counts["messages_emptied"] += await page_by_page(
            lambda: store.expire_messages(bank_id, settings.message_days, PAGE, night.at)
        )
        emptied = await page_by_page(lambda: store.empty_full_text(bank_id, PAGE))
        if emptied:
            outcome.counts["full_texts_emptied"] += emptied
        outcome.counts["traces_expired"] += await page_by_page(
            lambda: night.store.traces.expire(bank_id, retention, PAGE, night.at)
        )
        return outcome


def count(outcome: Outcome, removals: list[Removal]) -> None:
    for removal in removals:
        noun = "episodes" if removal.type == "episodic" else "facts"
        outcome.counts[f"{noun}_{removal.act}"] += 1


async def page_by_page(step: Callable[[], Awaitable[int]]) -> int:
    """Repeat a step until it finds less than a page to do; the sum."""
    total = 0
    while True:
        done = await step()
        total += done
        if done < PAGE:
            return total


if __name__ == "__main__":
    main([Budget()])
