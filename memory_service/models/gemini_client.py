"""Client of the Gemini API: one connection pool, no retries by the SDK, errors of this package."""

from __future__ import annotations

import asyncio
import json
import math
import re
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, cast

import httpx2
from google.genai import Client, errors, types
from pydantic import ValidationError

from memory_service.config import Settings
from memory_service.errors import (
    InvalidInput,
    InvalidOutput,
    ModelError,
    NoAnswer,
    ProviderUnavailable,
    RequestRejected,
)

KEY_SETTING = "GEMINI_API_KEY"

_WITHHELD = frozenset(
    ("SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "LANGUAGE", "MODEL_ARMOR")
)


class GeminiClient:
    """One connection pool to the Gemini API, created in the event loop of the first call.

    Every method raises ProviderUnavailable, RequestRejected or InvalidOutput. Their messages contain statuses and model
    names, never the key or parts of a request or answer.
    Errors: InvalidInput naming GEMINI_API_KEY when it is not set.
    """

    def __init__(self, settings: Settings) -> None:
        if settings.gemini_api_key is None or not settings.gemini_api_key.get_secret_value().strip():
            raise InvalidInput(KEY_SETTING, "not set, but a Gemini model is requested")
        self._settings = settings
        self._key = settings.gemini_api_key
        self._http: httpx2.AsyncClient | None = None
        self._client: Client | None = None

    async def embed(
        self, model: str, contents: Sequence[types.Content], config: types.EmbedContentConfig
    ) -> types.EmbedContentResponse:
        """One request for all `contents`, at most 100 of them."""
        async with self._translated(model):
            # The SDK's parameter type is a union of lists, to which a Sequence is not assignable.
            return await self._models().embed_content(
                model=model, contents=cast("types.ContentListUnion", list(contents)), config=config
            )

    async def generate(
        self, model: str, contents: Sequence[types.Content], config: types.GenerateContentConfig
    ) -> types.GenerateContentResponse:
        """One answer; a refusal to answer is RequestRejected."""
        async with self._translated(model):
            answer = await self._models().generate_content(
                model=model, contents=cast("types.ContentListUnion", list(contents)), config=config
            )
        _refuse_empty(model, answer)
        return answer

    async def aclose(self) -> None:
        """Close the connections; the next call opens new ones."""
        client, http = self._client, self._http
        self._client = self._http = None
        if client is not None:
            client.close()
        if http is not None:
            await http.aclose()

    def _models(self) -> Any:
        if self._client is None:
            # Without an explicit client the SDK uses aiohttp where it is installed, with other timeouts and a retry.
            # A client, unlike a bare transport, still honours HTTPS_PROXY. No redirects: the key must not be sent to
            # another host.
            self._http = httpx2.AsyncClient(follow_redirects=False)
            options = types.HttpOptions(
                base_url=self._settings.gemini_base_url,
                api_version=self._settings.gemini_api_version,
                timeout=math.ceil(self._settings.model_timeout_seconds * 1000),  # milliseconds
                httpx_async_client=self._http,
            )
            # enterprise=False: environment variables could otherwise direct the texts to another product.
            self._client = Client(
                enterprise=False, api_key=self._key.get_secret_value(), http_options=options
            )
        return self._client.aio.models

    @asynccontextmanager
    async def _translated(self, model: str) -> AsyncGenerator[None]:
        """Raise this package's errors for the SDK's, `from None`: the SDK's messages may quote the request."""
        try:
            # The SDK's timeout applies to each read: a slow stream would never time out.
            async with asyncio.timeout(self._settings.model_timeout_seconds):
                yield
        except errors.APIError as error:
            raise _from_status(model, error) from None
        except TimeoutError:
            raise NoAnswer(f"{model}: no answer in time") from None
        except httpx2.TimeoutException:
            raise NoAnswer(f"{model}: no answer in time") from None
        except httpx2.RemoteProtocolError:
            raise NoAnswer(f"{model}: the connection was dropped") from None
        except (httpx2.RequestError, httpx2.InvalidURL, OSError) as error:
            raise ProviderUnavailable(f"{model}: no connection ({type(error).__name__})") from None
        except (ValidationError, json.JSONDecodeError, UnicodeDecodeError, errors.UnknownApiResponseError):
            raise InvalidOutput(f"{model}: the answer is not in the API's format") from None


def _from_status(model: str, error: errors.APIError) -> ModelError:
    code = error.code
    problem = f"{model}: status {code}"
    reasons = {str(detail.get("reason")) for detail in _details(error)}
    if code in (401, 403) or "API_KEY_INVALID" in reasons:  # a wrong key is a 400 there
        return ProviderUnavailable(f"{problem}, the key in {KEY_SETTING} is refused")
    if code == 400 and error.status == "FAILED_PRECONDITION":
        return ProviderUnavailable(f"{problem}, the API is not available to this account or place")
    if code == 429:
        return ProviderUnavailable(f"{problem}, too many requests", retry_after=_retry_after(error))
    if code in (402, 408, 409) or not 400 <= code < 500:
        return ProviderUnavailable(problem, retry_after=_retry_after(error))
    if code == 404:
        # A retired or misspelt model name is a configuration error: it must not count as an attempt of a work item.
        return ProviderUnavailable(f"{problem}, the API does not know this model")
    return RequestRejected(problem)


def _details(error: errors.APIError) -> list[Mapping[str, Any]]:
    """The details of a Google error, with and without the wrapping `error` object."""
    body = _mapping(cast("Any", error).details)
    found = (_mapping(body.get("error")) or body).get("details")
    return [_mapping(entry) for entry in cast("list[object]", found)] if isinstance(found, list) else []


def _mapping(value: object) -> Mapping[str, Any]:
    """The value if it is an object, else an empty mapping."""
    return cast("Mapping[str, Any]", value) if isinstance(value, Mapping) else {}


def _retry_after(error: errors.APIError) -> float | None:
    """Seconds of the RetryInfo in the details, which the SDK ignores."""
    for detail in _details(error):
        if str(detail.get("@type", "")).endswith("google.rpc.RetryInfo"):
            delay = re.fullmatch(r"(\d{1,9}(?:\.\d{1,9})?)s", str(detail.get("retryDelay")))
            if delay:
                return float(delay[1])
    return None


def _refuse_empty(model: str, answer: types.GenerateContentResponse) -> None:
    blocked = answer.prompt_feedback.block_reason if answer.prompt_feedback else None
    if blocked is not None:
        raise RequestRejected(f"{model}: the prompt is blocked ({_label(blocked)})")
    if not answer.candidates:
        raise RequestRejected(f"{model}: no candidates")
    finish = answer.candidates[0].finish_reason
    if finish is not None and _label(finish) in _WITHHELD:
        raise RequestRejected(f"{model}: the answer is withheld ({_label(finish)})")
    content = answer.candidates[0].content
    if content is None or not content.parts:
        raise RequestRejected(f"{model}: an empty candidate")


def _label(value: object) -> str:
    """The name of an enumeration member, at most 40 capital letters: the API must not put text into an error."""
    return re.sub(r"[^A-Z_]", "", str(getattr(value, "value", value)))[:40]
