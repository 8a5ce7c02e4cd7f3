"""Speakers of messages without a name: a bank's subject and its agent, as named in its settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from memory_service.types import Segment, Utterance

USER, ASSISTANT = "user", "assistant"


@dataclass(frozen=True, slots=True)
class Speakers:
    """The names in a bank's settings; None where not set."""

    subject: str | None = None
    """Speaker of messages of role user without a name."""
    agent_name: str | None = None
    """Speaker of messages of role assistant without a name."""

    def named(self, source: str) -> str:
        """The displayed name for the source of a memory or the role of a message."""
        return {USER: self.subject, ASSISTANT: self.agent_name}.get(source) or source

    def attributed(self, segment: Segment) -> Segment:
        """The segment with these names on messages without one; those of the agent are marked `by_agent`."""
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
    """The words of a name as memory_internal.index_episode_words stores them."""
    return frozenset((name or "").lower().split())


def speakers_of(settings: Mapping[str, Any]) -> Speakers:
    """The speakers of a bank with these settings."""
    return Speakers(settings.get("subject"), settings.get("agent_name"))
