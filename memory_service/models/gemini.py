"""Gemini as embedder and language model, through google-genai."""

from __future__ import annotations

from collections.abc import Sequence

from google.genai import types

from memory_service.config import Settings
from memory_service.errors import InvalidOutput
from memory_service.models.gemini_client import GeminiClient
from memory_service.models.interface import (
    VECTOR_DIMENSIONS,
    Embeddings,
    Reply,
    Task,
    Vectors,
    embed_in_requests,
    estimated_tokens,
    unit_vectors,
)

MOST_TEXTS = 100
"""Texts of one request, a limit of the API."""


LONGEST_BYTES = 4_000
"""About 1,000 tokens of Latin text, and in practice at most 2,048 tokens of any other."""


class GeminiEmbedder:
    """A Gemini embedding model with 768 dimensions; an interface.Embedder.

    gemini-embedding-2 takes its task from a prefix of the text, gemini-embedding-001 from task_type.
    Errors: InvalidInput naming GEMINI_API_KEY without a key; at a call ProviderUnavailable,
    RequestRejected, InvalidOutput.
    """

    billed = True

    def __init__(self, settings: Settings, model: str) -> None:
        self._client = GeminiClient(settings)
        self._model = model
        self._by_task_type = model == "gemini-embedding-001"

    @property
    def name(self) -> str:
        return self._model

    def fits(self, text: str) -> bool:
        """Whether the text is certainly within the model's limit of 2,048 tokens: a token has at least one byte."""
        return len(text.encode()) <= LONGEST_BYTES

    async def embed_documents(self, texts: Sequence[str]) -> Embeddings:
        """Unit vectors, float32 (len(texts), 768), in the order of the texts; a request per 100 texts."""
        if self._by_task_type:
            return await self._embed(texts, "RETRIEVAL_DOCUMENT")
        return await self._embed([f"title: none | text: {text}" for text in texts], None)

    async def embed_query(self, text: str) -> Embeddings:
        """A unit vector, float32 (1, 768)."""
        if self._by_task_type:
            return await self._embed([text], "RETRIEVAL_QUERY")
        return await self._embed([f"task: search result | query: {text}"], None)

    async def aclose(self) -> None:
        await self._client.aclose()

    async def _embed(self, texts: Sequence[str], task_type: str | None) -> Embeddings:
        config = types.EmbedContentConfig(output_dimensionality=VECTOR_DIMENSIONS, task_type=task_type)

        async def request(part: Sequence[str]) -> tuple[Vectors, int]:
            # Bare strings would become the parts of one content and get a single vector.
            contents = [types.Content(parts=[types.Part(text=text)]) for text in part]
            answer = await self._client.embed(self._model, contents, config)
            counted = answer.usage_metadata.prompt_token_count if answer.usage_metadata else None
            tokens = counted or sum(map(estimated_tokens, part))
            return _unit_vectors(self._model, answer, len(part)), tokens

        return await embed_in_requests(self._model, texts, MOST_TEXTS, request)


class GeminiLanguageModel:
    """A Gemini model that answers in JSON; an interface.LanguageModel. Errors: as GeminiEmbedder."""

    def __init__(self, settings: Settings, model: str) -> None:
        self._client = GeminiClient(settings)
        self._model = model

    @property
    def name(self) -> str:
        return self._model

    async def aclose(self) -> None:
        await self._client.aclose()

    async def ask(self, task: Task, texts: Sequence[str]) -> Reply:
        # The schema does not guarantee the form: a truncated answer has status 200. The caller validates it.
        config = types.GenerateContentConfig(
            system_instruction=task.instructions,
            response_mime_type="application/json",
            response_schema=task.form,
        )
        contents = [types.Content(role="user", parts=[types.Part(text=text)]) for text in texts]
        answer = await self._client.generate(self._model, contents, config)
        text = _answer_text(answer)
        used = answer.usage_metadata
        given = used.prompt_token_count if used else None
        spoken = (used.candidates_token_count or 0) + (used.thoughts_token_count or 0) if used else 0
        return Reply(
            text,
            given or estimated_tokens(task.instructions) + sum(map(estimated_tokens, texts)),
            spoken or estimated_tokens(text),
        )


def _answer_text(answer: types.GenerateContentResponse) -> str:
    content = answer.candidates[0].content if answer.candidates else None
    parts = (content.parts if content else None) or []
    return "".join(part.text for part in parts if part.text and not part.thought)


def _unit_vectors(model: str, answer: types.EmbedContentResponse, texts: int) -> Vectors:
    embeddings = answer.embeddings or []
    if len(embeddings) != texts:
        raise InvalidOutput(f"{model}: {len(embeddings)} vectors for {texts} texts")
    values = [embedding.values or [] for embedding in embeddings]
    wrong = {len(value) for value in values} - {VECTOR_DIMENSIONS}
    if wrong:
        raise InvalidOutput(f"{model}: {max(wrong)} dimensions instead of {VECTOR_DIMENSIONS}")
    return unit_vectors(model, values)
