"""Re-embedding of a bank under another embedding model."""

from __future__ import annotations

from memory_service.api.base import MemoryBase
from memory_service.errors import InvalidInput
from memory_service.intake.model_calls import ModelCalls
from memory_service.intake.reembed import End, Reembedder
from memory_service.models.interface import VECTOR_DIMENSIONS
from memory_service.results import Reembedding
from memory_service.validation import check_bank_id, check_count, check_number

KEEP_DAYS = 7
MOST_KEEP_DAYS = 3650
MOST_QUERIES = 1000
SHARE = 0.5


class ReembeddingMethods(MemoryBase):
    """Methods of `Memory` about the embedding model of a bank."""

    async def reembed(
        self,
        bank_id: str,
        model: str | None = None,
        *,
        keep_days: int = KEEP_DAYS,
        verify: int = 0,
        share: float = SHARE,
    ) -> End:
        """Embed all texts of a bank by another model, then switch the bank to it; how it ended.

        Without `model` one that was interrupted is continued. The vectors of the former model are kept for `keep_days`;
        re-embedding under that model within them goes back. `verify`: compare recall@10 of both models by so many
        queries (0 to 1000) first, and do not switch to a model that finds less than 95 % of it. `share`: the share of
        the time that it works. Errors: NotFound; InvalidInput; Conflict while the bank has vectors of a third model;
        those of the model.
        """
        check_number(share, "share", 0.01, 1.0)
        if model is not None:
            check_count(keep_days, "keep_days", 1, MOST_KEEP_DAYS)
            check_count(verify, "verify", 0, MOST_QUERIES)
            embedder = self.models.embedder(model)
            await self.store.banks.register_embedding_model(embedder.name, VECTOR_DIMENSIONS)
            if not await self.store.reembeddings.start(
                check_bank_id(bank_id), embedder.name, keep_days, verify
            ):
                raise InvalidInput("model", f"{embedder.name} is the bank's embedding model")
        reembedder = Reembedder(self.store, self.models, self.settings, ModelCalls(self.store))
        end = await reembedder.run(check_bank_id(bank_id), share=share)
        self.forget_cached_bank(bank_id)
        return end

    async def reembedding(self, bank_id: str) -> Reembedding | None:
        """The state of a bank's re-embedding; None where it has vectors of one model only. Errors: NotFound."""
        return await self.store.reembeddings.read(check_bank_id(bank_id))

    async def end_reembedding(self, bank_id: str) -> bool:
        """Let the nightly run delete the vectors of the model that the bank does not use: the former one, or one that
        is half copied. False where there are none. Errors: NotFound."""
        return await self.store.reembeddings.end(check_bank_id(bank_id))
