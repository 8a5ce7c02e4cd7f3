"""Consolidation pass: draw facts from related episodes, and compress old episodes of low importance into summaries.

- New episodes are clustered together with those that wait (clustering.py); clusters are stored. An episode without a
  cluster waits until it is a month old and is then consolidated alone.
- The language model draws facts from each cluster: statements that three episodes contain, or one states as such. These
  episodes are the evidence. Without a language model no facts are drawn: the rules drew theirs when each episode was
  stored.
- Episodes older than a month that are no landmarks are compressed: parts of a cluster into one summary each, nearly
  equal ones into one memory with a count where the bank has `merge_similar`. The episodes are archived and their links
  carried over; restore_episodes reverses that. A cluster's summary is never compressed again, since its text would
  lose detail each time. A memory with a count takes in further episodes.

Clusters are stored before they are used, each group is one transaction that checks that its episodes are unchanged, and
ids are derived from the members: an interrupted and repeated run ends in the same state as an undisturbed one. Groups
without an answer of the model, or beyond the bank's daily token limit, wait for the next run (docs/design.md,
"Consolidation").
"""

from __future__ import annotations

import asyncio
from datetime import timedelta
from uuid import UUID

from memory_service.features import features_of
from memory_service.jobs.clustering import MIN_CLUSTER_SIZE, clusters_of
from memory_service.jobs.command import main
from memory_service.jobs.episode_groups import CHARACTERS, CONTEXT, PIECE, Group, groups_of, near_equal_from
from memory_service.jobs.group_facts import GroupWriter
from memory_service.jobs.passes import Change, Outcome, PassContext
from memory_service.store.consolidation import CompressionLimits
from memory_service.types import Bank

EPISODES_PER_CLUSTERING = 2_000
ATTEMPTS = 5
"""Another process may cluster the same bank concurrently."""


class Consolidate:
    """The first pass of a nightly run."""

    name = "consolidate"

    async def run(self, bank: Bank, context: PassContext) -> Outcome:
        """Counts: clusters, waiting, consolidated and compressed episodes, facts (new statements), summaries; groups
        left for the next run as model_unavailable, cap_reached, unusable or changed.

        A dry run clusters and lists the episodes that would be archived; it draws no facts.
        """
        outcome = Outcome()
        features = features_of(bank.settings, context.settings)
        if features.intake == "verbatim":
            return outcome
        thresholds = await context.store.thresholds.of_bank(bank.bank_id, bank.embedding_model)
        near_equal = near_equal_from(thresholds) if features.merge_similar else None
        planned = await self._cluster(bank, context, thresholds.evidence, near_equal, outcome)
        old = context.at - timedelta(days=thresholds.consolidate_after_days)
        uses_model = features.language_model and context.models.language_model() is not None
        folding = CompressionLimits(
            MIN_CLUSTER_SIZE, PIECE, CHARACTERS, features.merge_similar, CONTEXT if uses_model else 0
        )
        episodes = await context.store.consolidation.unconsolidated(
            bank.bank_id,
            bank.embedding_model,
            old,
            folding,
            context.at,
            planned if context.dry_run else None,
        )
        mismatches = context.store.thresholds.text_differences if features.merge_similar else None
        groups = await groups_of(episodes, old, context.at, thresholds, mismatches, by_rules=not uses_model)
        if context.dry_run:
            for group in groups:
                preview(group, outcome)
        else:
            await GroupWriter(bank, context, features, outcome, old).write(groups)
        return outcome

    async def _cluster(
        self, bank: Bank, context: PassContext, evidence: float, near_equal: float | None, outcome: Outcome
    ) -> dict[UUID, UUID | None]:
        """Cluster the new episodes in batches and store the clusters; the assignments of the last batch."""
        planned: dict[UUID, UUID | None] = {}
        store = context.store.consolidation
        attempts = ATTEMPTS
        while read := await store.unclustered(
            bank.bank_id, bank.embedding_model, EPISODES_PER_CLUSTERING, context.at
        ):
            planned = await asyncio.to_thread(clusters_of, bank.bank_id, read, evidence, near_equal)
            if not context.dry_run and not await store.assign(bank.bank_id, planned, context.at):
                attempts -= 1
                if attempts:
                    continue
                outcome.counts["changed"] += 1
                break
            outcome.counts["clusters"] += len({cluster for cluster in planned.values() if cluster})
            outcome.counts["waiting"] += sum(cluster is None for cluster in planned.values())
            if context.dry_run:
                break
        return planned


def preview(group: Group, outcome: Outcome) -> None:
    """Record the changes to a group's episodes in a dry run."""
    outcome.counts["consolidated"] += len(group.pending)
    if group.kind is None:
        return
    outcome.counts["compressed"] += len(group.folded)
    outcome.counts["summaries"] += 1
    reason = f"consolidated into one memory with {len(group.folded) - 1} others"
    outcome.changes += [Change(e.memory_id, "episodic", "archive", reason) for e in group.folded]


if __name__ == "__main__":
    main([Consolidate()], extra="night")
