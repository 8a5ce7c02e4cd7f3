"""Consolidation of episode groups by a language model: several groups per call, each alone where that call fails."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from uuid import UUID

from memory_service.errors import NoAnswer, ProviderUnavailable
from memory_service.features import Features
from memory_service.intake.model_calls import Share
from memory_service.intake.poison_items import Failed, call_together
from memory_service.jobs.episode_groups import Group
from memory_service.jobs.group_summary import room_for, summarize
from memory_service.jobs.passes import PassContext
from memory_service.models.consolidation import (
    CONSOLIDATION,
    GroupPrompt,
    GroupResult,
    PromptEpisode,
    consolidate_groups,
)
from memory_service.models.interface import LanguageModel, estimated_tokens
from memory_service.rules.gate.gate import command_among
from memory_service.types import Bank, Usage

ANSWER_TOKENS = 500
"""Estimated output tokens for one group."""
PROMPT_TOKENS = estimated_tokens(CONSOLIDATION)
EMPTY = GroupResult(None, ())


class ModelConsolidation:
    """Consolidates the groups of one bank by a language model.

    Counts model_calls, and the groups that are model_unavailable, cap_reached or unusable.
    """

    def __init__(self, bank: Bank, context: PassContext, features: Features, counts: Counter[str]) -> None:
        self._bank = bank
        self._context = context
        self._daily_tokens = features.daily_tokens
        self._counts = counts
        self._model = context.models.language_model() if features.language_model else None
        self._unavailable = False
        """After an outage the model is not called again in this run."""
        self._unanswered: list[Group] = []
        """Sent alone without an answer, and no group answered since: an outage or a poison group."""
        self._suspected: list[Group] = []
        """Sent alone without an answer, and another group answered since."""
        self._waiting: set[UUID] = set()
        """Episodes whose facts wait for the next run; groups that summarize one of them wait, too."""

    @property
    def extracted_by(self) -> str:
        return "rules" if self._model is None else self._model.name

    def applies_to(self, group: Group) -> bool:
        """Whether the model is called for a group.

        Not for a single episode that it extracted itself, and not again for a group without pending episodes whose text
        contains a command: its summary was refused when its facts were drawn.
        """
        if self._model is None or (
            not any(episode.pending for episode in (*group.pending, *group.folded))
            and group.kind
            and command_among([summarize(group.folded).text])
        ):
            return False
        alone = len(group.episodes) == 1 and group.episodes[0].extracted_by == self._model.name
        return group.kind == "cluster" or (bool(group.pending) and not alone)

    async def results(self, groups: Sequence[Group]) -> dict[int, GroupResult]:
        """The model's results by index; EMPTY for a poison group. Groups that wait for the next run are left out."""

        async def consolidate(places: Sequence[int]) -> dict[int, GroupResult]:
            ready = [place for place in places if not self._must_wait(groups[place])]
            if not ready:
                return {}
            results = await self._call([groups[place] for place in ready])
            return dict(zip(ready, results, strict=True))

        found: dict[int, GroupResult] = {}
        places = [place for place, group in enumerate(groups) if not self._must_wait(group)]
        async for attempt in call_together(places, consolidate):
            if not isinstance(attempt, Failed):
                found |= attempt.result
            elif await self._is_set_aside(attempt, groups):
                found[attempt.items[0]] = EMPTY
            self._wait(groups[place] for place in attempt.items if place not in found)
        self._wait(group for place, group in enumerate(groups) if place not in found)
        return found

    def _must_wait(self, group: Group) -> bool:
        return not self._waiting.isdisjoint(episode.memory_id for episode in group.folded)

    def _wait(self, groups: Iterable[Group]) -> None:
        self._waiting.update(episode.memory_id for group in groups for episode in group.pending)

    async def _is_set_aside(self, attempt: Failed[int], groups: Sequence[Group]) -> bool:
        """Count a failed call; whether its single group is poison and is not sent again."""
        match attempt.failure:
            case "limit":
                self._counts["cap_reached"] += len(attempt.items)
            case "outage":
                self._unavailable = True
                self._counts["model_unavailable"] += len(attempt.items)
            case "no_answer":
                self._unanswered += [groups[place] for place in attempt.items]
            case "poison" if isinstance(attempt.error, NoAnswer):
                return await self._count_attempt(groups[attempt.items[0]])
            case "poison":
                self._counts["unusable"] += 1
                return True
        return False

    async def _count_attempt(self, group: Group) -> bool:
        """Count an attempt at a group that the model does not answer although it answers others; whether it was the
        last (max_attempts)."""
        episodes = list({episode.memory_id: None for episode in (*group.pending, *group.folded)})
        most = self._context.settings.max_attempts
        if await self._context.store.consolidation.count_failed_attempt(self._bank.bank_id, episodes, most):
            self._counts["unusable"] += 1
            return True
        self._counts["model_unavailable"] += 1
        return False

    async def _call(self, groups: Sequence[Group]) -> tuple[GroupResult, ...]:
        """Errors: TokenLimitReached; as consolidate_groups."""
        if self._model is None or self._unavailable:
            raise ProviderUnavailable
        model: LanguageModel = self._model
        prompts = [prompt_of(group) for group in groups]
        episode_tokens = sum(estimated_tokens(e.text) for prompt in prompts for e in prompt.episodes)
        bank_id, daily_tokens = self._bank.bank_id, self._daily_tokens
        results = await self._context.calls.call(
            bank_id,
            Share(
                Usage(model.name, "consolidate", PROMPT_TOKENS + episode_tokens, ANSWER_TOKENS * len(groups)),
                len(groups),
                daily_tokens,
            ),
            lambda: consolidate_groups(model, prompts, self._context.calls.afford(bank_id, daily_tokens)),
        )
        self._counts["model_calls"] += 1
        if dropped := sum(result.dropped for result in results):
            self._counts["dropped"] += dropped
        self._suspected += self._unanswered
        self._unanswered.clear()
        return results

    async def finish(self) -> list[Group]:
        """Count the groups without an answer; those that are poison and are not sent again."""
        if self._unanswered:
            self._counts["model_unavailable"] += len(self._unanswered)
        return [group for group in self._suspected if await self._count_attempt(group)]


def prompt_of(group: Group) -> GroupPrompt:
    folded = {episode.memory_id for episode in group.folded} if group.kind == "cluster" else set[UUID]()
    return GroupPrompt(
        [PromptEpisode(e.occurred_at, e.content, e.memory_id in folded) for e in group.episodes],
        room_for(group.folded) if folded else None,
    )
