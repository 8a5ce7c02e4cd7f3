"""Facts that say the same become one (S1 6.3): proposed by their vectors, judged by rules, the doubtful by a model.

The winner keeps its row and gets what was said of the others, each episode once; the others stay, merged into it, and
can be taken out again (Memory.unmerge_fact). Each group is one transaction, and what a model said of a pair is kept: a
night that breaks off anywhere goes on from there, and none asks about the same pair of texts twice. Without a model the
doubtful stay as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import structlog

from memory_service.errors import InvalidOutput, NoAnswer, ProviderUnavailable, RequestRejected
from memory_service.features import Features, features_of
from memory_service.jobs.passes import Act, Night, Outcome
from memory_service.jobs.runner import main
from memory_service.models.interface import LanguageModel, estimated_tokens
from memory_service.models.merging import MERGING, quoted_clusters, same_facts
from memory_service.store.merges import MergeGroup, MergeJudgement
from memory_service.types import Bank, Usage

MOST_MEMBERS = 24
"""Of a cluster that a model is asked about: a chain of more is no matter of wording, and stays as it is."""
MOST_ASKED = 240
"""Facts of one call; what is over waits for the next night."""
MOST_CHARACTERS = 60_000
"""Of one call; what is over waits, and a cluster that is longer by itself stays as it is."""
ANSWER_TOKENS = 40
"""About what the verdict on a cluster takes."""
MOST_ROUNDS = 8
"""What was merged may be one with others now; each round merges something, or is the last."""
ACTOR = "night"

log = structlog.get_logger()


class Merge:
    """Merges the facts of a bank that are one. A bank that keeps every message as it is, or whose duplicates are not to
    be merged, keeps its facts too."""

    name = "merge"

    async def run(self, bank: Bank, night: Night) -> Outcome:
        features = features_of(bank.settings, night.settings)
        outcome = Outcome()
        if features.intake == "verbatim" or not features.merge_duplicates:
            return outcome
        if night.dry_run:
            return await self._foresee(bank, night, outcome)
        doubts = await self._merge_clear(bank, night, outcome)
        model = night.models.language_model() if features.language_model else None
        if doubts and model is not None and await self._ask(bank, night, features, model, doubts, outcome):
            doubts = await self._merge_clear(bank, night, outcome)
        outcome.counts["doubtful"] += len(doubts)
        return outcome

    async def _merge_clear(self, bank: Bank, night: Night, outcome: Outcome) -> list[MergeGroup]:
        """Merge what rules, or earlier verdicts, say is one, until there is nothing more; what is in doubt then."""
        groups: list[MergeGroup] = []
        for _ in range(MOST_ROUNDS):
            groups = await night.store.merges.candidates(bank.bank_id, bank.embedding_model, night.at)
            alone = [group for group in groups if group.verdict == "alone"]
            if alone:
                await night.store.merges.mark(bank.bank_id, alone)
            clear = [group for group in groups if group.verdict == "merge"]
            for group in clear:
                merged = await night.store.merges.merge(bank.bank_id, group.members, ACTOR, night.at)
                outcome.counts["merged"] += len(merged)
            if not clear:
                break
        return [group for group in groups if group.verdict == "doubt"]

    async def _ask(
        self,
        bank: Bank,
        night: Night,
        features: Features,
        model: LanguageModel,
        doubts: Sequence[MergeGroup],
        outcome: Outcome,
    ) -> bool:
        """One call about the doubtful clusters, its verdicts kept; whether there are any. Where there is no answer, or
        one of no use, each is asked about alone: what comes to nothing then, while others are answered where it is no
        answer at all, is asked about on a few nights more (max_attempts), and then not again before it changes. The
        model's outages and a bank's empty purse leave them for the next night."""
        asked = choose(doubts, outcome)
        questions = [asked] if asked else []
        kept = 0
        unanswered: list[MergeGroup] = []
        while questions:
            question = questions.pop(0)
            try:
                judgements = await self._judged(bank, night, features, model, question)
            except NoAnswer as error:
                log.warning("no answer on what may be one", bank_id=bank.bank_id, clusters=len(question))
                if len(question) > 1:
                    questions = [[group] for group in question]
                elif error.others_answered:
                    await self._in_vain(bank, night, question[0], outcome)
                else:
                    unanswered += question
                continue
            except ProviderUnavailable as error:
                log.warning("the model did not judge what may be one", bank_id=bank.bank_id, error=str(error))
                outcome.counts["model_unavailable"] += 1
                break
            except (RequestRejected, InvalidOutput) as error:
                log.warning(
                    "a model's answer on what may be one was no use",
                    bank_id=bank.bank_id, clusters=len(question), error=str(error),
                )  # fmt: skip
                if len(question) > 1:
                    questions = [[group] for group in question]
                else:
                    await self._in_vain(bank, night, question[0], outcome)
                continue
            if judgements is None:
                outcome.counts["cap_reached"] += 1
                break
            outcome.counts["model_calls"] += 1
            kept += await night.store.merges.judge(bank.bank_id, judgements, model.name, night.at)
        for group in unanswered:
            if kept:  # so it was no outage
                await self._in_vain(bank, night, group, outcome)
            else:
                outcome.counts["model_unavailable"] += 1
        outcome.counts["judged"] += kept
        return kept > 0

    async def _in_vain(self, bank: Bank, night: Night, group: MergeGroup, outcome: Outcome) -> None:
        outcome.counts["unusable"] += 1
        if not await night.store.merges.in_vain(bank.bank_id, group, night.settings.max_attempts):
            outcome.left = True

    async def _judged(
        self, bank: Bank, night: Night, features: Features, model: LanguageModel, asked: Sequence[MergeGroup]
    ) -> list[MergeJudgement] | None:
        """What a model says of each pair, in one call; None where the bank's cap is reached. Errors: as same_facts."""
        texts = [group.texts for group in asked]
        cost = estimated_tokens(MERGING) + estimated_tokens(quoted_clusters(texts))
        estimate = Usage(model.name, "merge", cost, ANSWER_TOKENS * len(asked))
        async with night.ledger.entry(
            {bank.bank_id: estimate}, {bank.bank_id: len(asked)}, {bank.bank_id: features.daily_tokens}
        ) as entry:
            if not entry.lines:
                return None
            verdicts, entry.usage = await same_facts(model, texts)
        return [
            MergeJudgement(
                group.members[i], group.members[j], (group.texts[i], group.texts[j]),
                any(i in together and j in together for together in groups),
            )
            for group, groups in zip(asked, verdicts, strict=True)
            for i, j in combinations(range(len(group.members)), 2)
        ]  # fmt: skip

    async def _foresee(self, bank: Bank, night: Night, outcome: Outcome) -> Outcome:
        for group in await night.store.merges.candidates(bank.bank_id, bank.embedding_model, night.at):
            if group.verdict == "merge":
                outcome.counts["merged"] += len(group.members) - 1
                outcome.acts += [
                    Act(member, "semantic", "merge", f"the same as {group.winner}")
                    for member in group.members
                    if member != group.winner
                ]
            elif group.verdict == "doubt":
                outcome.counts["doubtful"] += 1
                outcome.acts += [
                    Act(member, "semantic", "ask", "may be the same as others") for member in group.members
                ]
        return outcome


def choose(doubts: Sequence[MergeGroup], outcome: Outcome) -> list[MergeGroup]:
    """The clusters that fit into one call, the small ones first. What does not fit is left for another night."""
    asked: list[MergeGroup] = []
    facts = characters = 0
    for group in sorted(doubts, key=lambda group: (len(group.members), group.texts)):
        length = len(quoted_clusters([group.texts]))
        if len(group.members) > MOST_MEMBERS or length > MOST_CHARACTERS:
            outcome.counts["too_large"] += 1
        elif facts + len(group.members) <= MOST_ASKED and characters + length <= MOST_CHARACTERS:
            asked.append(group)
            facts += len(group.members)
            characters += length
        else:
            outcome.left = True
    return asked


if __name__ == "__main__":
    main([Merge()])
