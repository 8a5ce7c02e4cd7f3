"""What the language model is asked of groups of episodes: several a call, each alone where that comes to nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from uuid import UUID

import structlog

from memory_service.errors import InvalidOutput, NoAnswer, ProviderUnavailable, RequestRejected
from memory_service.features import Features
from memory_service.intake.ledger import Entry
from memory_service.jobs.episode_groups import Group
from memory_service.jobs.group_summary import room_for, told
from memory_service.jobs.passes import Night
from memory_service.models.consolidation import CONSOLIDATION, Asked, Distilled, Shown, distilled
from memory_service.models.interface import LanguageModel, estimated_tokens
from memory_service.rules.gate.gate import command_among
from memory_service.types import Bank, Usage

ANSWER_TOKENS = 500
"""About what the answer for one group takes."""
PROMPT_TOKENS = estimated_tokens(CONSOLIDATION)
NOTHING = Distilled(None, ())

log = structlog.get_logger()


class CapReached(Exception):
    """Today's cap leaves no room for a call: it waits for the next night."""


class Asking:
    """Asks about the groups of one bank. Counts: model_calls, and the groups that are model_unavailable, cap_reached or
    unusable."""

    def __init__(self, bank: Bank, night: Night, features: Features, counts: Counter[str]) -> None:
        self._bank = bank
        self._night = night
        self._daily_tokens = features.daily_tokens
        self._counts = counts
        self._model = night.models.language_model() if features.language_model else None
        self._out_of_reach = False
        """The model; it is not asked any more in this night."""
        self._unanswered: list[Group] = []
        """Alone, and nothing else has been answered since: an outage, or the fault of what is in them."""
        self._blamed: list[Group] = []
        """Something else has been answered since."""
        self._left: set[UUID] = set()
        """Episodes whose facts wait for another night: until then nobody need be asked what they are summed up to."""

    @property
    def by(self) -> str:
        """Who answers."""
        return "rules" if self._model is None else self._model.name

    def asks(self, group: Group) -> bool:
        """Whether the model has something to say of a group. Of a single episode it said so when that was written; of
        texts that command, and that it summed up no better in the night in which their facts were drawn, it is not
        asked each night."""
        if self._model is None or (
            not any(episode.pending for episode in (*group.pending, *group.folded))
            and group.kind
            and command_among([told(group.folded).text])
        ):
            return False
        alone = len(group.episodes) == 1 and group.episodes[0].extracted_by == self._model.name
        return group.kind == "cluster" or (bool(group.pending) and not alone)

    async def answers(self, groups: Sequence[Group]) -> dict[int, Distilled]:
        """What the model says, by place; where it has nothing usable to say even of a group alone, nothing. Those that
        it could not be asked about, or did not answer, are left out."""
        asked = [
            place
            for place, group in enumerate(groups)
            if not self._left & {e.memory_id for e in group.folded}
        ]
        found = await self._answers([groups[place] for place in asked]) if asked else {}
        answer_of = {asked[place]: answer for place, answer in found.items()}
        for place, group in enumerate(groups):
            if place not in answer_of:
                self._left |= {episode.memory_id for episode in group.pending}
        return answer_of

    async def _answers(self, groups: Sequence[Group]) -> dict[int, Distilled]:
        if self._model is None or self._out_of_reach:
            self._counts["model_unavailable"] += len(groups)
            return {}
        try:
            return dict(enumerate(await self._distilled(self._model, groups)))
        except CapReached:
            self._counts["cap_reached"] += len(groups)
        except NoAnswer as error:
            if len(groups) > 1:
                return await self._ask_alone(groups)
            if not error.others_answered:
                self._unanswered += groups
            elif await self._in_vain(groups[0]):
                return {0: NOTHING}
        except ProviderUnavailable:
            self._out_of_reach = True
            self._counts["model_unavailable"] += len(groups)
        except (InvalidOutput, RequestRejected) as error:
            if len(groups) > 1:
                return await self._ask_alone(groups)
            log.warning("a model's answer is no use", bank=self._bank.bank_id, error=type(error).__name__)
            self._counts["unusable"] += 1
            return {0: NOTHING}
        return {}

    async def _ask_alone(self, groups: Sequence[Group]) -> dict[int, Distilled]:
        found: dict[int, Distilled] = {}
        for place, group in enumerate(groups):
            answer = await self.answers([group])
            if answer:
                found[place] = answer[0]
        return found

    async def _in_vain(self, group: Group) -> bool:
        """The model did not answer this group, and it did others: it is left for a later night, as often as work is
        tried elsewhere (max_attempts); whether that was the last."""
        episodes = list({episode.memory_id: None for episode in (*group.pending, *group.folded)})
        most = self._night.settings.max_attempts
        if await self._night.store.consolidation.in_vain(self._bank.bank_id, episodes, most):
            self._counts["unusable"] += 1
            return True
        self._counts["model_unavailable"] += 1
        return False

    async def _distilled(self, model: LanguageModel, groups: Sequence[Group]) -> tuple[Distilled, ...]:
        shown = [shown_of(group) for group in groups]
        read = sum(estimated_tokens(one.text) for group in shown for one in group.episodes)
        estimate = Usage(model.name, "consolidate", PROMPT_TOKENS + read, ANSWER_TOKENS * len(groups))
        async with self.entry(estimate, len(groups)) as entry:
            afford = self._night.ledger.repairs(self._bank.bank_id, self._daily_tokens)
            answers, entry.usage = await distilled(model, shown, afford)
        self._counts["model_calls"] += 1
        if dropped := sum(answer.dropped for answer in answers):
            self._counts["dropped"] += dropped
        self._blamed += self._unanswered
        self._unanswered.clear()
        return answers

    @asynccontextmanager
    async def entry(self, estimate: Usage, items: int) -> AsyncGenerator[Entry]:
        """A line of the ledger. Errors: CapReached."""
        bank_id, cap = self._bank.bank_id, self._daily_tokens
        async with self._night.ledger.entry({bank_id: estimate}, {bank_id: items}, {bank_id: cap}) as entry:
            if not entry.lines:
                raise CapReached
            yield entry

    async def end(self) -> list[Group]:
        """No more is asked in this bank; the groups that were not answered often enough to be set aside."""
        if self._unanswered:
            self._counts["model_unavailable"] += len(self._unanswered)
        return [group for group in self._blamed if await self._in_vain(group)]


def shown_of(group: Group) -> Asked:
    folded = {episode.memory_id for episode in group.folded} if group.kind == "cluster" else set[UUID]()
    return Asked(
        [Shown(e.occurred_at, e.content, e.memory_id in folded) for e in group.episodes],
        room_for(group.folded) if folded else None,
    )
