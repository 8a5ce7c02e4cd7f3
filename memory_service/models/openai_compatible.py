"""Embedder and language model behind an OpenAI-compatible API: OpenAI, Ollama, vLLM, LM Studio and others."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Sequence
from typing import Any, cast

from pydantic import BaseModel

from memory_service.config import Settings
from memory_service.errors import InvalidOutput, RequestRejected
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
from memory_service.models.openai_client import ChatAnswer, EmbeddingAnswer, OpenAIClient

MOST_TEXTS = 100
"""Texts of one request. OpenAI accepts 2,048, but a small server processes them one by one within one timeout."""

LONGEST_BYTES = 1_000
"""For models that read 512 tokens, the smallest usual limit: about 250 tokens of Latin text, and in practice at most
512 of any other. Servers do not report the limit, and most truncate longer texts silently."""

_UNSUPPORTED = frozenset(("title", "default", "minimum", "maximum", "minLength", "maxLength"))


class OpenAIEmbedder:
    """An embedding model behind an OpenAI-compatible API; an interface.Embedder.

    `dimensions` 768 is requested only after an answer with more: many servers refuse or ignore the parameter. Longer
    vectors are not truncated here, which is valid only for models trained for it (Matryoshka).
    Errors: InvalidInput naming MEMORY_OPENAI_BASE_URL without an address and key; at a call
    ProviderUnavailable, RequestRejected, InvalidOutput.
    """

    billed = True

    def __init__(self, settings: Settings, name: str) -> None:
        self._client = OpenAIClient(settings, name)
        self._name = name
        self._dimensions: int | None = None
        """Requested dimensions; None for the server's default."""

    @property
    def name(self) -> str:
        return self._name

    def fits(self, text: str) -> bool:
        """Whether the text is certainly within 512 tokens: a token has at least one byte, and usually four."""
        return len(text.encode()) <= LONGEST_BYTES

    async def embed_documents(self, texts: Sequence[str]) -> Embeddings:
        """Unit vectors, float32 (len(texts), 768), in the order of the texts; a request per 100 texts."""
        return await embed_in_requests(self._name, texts, MOST_TEXTS, self._embed)

    async def embed_query(self, text: str) -> Embeddings:
        """A unit vector, float32 (1, 768). The API embeds queries and documents alike."""
        return await self.embed_documents([text])

    async def aclose(self) -> None:
        await self._client.aclose()

    async def _embed(self, texts: Sequence[str]) -> tuple[Vectors, int]:
        answer = await self._client.embed(texts, self._dimensions)
        tokens = _tokens(answer, texts)
        values = self._ordered(answer, len(texts))
        given = len(values[0])
        if given > VECTOR_DIMENSIONS and self._dimensions is None:
            try:
                answer = await self._client.embed(texts, VECTOR_DIMENSIONS)
            except RequestRejected:  # the same texts were accepted without `dimensions`
                raise self._too_long(given) from None
            tokens += _tokens(answer, texts)
            values = self._ordered(answer, len(texts))
        if len(values[0]) > VECTOR_DIMENSIONS:
            raise self._too_long(len(values[0]))
        if given > VECTOR_DIMENSIONS:
            self._dimensions = VECTOR_DIMENSIONS
        return unit_vectors(self._name, values), tokens

    def _ordered(self, answer: EmbeddingAnswer, texts: int) -> list[list[float]]:
        """The vectors in the order of the texts, by `index`: a server may return them in another order."""
        by_index = {entry.index: entry.embedding for entry in answer.data}
        if len(answer.data) != texts:
            raise InvalidOutput(f"{self._name}: {len(answer.data)} vectors for {texts} texts")
        if by_index.keys() != set(range(texts)):
            raise InvalidOutput(f"{self._name}: the vectors are not numbered 0 to {texts - 1}")
        values = [by_index[index] for index in range(texts)]
        lengths = {len(value) for value in values}
        if len(lengths) > 1:
            raise InvalidOutput(f"{self._name}: vectors of {min(lengths)} to {max(lengths)} dimensions")
        return values

    def _too_long(self, dimensions: int) -> InvalidOutput:
        problem = f"{dimensions} dimensions, and the server does not give {VECTOR_DIMENSIONS} when asked to"
        return InvalidOutput(f"{self._name}: {problem}")


