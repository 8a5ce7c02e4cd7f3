"""Budget pass: enforce the caps of a bank, apply its retention strategies, expire raw messages and traces.

Memories over a cap are archived and can be restored; only a retention strategy or an expiry deletes. Limits are defined
in db/functions/retention/memories_over_caps.sql and prune_episodes.sql (docs/design.md, "Retention").
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from memory_service.jobs.command import main
from memory_service.jobs.passes import Change, Outcome, PassContext
from memory_service.store.retention import Removal
from memory_service.store.traces import TraceRetention
from memory_service.types import Bank

PAGE = 1_000
"""Rows of one transaction."""
NOUNS = {"episodic": "episodes", "semantic": "facts", "procedural": "procedures"}
PRUNE_PAGE = 200
"""Episodes deleted in one transaction; their near duplicates are deleted with them."""


class Budget:
    """Runs after the passes that create or archive memories."""

    name = "budget"

    async def run(self, bank: Bank, context: PassContext) -> Outcome:
        settings, store, bank_id = context.settings, context.store.retention, bank.bank_id
        retention = TraceRetention(settings.trace_days, settings.trace_query_days)
        outcome = Outcome()
        if context.dry_run:
            preview = await store.preview(
                bank_id, settings.message_days, retention, settings.intake, context.at
            )
            count_removals(outcome, preview.removals)
            outcome.counts["messages_emptied"] += preview.messages
            outcome.counts["traces_expired"] += preview.traces
            outcome.changes.extend(Change(r.memory_id, r.type, r.act, r.reason) for r in preview.removals)
            return outcome
        while removals := await store.prune(bank_id, PRUNE_PAGE, context.at):
            count_removals(outcome, removals)
        while True:
            removals = await store.enforce_caps(bank_id, PAGE, settings.intake, context.at)
            count_removals(outcome, removals)
            if len(removals) < PAGE:
                break
        outcome.counts["messages_emptied"] += await page_by_page(
            lambda: store.expire_messages(bank_id, settings.message_days, PAGE, context.at)
        )
        emptied = await page_by_page(lambda: store.empty_full_text(bank_id, PAGE, settings.intake))
        if emptied:
            outcome.counts["full_texts_emptied"] += emptied
        outcome.counts["traces_expired"] += await page_by_page(
            lambda: context.store.traces.expire(bank_id, retention, PAGE, context.at)
        )
        return outcome


def count_removals(outcome: Outcome, removals: list[Removal]) -> None:
    for removal in removals:
        outcome.counts[f"{NOUNS[removal.type]}_{removal.act}"] += 1


async def page_by_page(step: Callable[[], Awaitable[int]]) -> int:
    """Repeat a step until it processes less than a page; the number of rows in all."""
    total = 0
    while True:
        done = await step()
        total += done
        if done < PAGE:
            return total


if __name__ == "__main__":
    main([Budget()])
