"""Who speaks in a bank where a message carries no name: the bank's person and its agent, as its settings name them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from memory_service.types import Segment, Utterance

USER, ASSISTANT = "user", "assistant"


@dataclass(frozen=True, slots=True)
class Speakers:
    """The names that a bank's settings give; None where unknown."""

    subject: str | None = None
    """The person whose memory this is: messages of role user without a name are theirs."""
    agent_name: str | None = None
    """How the agent is called: messages of role assistant without a name are its."""

    def named(self, source: str) -> str:
        """The source of a memory, or the role of a message, as it is shown."""
        return {USER: self.subject, ASSISTANT: self.agent_name}.get(source) or source

    def attributed(self, segment: Segment) -> Segment:
        """The segment with these names where its messages carry none. The agent's words stay the agent's."""
        if self.subject is None and self.agent_name is None:
            return segment
        return replace(
            segment,
            utterances=tuple(self._attributed(utterance) for utterance in segment.utterances),
            context=tuple(self._attributed(utterance) for utterance in segment.context),
        )

    def _attributed(self, utterance: Utterance) -> Utterance:
        if utterance.name or utterance.role not in (USER, ASSISTANT):
            return utterance
        name = self.subject if utterance.role == USER else self.agent_name
        return replace(utterance, name=name, by_agent=utterance.role == ASSISTANT)

    @property
    def words(self) -> frozenset[str]:
        """The words of both names, in lower case."""
        return words_of_name(self.subject) | words_of_name(self.agent_name)


def words_of_name(name: str | None) -> frozenset[str]:
    """The words of a name as memory_internal.index_episode_words keeps them."""
    return frozenset((name or "").lower().split())


def speakers_of(settings: Mapping[str, Any]) -> Speakers:
    """The speakers that a bank with these settings has."""
    return Speakers(settings.get("subject"), settings.get("agent_name"))
