"""Features of a bank: its own settings, else those of the service."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal

from memory_service.config import Settings
from memory_service.types import Intake

Fallback = Literal["wait", "fulltext"]


@dataclass(frozen=True, slots=True)
class Features:
    """The settings in force for one bank. Each name is a bank's setting and, as MEMORY_<NAME>, the service's."""

    intake: Intake
    """How messages are divided into segments, and whether the gate applies (docs/design.md, "Gate")."""
    gate: bool
    """Off: every segment is kept but commands, harm and echoes."""
    merge_duplicates: bool
    """Off: duplicates stay separate memories."""
    merge_similar: bool
    """On: many nearly equal old memories become one, which states their number."""
    links: bool
    """Off: memories are not linked to similar ones or to those that mention the same entities."""
    relational: bool
    """Off: no norms, style, sensitivity and phase are derived or shown."""
    language_model: bool
    """Off: rules only; no text of the bank is sent to a language model."""
    embedding_fallback: Fallback
    """`fulltext`: episodes become active without a vector while the embedding model is unavailable."""
    daily_tokens: int | None
    """Daily token limit of the bank's model calls (UTC day); beyond it, intake waits for the next day."""


FEATURES = tuple(field.name for field in fields(Features))


def features_of(own: Mapping[str, Any], service: Settings) -> Features:
    """The features of a bank with these settings in this service."""
    values: dict[str, Any] = {name: own.get(name, getattr(service, name)) for name in FEATURES}
    return Features(**values)
