"""What a pass of the night is: one module each, over one bank at a time, safe to run again at any point."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol
from uuid import UUID

from memory_service.config import Settings
from memory_service.intake.ledger import Ledger
from memory_service.models.registry import Models
from memory_service.store import Store
from memory_service.types import Bank


@dataclass(frozen=True, slots=True)
class Night:
    """What the passes work with, and the time that they take for the present."""

    store: Store
    models: Models
    settings: Settings
    at: datetime
    """With its zone; what ages, fades or expires does so as of then."""
    dry_run: bool = False
    """Nothing is changed and no model is asked: a pass says what it would do."""
    ledger: Ledger = field(init=False)
    """Of the calls of all passes and banks: it knows whether a model that does not answer one answers others."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "ledger", Ledger(self.store))


@dataclass(frozen=True, slots=True)
class Act:
    """What a pass did, or would do, to one memory."""

    memory_id: UUID
    type: str
    act: str
    reason: str


@dataclass(slots=True)
class Outcome:
    """What a pass came to in one bank."""

    counts: Counter[str] = field(default_factory=Counter[str])
    acts: list[Act] = field(default_factory=list[Act])
    """In a dry run: all that would be done."""
    left: bool = False
    """Something waits for another night, because a model was out of reach or the day's tokens were used up."""


class Pass(Protocol):
    """One step of the night. What it does in a bank is made of transactions that can each be done again: killed in
    between and run once more, it ends where an undisturbed run does."""

    @property
    def name(self) -> str: ...

    async def run(self, bank: Bank, night: Night) -> Outcome: ...
