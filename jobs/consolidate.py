"""Consolidation (S1 6.1, S2): related episodes come to facts, and what is old and mundane of them to one memory.

- Episodes that nobody looked at yet are clustered with those that wait (clustering.py), and their clusters written
  down. One that finds none waits until it is a month old, and is then consolidated alone.
- Of each cluster the language model draws facts: what three episodes say, or one says as such. These episodes are the
  evidence. Without a language model nothing is drawn here: what rules find in an episode they found when it was
  written, and in how many episodes a fact was said is counted as they are written, too.
- What is older than a month and no landmark is compressed: a piece of a cluster into one summary, nearly equal ones
  into one memory with a count where the bank says so (merge_similar, S5). The episodes are archived, their links are
  carried over; restore_episodes brings them back. The summary of a cluster is never compressed again: its
  words would grow vaguer each time. A memory with a count takes in more of the same.

Clusters are written down before anything follows from them, each group is one transaction that asks again whether all
is as it was read, and ids follow from the members: a night that is killed and begun again ends as an undisturbed one.
What a model does not answer waits for the next night; so does what is over the bank's daily cap.
"""

from __future__ import annotations

import asyncio
from datetime import timedelta
from uuid import UUID

from memory_service.features import features_of
from memory_service.jobs.clustering import MIN_CLUSTER_SIZE, clusters_of
from memory_service.jobs.episode_groups import CHARACTERS, CONTEXT, PIECE, Group, groups_of, near_equal_from
from memory_service.jobs.group_facts import Distil
from memory_service.jobs.passes import Act, Night, Outcome
from memory_service.jobs.runner import main
from memory_service.store.consolidation import Folding
from memory_service.types import Bank

AT_ONCE = 2_000
"""Episodes that are clustered together."""
TRIES = 5
"""Somebody else may cluster the same bank."""


class Consolidate:
    """The first pass of the night (DESIGN §2)."""

    name = "consolidate"

    async def run(self, bank: Bank, night: Night) -> Outcome:
        """Counts: clusters (of what was looked at), waiting, consolidated, facts (new statements), compressed and
        summaries; model_unavailable, cap_reached, unusable and changed are groups that a next night deals with.

        A dry run clusters, and lists what would be archived into how many memories; it draws no facts.
        """
        outcome = Outcome()
        features = features_of(bank.settings, night.settings)
        if features.intake == "verbatim":
            return outcome
        thresholds = await night.store.thresholds.of_bank(bank.bank_id, bank.embedding_model)
        near_equal = near_equal_from(thresholds) if features.merge_similar else None
        planned = await self._cluster(bank, night, thresholds.evidence, near_equal, outcome)
        old = night.at - timedelta(days=thresholds.consolidate_after_days)
        asks = features.language_model and night.models.language_model() is not None
        folding = Folding(MIN_CLUSTER_SIZE, PIECE, CHARACTERS, features.merge_similar, CONTEXT if asks else 0)
        episodes = await night.store.consolidation.unconsolidated(
            bank.bank_id,
            bank.embedding_model,
            old,
            folding,
            night.at,
            planned if night.dry_run else None,
        )
        alike = night.store.thresholds.mismatches if features.merge_similar else None
        groups = await groups_of(episodes, old, night.at, thresholds, alike, by_rules=not asks)
        if night.dry_run:
            for group in groups:
                tell(group, outcome)
        else:
            await Distil(bank, night, features, outcome, old).do(groups)
        return outcome

    async def _cluster(
        self, bank: Bank, night: Night, evidence: float, near_equal: float | None, outcome: Outcome
    ) -> dict[UUID, UUID | None]:
        """Cluster what nobody looked at yet, some at a time, and write it down; the last of it."""
        planned: dict[UUID, UUID | None] = {}
        store = night.store.consolidation
        tries = TRIES
        while read := await store.unclustered(bank.bank_id, bank.embedding_model, AT_ONCE, night.at):
            planned = await asyncio.to_thread(clusters_of, bank.bank_id, read, evidence, near_equal)
            if not night.dry_run and not await store.assign(bank.bank_id, planned, night.at):
                tries -= 1
                if tries:
                    continue
                outcome.counts["changed"] += 1
                break
            outcome.counts["clusters"] += len({cluster for cluster in planned.values() if cluster})
            outcome.counts["waiting"] += sum(cluster is None for cluster in planned.values())
            if night.dry_run:
                break
        return planned


def tell(group: Group, outcome: Outcome) -> None:
    """What would become of a group, in a dry run."""
    outcome.counts["consolidated"] += len(group.pending)
    if group.kind is None:
        return
    outcome.counts["compressed"] += len(group.folded)
    outcome.counts["summaries"] += 1
    others = f"into one memory with {len(group.folded) - 1} others"
    outcome.acts += [Act(e.memory_id, "episodic", "archive", f"consolidated {others}") for e in group.folded]


if __name__ == "__main__":
    main([Consolidate()])
