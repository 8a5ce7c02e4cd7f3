"""Merge pass: facts with the same meaning become one, proposed by cosine, decided by rules, the undecided by a model.

The winner keeps its row and takes over the evidence of the losers, each episode once; the losers stay as rows with
status `merged` and can be restored (Memory.unmerge_fact). Each group is one transaction and each answer of the model
is stored: an interrupted run is continued by the next, and no pair of texts is sent twice. Without a model the
undecided stay.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import aclosing
from itertools import combinations
from uuid import UUID

from memory_service.features import Features, features_of
from memory_service.intake.model_calls import Share
from memory_service.intake.poison_items import Success, call_together
from memory_service.jobs.command import main
from memory_service.jobs.passes import Change, Outcome, PassContext
from memory_service.models.interface import LanguageModel, estimated_tokens
from memory_service.models.merging import MERGING, find_equal_facts, quoted_clusters
from memory_service.store.merges import MergeDecision, MergeGroup
from memory_service.types import Bank, Usage

MOST_MEMBERS = 24
"""Of a cluster sent to the model. A longer chain is not a matter of wording; it stays unmerged."""
MOST_FACTS = 240
"""Of one call; further clusters wait for the next run."""
MOST_CHARACTERS = 60_000
"""Of one call; further clusters wait for the next run, and a cluster that is longer by itself stays unmerged."""
ANSWER_TOKENS = 40
"""Estimated output tokens for one cluster."""
MOST_ROUNDS = 8
"""A merged fact may match others; each round but the last merges at least one group."""
ACTOR = "night"
"""Stored as the actor of nightly merges."""


class Merge:
    """Merges facts with the same meaning; not in a bank with verbatim intake or without `merge_duplicates`."""

    name = "merge"

    async def run(self, bank: Bank, context: PassContext) -> Outcome:
        features = features_of(bank.settings, context.settings)
        if features.intake == "verbatim" or not features.merge_duplicates:
            return Outcome()
        merging = BankMerging(bank, context, features)
        await (merging.preview() if context.dry_run else merging.run())
        return merging.outcome


class BankMerging:
    """The merge pass over one bank."""

    def __init__(self, bank: Bank, context: PassContext, features: Features) -> None:
        self._bank = bank
        self._context = context
        self._features = features
        self._merges = context.store.merges
        self.outcome = Outcome()

    async def run(self) -> None:
        undecided = await self._merge_decided()
        model = self._context.models.language_model() if self._features.language_model else None
        if undecided and model is not None and await self._judge(model, undecided):
            undecided = await self._merge_decided()
        self.outcome.counts["doubtful"] += len(undecided)

    async def _candidates(self) -> list[MergeGroup]:
        bank, at = self._bank, self._context.at
        return await self._merges.candidates(bank.bank_id, bank.embedding_model, at)

    async def _merge_decided(self) -> list[MergeGroup]:
        """Merge the groups that rules or stored answers decide, until none is left; the undecided groups."""
        bank_id, groups = self._bank.bank_id, list[MergeGroup]()
        for _ in range(MOST_ROUNDS):
            groups = await self._candidates()
            if alone := [group for group in groups if group.action == "alone"]:
                await self._merges.set_watermark(bank_id, alone)
            decided = [group for group in groups if group.action == "merge"]
            for group in decided:
                merged = await self._merges.merge(bank_id, group.members, ACTOR, self._context.at)
                self.outcome.counts["merged"] += len(merged)
            if not decided:
                break
        return [group for group in groups if group.action == "doubt"]

    async def _judge(self, model: LanguageModel, groups: Sequence[MergeGroup]) -> bool:
        """Send the groups in one call, each alone where that fails, and store the answers; whether there are any.

        A poison group is sent again in the next runs, `max_attempts` times in all, then not before it changes. Outages
        and the daily token limit leave the groups for the next run.
        """
        bank_id, counts, stored = self._bank.bank_id, self.outcome.counts, 0
        unanswered: list[MergeGroup] = []
        chosen = choose_for_call(groups, self.outcome)
        async with aclosing(call_together(chosen, lambda sent: self._call(model, sent))) as attempts:
            async for attempt in attempts:
                if isinstance(attempt, Success):
                    counts["model_calls"] += 1
                    at = self._context.at
                    stored += await self._merges.record_decisions(bank_id, attempt.result, model.name, at)
                elif attempt.failure in ("limit", "outage"):
                    counts["cap_reached" if attempt.failure == "limit" else "model_unavailable"] += 1
                    break
                elif attempt.failure == "no_answer":
                    unanswered += attempt.items
                else:
                    await self._count_attempt(attempt.items[0])
        for group in unanswered:
            if stored:  # the model answered another group since: no outage
                await self._count_attempt(group)
            else:
                counts["model_unavailable"] += 1
        counts["judged"] += stored
        return stored > 0

    async def _count_attempt(self, group: MergeGroup) -> None:
        self.outcome.counts["unusable"] += 1
        most = self._context.settings.max_attempts
        if not await self._merges.count_failed_attempt(self._bank.bank_id, group, most):
            self.outcome.left = True

    async def _call(self, model: LanguageModel, groups: Sequence[MergeGroup]) -> list[MergeDecision]:
        """Whether the facts of each pair of each group have the same meaning. Errors: TokenLimitReached, as
        find_equal_facts."""
        texts = [group.texts for group in groups]
        cost = estimated_tokens(MERGING) + estimated_tokens(quoted_clusters(texts))
        estimate = Usage(model.name, "merge", cost, ANSWER_TOKENS * len(groups))
        share = Share(estimate, len(groups), self._features.daily_tokens)
        answers = await self._context.calls.call(
            self._bank.bank_id, share, lambda: find_equal_facts(model, texts)
        )
        return [
            MergeDecision(
                group.members[i], group.members[j], (group.texts[i], group.texts[j]),
                any(i in equal and j in equal for equal in answer),
            )
            for group, answer in zip(groups, answers, strict=True)
            for i, j in combinations(range(len(group.members)), 2)
        ]  # fmt: skip

    async def preview(self) -> None:
        """The changes of a run that calls no model."""
        for group in await self._candidates():
            if group.action == "merge":
                self.outcome.counts["merged"] += len(group.members) - 1
                losers = [member for member in group.members if member != group.winner]
                self._add_changes(losers, "merge", f"the same as {group.winner}")
            elif group.action == "doubt":
                self.outcome.counts["doubtful"] += 1
                self._add_changes(group.members, "ask", "may be the same as others")

    def _add_changes(self, members: Sequence[UUID], action: str, reason: str) -> None:
        self.outcome.changes += [Change(member, "semantic", action, reason) for member in members]


def choose_for_call(groups: Sequence[MergeGroup], outcome: Outcome) -> list[MergeGroup]:
    """The groups that fit into one call, the smallest first; the others are left for the next run."""
    chosen: list[MergeGroup] = []
    facts = characters = 0
    for group in sorted(groups, key=lambda group: (len(group.members), group.texts)):
        length = len(quoted_clusters([group.texts]))
        if len(group.members) > MOST_MEMBERS or length > MOST_CHARACTERS:
            outcome.counts["too_large"] += 1
        elif facts + len(group.members) <= MOST_FACTS and characters + length <= MOST_CHARACTERS:
            chosen.append(group)
            facts += len(group.members)
            characters += length
        else:
            outcome.left = True
    return chosen


if __name__ == "__main__":
    main([Merge()])
