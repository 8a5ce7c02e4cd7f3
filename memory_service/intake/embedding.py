"""Embedding calls: the bank's own model, one call for the texts of several banks, billed models within limits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from memory_service.errors import InvalidInput, InvalidOutput, ProviderUnavailable
from memory_service.features import Features
from memory_service.intake.by_bank import by_bank
from memory_service.intake.claim_batch import ClaimBatch
from memory_service.intake.model_calls import ModelCalls, Share
from memory_service.models.interface import Embedder, Vectors, estimated_tokens
from memory_service.models.registry import Models
from memory_service.store.work import Claim
from memory_service.types import Usage


class BankPart(Protocol):
    """What an embedding call is to embed for one bank."""

    @property
    def bank_id(self) -> str: ...
    @property
    def features(self) -> Features: ...
    @property
    def claims(self) -> Sequence[Claim]: ...
    @property
    def items(self) -> int:
        """Number of memories, for `model_call.items`."""
        ...

    @property
    def tokens(self) -> int:
        """Estimated tokens."""
        ...


P = TypeVar("P", bound=BankPart)


def embedder_of(models: Models, model_id: str) -> Embedder:
    """The embedder of a bank. Errors: ProviderUnavailable where it is not configured here: no attempt is counted."""
    try:
        return models.embedder(model_id)
    except InvalidInput as error:
        raise ProviderUnavailable(f"embedding model {model_id}: {error}") from error


async def vectors_of(embedder: Embedder, texts: Sequence[str]) -> tuple[Vectors, Usage | None]:
    """One vector for each text, and the usage. Errors: as Embedder; InvalidOutput for a different number of vectors."""
    answer = await embedder.embed_documents(texts)
    if answer.vectors.shape[0] != len(texts):
        raise InvalidOutput(f"{len(texts)} texts were sent, {answer.vectors.shape[0]} vectors came back")
    return answer.vectors, answer.usage


async def embed_texts(
    calls: ModelCalls, embedder: Embedder, bank_id: str, daily_tokens: int | None, texts: Sequence[str]
) -> Vectors:
    """One vector for each text of one bank. Errors: TokenLimitReached of a billed embedder; as `vectors_of`."""
    if not embedder.billed:
        return (await vectors_of(embedder, texts))[0]
    estimate = Usage(embedder.name, "embed", sum(map(estimated_tokens, texts)))
    share = Share(estimate, len(texts), daily_tokens)
    return await calls.call(bank_id, share, lambda: vectors_of(embedder, texts))


async def embed_parts(
    calls: ModelCalls,
    embedder: Embedder,
    parts: Sequence[P],
    texts_of: Callable[[P], Sequence[str]],
    batch: ClaimBatch,
) -> list[tuple[P, Vectors]]:
    """Embed the parts of several banks in one call; each part with its vectors, one row per text.

    With a billed embedder each bank pays its share, and parts of a bank whose daily token limit is reached are left
    out, their claims postponed. Errors: as `vectors_of`.
    """
    texts = {id(part): texts_of(part) for part in parts}

    async def embed(chosen: Sequence[P]) -> tuple[Vectors, Usage | None]:
        return await vectors_of(embedder, [text for part in chosen for text in texts[id(part)]])

    if embedder.billed:
        shares = {
            bank_id: Share(
                Usage(embedder.name, "embed", sum(part.tokens for part in own)),
                sum(part.items for part in own),
                own[0].features.daily_tokens,
            )
            for bank_id, own in by_bank(parts, lambda part: part.bank_id).items()
        }
        async with calls.reserve(shares) as reservation:
            for part in parts:
                if part.bank_id not in reservation.call_ids:
                    await calls.postpone(part.bank_id, part.claims, batch)
            parts = [part for part in parts if part.bank_id in reservation.call_ids]
            if not parts:
                return []
            vectors, reservation.usage = await embed(parts)
    else:
        vectors, _ = await embed(parts)
    found: list[tuple[P, Vectors]] = []
    first = 0
    for part in parts:
        rows = len(texts[id(part)])
        found.append((part, vectors[first : first + rows]))
        first += rows
    return found
