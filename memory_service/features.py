"""What a bank does and does not do: its own settings over the service's (S3 1.6)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal

from memory_service.config import Settings
from memory_service.types import Intake

Fallback = Literal["wait", "fulltext"]


@dataclass(frozen=True, slots=True)
class Features:
    """The settings that hold for one bank. Each name is a bank's setting and, as MEMORY_<NAME>, the service's."""

    intake: Intake
    """How messages are cut and whether they are gated (DESIGN §2)."""
    gate: bool
    """Off: everything that does no harm is kept."""
    merge_duplicates: bool
    """Off: what is said again stays a memory of its own."""
    merge_similar: bool
    """On: many nearly equal old memories become one that says how many (S5)."""
    links: bool
    """Off: memories are not linked to those that they resemble or that name the same."""
    language_model: bool
    """Off: the bank is judged and summarized by rules only; its text reaches no language model."""
    embedding_fallback: Fallback
    """`fulltext`: episodes become active without their vector while the embedding model is out of reach."""
    daily_tokens: int | None
    """Tokens that the bank's models may take in a UTC day; over it, its intake waits for the next."""


FEATURES = tuple(field.name for field in fields(Features))


def features_of(own: Mapping[str, Any], service: Settings) -> Features:
    """What holds for a bank with these settings in this service."""
    values: dict[str, Any] = {name: own.get(name, getattr(service, name)) for name in FEATURES}
    return Features(**values)
