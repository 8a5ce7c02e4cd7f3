"""A bank's own embedder, and every text with its vector: what each step that embeds needs."""

from __future__ import annotations

from collections.abc import Sequence

from memory_service.errors import InvalidInput, InvalidOutput, ProviderUnavailable
from memory_service.models.interface import Embedder, Embeddings
from memory_service.models.registry import Models


def embedder_of(models: Models, model_id: str) -> Embedder:
    """A bank's own model. That it is not set up here is an outage of configuration, not the row's fault."""
    try:
        return models.embedder(model_id)
    except InvalidInput as error:
        raise ProviderUnavailable(f"embedding model {model_id}: {error}") from error


async def vectors_of(embedder: Embedder, texts: Sequence[str]) -> Embeddings:
    """A vector for each text. Errors: as Embedder; InvalidOutput where their numbers differ."""
    answer = await embedder.embed_documents(texts)
    if answer.vectors.shape[0] != len(texts):
        raise InvalidOutput(f"{len(texts)} texts were sent, {answer.vectors.shape[0]} vectors came back")
    return answer
