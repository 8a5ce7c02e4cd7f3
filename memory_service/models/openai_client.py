"""Client of an OpenAI-compatible API: one connection pool, no retries by the SDK, errors of this package."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TypeVar

import httpx2
import openai
from pydantic import BaseModel, ValidationError

from memory_service.config import Settings
from memory_service.errors import (
    InvalidInput,
    InvalidOutput,
    ModelError,
    NoAnswer,
    ProviderUnavailable,
    RequestRejected,
)
from memory_service.validation import check_address

ADDRESS_SETTING = "MEMORY_OPENAI_BASE_URL"
KEY_SETTING = "OPENAI_API_KEY"
OPENAI_ADDRESS = "https://api.openai.com/v1"

_REJECTED = frozenset((400, 413, 422))
"""Statuses caused by the request itself. Others are configuration errors or outages and count no attempt."""


class _Form(BaseModel):
    """The fields of an answer that are used; servers differ in the others, which are ignored."""


class Usage(_Form):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class EmbeddedText(_Form):
    index: int
    embedding: list[float]


class EmbeddingAnswer(_Form):
    data: list[EmbeddedText]
    usage: Usage | None = None


class Message(_Form):
    content: str | None = None
    refusal: str | None = None


class Choice(_Form):
    message: Message
    finish_reason: str | None = None


class ChatAnswer(_Form):
    choices: list[Choice]
    usage: Usage | None = None


Answer = TypeVar("Answer", bound=_Form)


class OpenAIClient:
    """One connection pool to the API for one model, created in the event loop of the first call.

    `name` is the model's name in settings: `openai:llama3.2:3b` is `llama3.2:3b` on the server.

    Every method raises ProviderUnavailable, RequestRejected (status 400, 413 or 422) or InvalidOutput. Their messages
    contain statuses and model names, never the key or parts of a request or answer.
    Errors: InvalidInput naming the setting when neither an address nor a key is set, or one of them is invalid.
    """

    def __init__(self, settings: Settings, name: str) -> None:
        key = (settings.openai_api_key.get_secret_value() if settings.openai_api_key else "").strip()
        if settings.openai_base_url is None and not key:
            problem = f"not set, nor is {KEY_SETTING}, but an openai: model is requested"
            raise InvalidInput(ADDRESS_SETTING, problem)
        if not re.fullmatch(r"[!-~]*", key):
            raise InvalidInput(
                KEY_SETTING, "no key of an API: it holds spaces or other than ASCII characters"
            )
        self._name = name
        self._model = name.partition(":")[2]
        self._key = key
        self._address = check_address(settings.openai_base_url or OPENAI_ADDRESS, ADDRESS_SETTING)
        self._seconds = settings.model_timeout_seconds
        self._client: openai.AsyncOpenAI | None = None

    async def embed(self, texts: Sequence[str], dimensions: int | None) -> EmbeddingAnswer:
        """One request for all `texts`; `dimensions` is sent only if it is not None."""
        # Without encoding_format some servers answer in base64.
        body: dict[str, object] = {"model": self._model, "input": list(texts), "encoding_format": "float"}
        if dimensions is not None:
            body["dimensions"] = dimensions
        return await self._post(EmbeddingAnswer, "/embeddings", body)

    async def chat(self, system: str, user: str, form: object) -> ChatAnswer:
        """One answer; `form` is the request's response_format, None for plain text."""
        messages = [{"role": "system", "content": system}, {"role": "user", "content": user}]
        body: dict[str, object] = {"model": self._model, "messages": messages}
        if form is not None:
            body["response_format"] = form
        return await self._post(ChatAnswer, "/chat/completions", body)

    async def aclose(self) -> None:
        """Close the connections; the next call opens new ones."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    async def _post(self, form: type[Answer], path: str, body: dict[str, object]) -> Answer:
        async with self._translated():
            # The SDK does not validate its response types; the models above do.
            answer = await self._opened().post(path, cast_to=httpx2.Response, body=body)
        return _read(form, self._name, answer.content)

    def _opened(self) -> openai.AsyncOpenAI:
        if self._client is None:
            # No redirects: texts and key must not be sent to another host.
            hooks = {"request": [self._set_headers]}
            http = httpx2.AsyncClient(follow_redirects=False, timeout=self._seconds, event_hooks=hooks)
            # The SDK takes missing arguments from OPENAI_ variables. The key is set in _set_headers.
            self._client = openai.AsyncOpenAI(
                api_key="-",
                base_url=self._address,
                timeout=self._seconds,
                max_retries=0,
                http_client=http,
            )
        return self._client

    async def _set_headers(self, request: httpx2.Request) -> None:
        """Replace all headers: the SDK adds some that describe this machine, and those that OPENAI_CUSTOM_HEADERS,
        OPENAI_ORG_ID and OPENAI_PROJECT_ID define."""
        headers = {
            "Host": request.url.netloc.decode("ascii"),
            "Accept": "application/json",
            "Accept-Encoding": "gzip, deflate",
            "Content-Type": "application/json",
            "Content-Length": str(len(request.content)),
            "User-Agent": "memory-service",
        }
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        request.headers = httpx2.Headers(headers)

    @asynccontextmanager
    async def _translated(self) -> AsyncGenerator[None]:
        """Raise this package's errors for the SDK's, `from None`: the SDK's messages may quote the request."""
        try:
            # The SDK's timeout applies to each read: a slow stream would never time out.
            async with asyncio.timeout(self._seconds):
                yield
        except openai.APIStatusError as error:
            raise _from_status(self._name, error) from None
        except (TimeoutError, openai.APITimeoutError):
            raise NoAnswer(f"{self._name}: no answer in time") from None
        except openai.APIConnectionError as error:
            kind = type(error.__cause__ or error).__name__
            if isinstance(error.__cause__, httpx2.RemoteProtocolError):
                raise NoAnswer(f"{self._name}: the connection was dropped") from None
            raise ProviderUnavailable(f"{self._name}: no connection ({kind})") from None
        except (httpx2.RequestError, httpx2.InvalidURL, OSError) as error:
            raise ProviderUnavailable(f"{self._name}: no connection ({type(error).__name__})") from None
        except openai.OpenAIError as error:
            raise InvalidOutput(f"{self._name}: the answer cannot be read ({type(error).__name__})") from None