class OpenAILanguageModel:
    """A chat model that answers in JSON; an interface.LanguageModel.

    Requests a strict JSON schema; from a server that refuses it any JSON object, then text, and from then on the first
    that it accepted. The server's context length must be sufficient for instructions and messages: Ollama, for example,
    truncates a longer prompt silently.
    Errors: as OpenAIEmbedder.
    """

    def __init__(self, settings: Settings, name: str) -> None:
        self._client = OpenAIClient(settings, name)
        self._name = name
        self._forms: tuple[str | None, ...] = ("json_schema", "json_object", None)
        """Response formats still to try; a single one once the server has accepted it."""

    @property
    def name(self) -> str:
        return self._name

    async def aclose(self) -> None:
        await self._client.aclose()

    async def ask(self, task: Task, texts: Sequence[str]) -> Reply:
        # One user message: the templates of some models refuse two consecutive ones.
        user = "\n\n".join(texts)
        repairing = len(texts) > 1
        *others, last = self._forms
        for form in others:
            try:
                return await self._ask_for(task, form, user, repairing)
            except _FormRefused:
                continue
        try:
            return await self._ask_for(task, last, user, repairing)
        except _FormRefused as refused:
            raise RequestRejected(str(refused)) from None

    async def _ask_for(self, task: Task, form: str | None, user: str, repairing: bool) -> Reply:
        # The repair call repeats the schema in the prompt, for servers that ignore the parameter.
        system, schema = task.instructions, strict_schema_of(task.form)
        if form != "json_schema" or repairing:
            system += SCHEMA_IN_WORDS.format(json.dumps(schema, separators=(",", ":")))
        wanted: dict[str, object] = {"type": form}
        if form == "json_schema":
            wanted["json_schema"] = {"name": task.purpose, "strict": True, "schema": schema}
        try:
            answer = await self._client.chat(system, user, wanted if form else None)
        except RequestRejected as error:
            raise _FormRefused(str(error)) from None
        self._forms = (form,)
        text = json_of(_text(self._name, answer))
        used = answer.usage
        return Reply(
            text,
            (used and used.prompt_tokens) or estimated_tokens(system) + estimated_tokens(user),
            (used and used.completion_tokens) or estimated_tokens(text),
        )


class _FormRefused(Exception):
    """The server refuses the request, possibly only for its response format."""


@functools.cache
def strict_schema_of(form: type[BaseModel]) -> object:
    return strict_schema(form.model_json_schema())


def strict_schema(schema: object) -> object:
    """A pydantic schema for strict mode: no additional properties, all required, without the limits that OpenAI
    refuses; these are checked when the answer is validated."""
    if isinstance(schema, list):
        return [strict_schema(entry) for entry in cast("list[object]", schema)]
    if not isinstance(schema, dict):
        return schema
    found: dict[str, object] = {}
    for key, value in cast("dict[str, Any]", schema).items():
        if key in ("properties", "$defs"):  # the keys below are names, not keywords
            found[key] = {name: strict_schema(entry) for name, entry in value.items()}
        elif key not in _UNSUPPORTED:
            found[key] = strict_schema(value)
    if "properties" in found:
        found |= {
            "additionalProperties": False,
            "required": list(cast("dict[str, Any]", found["properties"])),
        }
    return found


def json_of(text: str) -> str:
    """The JSON of an answer without preceding thoughts and the code fence around it."""
    text = text.strip()
    if text.startswith("{"):
        return text
    # JSON strings contain no line breaks, so neither marker below can be part of one.
    text = text.partition("</think>\n")[2].strip() or text
    fenced = re.search(r"^```\w*[ \t]*\n(.*?)^[ \t]*```", text, re.DOTALL | re.MULTILINE)
    return fenced[1].strip() if fenced else text


def _text(name: str, answer: ChatAnswer) -> str:
    """The text of an answer; empty where the token limit was used up before. Errors: RequestRejected for a refusal."""
    if not answer.choices:
        raise RequestRejected(f"{name}: no choices")
    choice = answer.choices[0]
    if choice.message.refusal:
        raise RequestRejected(f"{name}: the model refuses")
    if choice.finish_reason == "content_filter":
        raise RequestRejected(f"{name}: the answer is withheld (content_filter)")
    return choice.message.content or ""


def _tokens(answer: EmbeddingAnswer, texts: Sequence[str]) -> int:
    counted = answer.usage.prompt_tokens if answer.usage else None
    return counted or sum(map(estimated_tokens, texts))


SCHEMA_IN_WORDS = """
Answer with one JSON object of this JSON schema and with nothing else:
{}
"""
