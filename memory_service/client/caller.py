"""Calls of the service: attempts, deadline, pauses (docs/design.md, Interfaces)."""

from __future__ import annotations

import json
import os
import random
import re
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from pydantic import SecretStr

from memory_service.client.answer import TEMPORARY, Answer, decoded, error_in
from memory_service.client.request import Request, request
from memory_service.errors import InvalidInput, ServiceUnavailable
from memory_service.running_service import API_KEY, URL, api_key, find_service
from memory_service.validation import check_address, check_count, check_number

if TYPE_CHECKING:  # httpx2 is an extra
    from memory_service.client.transport import Transport

T = TypeVar("T")

HEALTH = request("GET", "/healthz")
HEALTH_SECONDS = 2.0
FIRST_PAUSE_SECONDS = 0.1
LONGEST_PAUSE_SECONDS = 5.0
MAX_SECONDS = 86_400.0
MIN_SECONDS = 0.001
MAX_ATTEMPTS = 100
KEY = re.compile(r"[!-~]+")


@dataclass(frozen=True, slots=True)
class Target:
    """The service that a client calls."""

    address: str
    key: SecretStr | None
    identity: str | None
    """As in /healthz; set where the address was found in a data folder and may be another service's by now."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of one call."""

    timeout_seconds: float
    """Of one attempt."""
    deadline_seconds: float
    """Of all attempts and the pauses between them."""
    max_attempts: int

    def __post_init__(self) -> None:
        for name in ("timeout_seconds", "deadline_seconds"):
            if check_number(getattr(self, name), name, MIN_SECONDS, MAX_SECONDS) is None:
                raise InvalidInput(name, "must be a finite number")
        check_count(self.max_attempts, "max_attempts", 1, MAX_ATTEMPTS)


def target_of(base_url: str | None, key: str | None) -> Target:
    """The service at `base_url`, else at MEMORY_URL, else the one that runs on the data folder, as commands find it.

    `key`: default MEMORY_API_KEY or the file MEMORY_API_KEY_FILE. Errors: InvalidInput naming the setting.
    """
    text = api_key() if key is None else key
    if text and not KEY.fullmatch(text):
        raise InvalidInput(API_KEY, "must be of printable ASCII characters without spaces")
    secret = SecretStr(text) if text else None
    if base_url is not None:
        return Target(check_address(base_url, "base_url"), secret, None)
    address = os.environ.get(URL)
    if address:
        return Target(check_address(address, URL), secret, None)
    service = find_service()
    if service is None:
        raise InvalidInput(URL, "is not set, and no service runs on the data folder with these settings")
    return Target(service.address, secret, service.identity)


class Caller:
    """Sends requests to one service and repeats those that are safe to repeat."""

    def __init__(self, target: Target, transport: Transport, limits: Limits) -> None:
        self.target = target
        self._transport = transport
        self._limits = limits
        self._known = target.identity is None

    async def call(self, request: Request, result: type[T], field: str | None = None) -> T:
        """The answer, or one field of it, as a value of `result`. Errors: those of the method in process,
        ServiceUnavailable."""
        return decoded(await self.send(request), result, field)

    async def send(self, request: Request) -> Answer:
        """The answer, after further attempts where the request is repeatable. Errors: as call."""
        end = time.monotonic() + self._limits.deadline_seconds + request.wait_seconds
        attempt = 0
        while True:
            attempt += 1
            error, retry_after = None, None
            try:
                seconds = min(
                    self._limits.timeout_seconds + request.wait_seconds,
                    max(MIN_SECONDS, end - time.monotonic()),
                )
                answer = await self._attempt(request, seconds)
                if answer.status < 300:
                    return answer
                error, retry_after = error_in(answer), answer.retry_after
            except ServiceUnavailable as failure:
                error = failure
            pause = pause_before(attempt + 1, retry_after)
            if (
                not request.repeatable
                or not isinstance(error, TEMPORARY)
                or attempt >= self._limits.max_attempts
                or time.monotonic() + pause >= end
            ):
                raise error
            await self._transport.sleep(pause)

    async def _attempt(self, request: Request, seconds: float) -> Answer:
        if not self._known:
            await self._check_identity()
        return await self._transport.send(request, seconds, self.target.key)

    async def _check_identity(self) -> None:
        """Errors: ServiceUnavailable where another service answers, which must not get the key."""
        answer = await self._transport.send(HEALTH, HEALTH_SECONDS, None)
        try:
            found = json.loads(answer.body)["service"]
        except (ValueError, TypeError, KeyError):
            found = None
        if found != self.target.identity:
            raise ServiceUnavailable(
                f"the service at {self.target.address} is another one than in the data folder"
            )
        self._known = True

    async def aclose(self) -> None:
        await self._transport.aclose()


def pause_before(attempt: int, retry_after: float | None) -> float:
    """Seconds to wait before an attempt, the second or a later one: a random part of a time that doubles, after the
    service's Retry-After if it gave one."""
    longest = min(LONGEST_PAUSE_SECONDS, FIRST_PAUSE_SECONDS * 2 ** (attempt - 1))
    return (retry_after or 0.0) + random.uniform(0, longest)  # noqa: S311 - spreads clients
