"""Token budgets of a bank's contexts and compactions, and the confidence of facts in them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from memory_service.config import Settings
from memory_service.recall.sections import KNOWLEDGE, RECENT
from memory_service.requests import CompactQuery, ContextQuery


@dataclass(frozen=True, slots=True)
class ContextLimits:
    """Each name is a bank's setting and, as MEMORY_<NAME>, the service's."""

    recent_tokens: int
    knowledge_tokens: int
    compaction_tokens: int
    context_confidence: float
    """Contexts show facts with a decayed confidence above it."""

    def budgets(self, query: ContextQuery) -> dict[str, int]:
        """The token budgets of a context: the query's, else the bank's."""
        return {
            RECENT: self.recent_tokens if query.recent_tokens is None else query.recent_tokens,
            KNOWLEDGE: self.knowledge_tokens if query.knowledge_tokens is None else query.knowledge_tokens,
        }

    def room(self, query: CompactQuery) -> int:
        """The token budget of a compaction."""
        return self.compaction_tokens if query.max_tokens is None else query.max_tokens


NAMES = tuple(field.name for field in fields(ContextLimits))


def context_limits_of(own: Mapping[str, Any], service: Settings) -> ContextLimits:
    """The limits of a bank with these settings in this service."""
    return ContextLimits(**{name: own.get(name, getattr(service, name)) for name in NAMES})
