"""The interface of a pass: one module each, over one bank at a time, safe to run again at any point."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol
from uuid import UUID

from memory_service.config import Settings
from memory_service.intake.model_calls import ModelCalls
from memory_service.models.registry import Models
from memory_service.store import Store
from memory_service.types import Bank


@dataclass(frozen=True, slots=True)
class PassContext:
    """What all passes of a nightly run work with."""

    store: Store
    models: Models
    settings: Settings
    at: datetime
    """The present of the run, with a time zone: decay and expiry are computed as of this time."""
    dry_run: bool = False
    """Passes change nothing and call no model; they report what they would change."""
    calls: ModelCalls = field(init=False)
    """Shared by all passes and banks: it records whether a model that fails on one item answers others."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "calls", ModelCalls(self.store))


@dataclass(frozen=True, slots=True)
class Change:
    """What a pass did, or in a dry run would do, to one memory."""

    memory_id: UUID
    type: str
    action: str
    reason: str


@dataclass(slots=True)
class Outcome:
    """The result of a pass in one bank."""

    counts: Counter[str] = field(default_factory=Counter[str])
    changes: list[Change] = field(default_factory=list[Change])
    """Complete in a dry run only."""
    left: bool = False
    """Work is left for the next run, because a model was unavailable or the daily token limit was reached."""


class Pass(Protocol):
    """One step of the nightly run. It consists of transactions that can each be repeated: a pass that is killed and run
    again ends in the same state as an undisturbed one."""

    @property
    def name(self) -> str: ...

    async def run(self, bank: Bank, context: PassContext) -> Outcome: ...
