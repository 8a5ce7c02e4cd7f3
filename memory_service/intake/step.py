"""Base of the worker's steps."""

from __future__ import annotations

from abc import ABC, abstractmethod

from memory_service.config import Settings
from memory_service.features import Features, features_of
from memory_service.intake.claim_batch import ClaimBatch
from memory_service.intake.model_calls import ModelCalls
from memory_service.models.registry import Models
from memory_service.store import Store
from memory_service.store.work import Kind
from memory_service.types import Bank


class Step(ABC):
    """Processes one kind of work item. `run` settles claims of the batch; those left unsettled have failed."""

    kind: Kind
    batch: int
    per_bank: int
    parallel: int
    """Concurrent batches in one worker."""
    feeds: tuple[Kind, ...] = ()
    """Kinds of work items that this step creates."""

    def __init__(self, store: Store, models: Models, settings: Settings) -> None:
        self._store = store
        self._models = models
        self._settings = settings
        self._calls = ModelCalls(store)

    @abstractmethod
    async def run(self, batch: ClaimBatch) -> None: ...

    async def _read_bank(self, bank_id: str) -> tuple[Bank, Features]:
        bank = await self._store.banks.read(bank_id)
        return bank, features_of(bank.settings, self._settings)
