"""The methods of `MemoryMethods` over a command's connection to the running service."""

from __future__ import annotations

import asyncio
from http.client import HTTPException
from urllib.parse import urlencode

from pydantic import SecretStr

from memory_service.cli.client import CALL_SECONDS, Client
from memory_service.client.answer import Answer
from memory_service.client.caller import Caller, Limits, Target
from memory_service.client.methods import Calls
from memory_service.client.request import Request
from memory_service.errors import ServiceUnavailable


class ConnectionTransport:
    """Sends the requests of `Calls` over the connection of a Client, which has its time limit and API key."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def send(self, request: Request, seconds: float, key: SecretStr | None) -> Answer:
        path = f"{request.path}?{urlencode(request.query)}" if request.query else request.path
        try:
            return Answer(*self._client.send(request.method, path, request.body, dict(request.headers)))
        except (OSError, HTTPException) as error:
            raise ServiceUnavailable(f"the service did not answer: {type(error).__name__}") from None

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    async def aclose(self) -> None:
        self._client.close()


class ServiceMethods(Calls):
    """The methods of the service that a Client has found. Each call is sent once; its coroutine never suspends."""

    def __init__(self, client: Client) -> None:
        limits = Limits(CALL_SECONDS, CALL_SECONDS, max_attempts=1)
        super().__init__(Caller(Target(client.address, None, None), ConnectionTransport(client), limits))

    async def aclose(self) -> None:
        await self.caller.aclose()