def _read(form: type[Answer], name: str, body: bytes) -> Answer:
    try:
        return form.model_validate_json(body)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        cause = str(first.get("ctx", {}).get("error", ""))
    if cause.startswith("EOF while parsing"):
        raise NoAnswer(f"{name}: the answer broke off") from None
    raise InvalidOutput(f"{name}: the answer is not in the API's format") from None


def _from_status(name: str, error: openai.APIStatusError) -> ModelError:
    status = error.status_code
    problem = f"{name}: status {status}"
    if status in (401, 403) or error.code == "invalid_api_key":
        return ProviderUnavailable(f"{problem}, the key in {KEY_SETTING} is missing or refused")
    if status == 404 or error.code == "model_not_found":
        # A retired or misspelt model name is a configuration error: it must not count as an attempt of a work item.
        return ProviderUnavailable(f"{problem}, no such model there, or {ADDRESS_SETTING} is wrong")
    if status in _REJECTED and error.code != "insufficient_quota":
        return RequestRejected(problem)
    return ProviderUnavailable(problem, retry_after=_retry_after(error.response.headers.get("retry-after")))


def _retry_after(header: str | None) -> float | None:
    """Seconds of a Retry-After header, which contains seconds or a date (RFC 9110 §10.2.3)."""
    value = (header or "").strip()
    if re.fullmatch(r"\d{1,9}(\.\d{1,9})?", value):
        return float(value)
    try:
        until = parsedate_to_datetime(value)
    except (ValueError, OverflowError):
        return None
    return max(0.0, (until.replace(tzinfo=until.tzinfo or UTC) - datetime.now(UTC)).total_seconds())
