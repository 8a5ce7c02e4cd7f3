"""One attempt of a request over httpx2, for either client.

`BlockingTransport` never suspends: a coroutine that awaits nothing else runs to its end in one step (blocking.py).
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Generator
from contextlib import contextmanager
from typing import Protocol

import httpx2
from pydantic import SecretStr

from memory_service import __version__
from memory_service.client.answer import Answer
from memory_service.client.request import Request
from memory_service.errors import ServiceUnavailable

HEADERS = {"user-agent": f"memory-service/{__version__}", "accept": "application/json"}


class Transport(Protocol):
    """Sends requests to one service."""

    async def send(self, request: Request, seconds: float, key: SecretStr | None) -> Answer:
        """The service's answer. Errors: ServiceUnavailable, also without an answer within `seconds`."""
        ...

    async def sleep(self, seconds: float) -> None: ...

    async def aclose(self) -> None: ...


class AsyncTransport:
    """A pool of connections for one event loop."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._client = httpx2.AsyncClient(base_url=address, headers=HEADERS)

    async def send(self, request: Request, seconds: float, key: SecretStr | None) -> Answer:
        with translated(self._address, seconds):
            async with asyncio.timeout(seconds):
                response = await self._client.request(
                    request.method, request.path, params=request.query, content=request.body,
                    headers=headers_of(request, key), timeout=seconds,
                )  # fmt: skip
            return answer_of(response, response.content)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    async def aclose(self) -> None:
        await self._client.aclose()


class BlockingTransport:
    """A pool of connections for any number of threads. Its times are checked between reads of the socket."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._client = httpx2.Client(base_url=address, headers=HEADERS)

    async def send(self, request: Request, seconds: float, key: SecretStr | None) -> Answer:
        end = time.monotonic() + seconds
        with (
            translated(self._address, seconds),
            self._client.stream(
                request.method, request.path, params=request.query, content=request.body,
                headers=headers_of(request, key), timeout=seconds,
            ) as response,
        ):  # fmt: skip
            body = bytearray()
            for part in response.iter_bytes():
                body += part
                if time.monotonic() > end:  # httpx2's timeout is that of one read
                    raise TimeoutError
            return answer_of(response, bytes(body))

    async def sleep(self, seconds: float) -> None:
        time.sleep(seconds)  # noqa: ASYNC251 - no event loop runs this coroutine

    async def aclose(self) -> None:
        self._client.close()


def headers_of(request: Request, key: SecretStr | None) -> list[tuple[str, str]]:
    headers = [*request.headers]
    if request.body is not None:
        headers.append(("content-type", "application/json"))
    if key is not None:
        headers.append(("authorization", f"Bearer {key.get_secret_value()}"))
    return headers


def answer_of(response: httpx2.Response, body: bytes) -> Answer:
    return Answer(response.status_code, dict(response.headers), body)


@contextmanager
def translated(address: str, seconds: float) -> Generator[None]:
    """A block whose failures of connection, protocol and time become ServiceUnavailable.

    It does not show httpx2's error, which holds the request.
    """
    try:
        yield
    except (httpx2.TimeoutException, TimeoutError):
        reason = f"did not answer within {seconds:.3g} s"
    except httpx2.ConnectError:
        reason = "cannot be reached"
    except (httpx2.RequestError, httpx2.StreamError) as error:
        reason = f"did not answer: {type(error).__name__}"
    else:
        return
    raise ServiceUnavailable(f"the service at {address} {reason}") from None
