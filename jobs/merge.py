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

import structlog

from memory_service.features import Features, features_of
from memory_service.intake.model_calls import Share
from memory_service.intake.poison_items import Success, call_together
from memory_service.jobs.passes import Change, Outcome, PassContext
from memory_service.jobs.runner import main
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

log = structlog.get_logger()


class Merge:
    """Merges facts with the same meaning; not in a bank with verbatim intake or without `merge_duplicates`."""

    name = "merge"

    async def run(self, bank: Bank, context: PassContext) -> Outcome:
        features = features_of(bank.settings, context.settings)
        outcome = Outcome()
        if features.intake == "verbatim" or not features.merge_duplicates:
            return outcome
        if context.dry_run:
            return await self._preview(bank, context, outcome)
        undecided = await self._merge_decided(bank, context, outcome)
        model = context.models.language_model() if features.language_model else None
        if undecided and model is not None:
            sent = choose_for_call(undecided, outcome)
            if await self._judge(bank, context, features, model, sent, outcome):
                undecided = await self._merge_decided(bank, context, outcome)
        outcome.counts["doubtful"] += len(undecided)
        return outcome

    async def _merge_decided(self, bank: Bank, context: PassContext, outcome: Outcome) -> list[MergeGroup]:
        """Merge the groups that rules or stored answers decide, until none is left; the undecided groups."""
        groups: list[MergeGroup] = []
        for _ in range(MOST_ROUNDS):
            groups = await context.store.merges.candidates(bank.bank_id, bank.embedding_model, context.at)
            alone = [group for group in groups if group.verdict == "alone"]
            if alone:
                await context.store.merges.set_watermark(bank.bank_id, alone)
            decided = [group for group in groups if group.verdict == "merge"]
            for group in decided:
                merged = await context.store.merges.merge(bank.bank_id, group.members, ACTOR, context.at)
                outcome.counts["merged"] += len(merged)
            if not decided:
                break
        return [group for group in groups if group.verdict == "doubt"]

    async def _judge(
        self,
        bank: Bank,
        context: PassContext,
        features: Features,
        model: LanguageModel,
        groups: Sequence[MergeGroup],
        outcome: Outcome,
    ) -> bool:
        """Send the groups in one call, each alone where that fails, and store the answers; whether there are any.

        A poison group is sent again in the next runs, `max_attempts` times in all, then not before it changes. Outages
        and the daily token limit leave the groups for the next run.
        """
        stored = 0
        unanswered: list[MergeGroup] = []
        attempts = call_together(groups, lambda sent: self._call(bank, context, features, model, sent))
        async with aclosing(attempts):
            async for attempt in attempts:
                if isinstance(attempt, Success):
                    outcome.counts["model_calls"] += 1
                    stored += await context.store.merges.record_decisions(
                        bank.bank_id, attempt.result, model.name, context.at
                    )
                    continue
                if attempt.failure == "limit":
                    outcome.counts["cap_reached"] += 1
                    break
                log.warning(
                    "groups of similar facts are not judged",
                    bank_id=bank.bank_id, groups=len(attempt.items), error=str(attempt.error),
                )  # fmt: skip
                if attempt.failure == "outage":
                    outcome.counts["model_unavailable"] += 1
                    break
                if attempt.failure == "no_answer":
                    unanswered += attempt.items
                else:
                    await self._count_attempt(bank, context, attempt.items[0], outcome)
        for group in unanswered:
            if stored:  # the model answered another group since: no outage
                await self._count_attempt(bank, context, group, outcome)
            else:
                outcome.counts["model_unavailable"] += 1
        outcome.counts["judged"] += stored
        return stored > 0

    async def _count_attempt(
        self, bank: Bank, context: PassContext, group: MergeGroup, outcome: Outcome
    ) -> None:
        outcome.counts["unusable"] += 1
        if not await context.store.merges.count_failed_attempt(
            bank.bank_id, group, context.settings.max_attempts
        ):
            outcome.left = True

    async def _call(
        self,
        bank: Bank,
        context: PassContext,
        features: Features,
        model: LanguageModel,
        groups: Sequence[MergeGroup],
    ) -> list[MergeDecision]:
        """Whether each pair of each group has the same meaning, by one call. Errors: TokenLimitReached, as
        find_equal_facts."""
        texts = [group.texts for group in groups]
        cost = estimated_tokens(MERGING) + estimated_tokens(quoted_clusters(texts))
        estimate = Usage(model.name, "merge", cost, ANSWER_TOKENS * len(groups))
        answers = await context.calls.call(
            bank.bank_id,
            Share(estimate, len(groups), features.daily_tokens),
            lambda: find_equal_facts(model, texts),
        )
        return [
            MergeDecision(
                group.members[i], group.members[j], (group.texts[i], group.texts[j]),
                any(i in equal and j in equal for equal in answer),
            )
            for group, answer in zip(groups, answers, strict=True)
            for i, j in combinations(range(len(group.members)), 2)
        ]  # fmt: skip

    async def _preview(self, bank: Bank, context: PassContext, outcome: Outcome) -> Outcome:
        """The changes of a run that calls no model."""
        for group in await context.store.merges.candidates(bank.bank_id, bank.embedding_model, context.at):
            if group.verdict == "merge":
                outcome.counts["merged"] += len(group.members) - 1
                outcome.changes += [
                    Change(member, "semantic", "merge", f"the same as {group.winner}")
                    for member in group.members
                    if member != group.winner
                ]
            elif group.verdict == "doubt":
                outcome.counts["doubtful"] += 1
                outcome.changes += [
                    Change(member, "semantic", "ask", "may be the same as others") for member in group.members
                ]
        return outcome


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
