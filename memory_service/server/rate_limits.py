"""Rate limits of API keys, the same for all processes (docs/design.md, Keys).

The buckets are rows of memory.rate_limit. A process takes up to ADVANCE_SECONDS of a key's rate in one call, so that a
busy key does not cost a call for each request.
"""

from __future__ import annotations

import asyncio
import math
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from memory_service.errors import RateLimited
from memory_service.vocabulary import LimitedResource

if TYPE_CHECKING:
    from memory_service.keys import Grant
    from memory_service.memory import Memory

MESSAGE_ROUTES = {"/v1/banks/{bank_id}/messages", "/v1/banks/{bank_id}/memories"}
"""Paths whose POST counts as messages."""
BYTES_PER_TOKEN = 4
ADVANCE_SECONDS = 0.25
HELD_SECONDS = 1.0
"""Units taken in advance and not used within this time are given up."""
MAX_BUCKETS = 10_000


@dataclass(slots=True)
class Bucket:
    """What this process knows of one key's bucket."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    held: float = 0.0
    """Units taken and not used yet."""
    held_until: float = 0.0
    remaining: float = 0.0
    """Units in the shared bucket at the last call."""
    refused_cost: float = 0.0
    """Requests of at least this cost are refused until `refused_until` without a call."""
    refused_until: float = 0.0

    def left(self) -> int:
        """Whole units left in all processes, as far as this one knows."""
        return max(0, math.floor(self.remaining + self.held))


@dataclass(frozen=True, slots=True)
class Allowance:
    """The state of a limit after a request was counted."""

    per_minute: int
    remaining: int

    def headers(self) -> dict[str, str]:
        """RateLimit-Limit, -Remaining and -Reset: units a minute, units left, seconds until all are there again."""
        reset = math.ceil((self.per_minute - self.remaining) * 60 / self.per_minute)
        return {
            "RateLimit-Limit": str(self.per_minute),
            "RateLimit-Remaining": str(self.remaining),
            "RateLimit-Reset": str(reset),
        }


def message_count(body: object) -> int:
    """Messages in the body of a POST to one of MESSAGE_ROUTES, before its validation; a memory counts as one."""
    messages = cast("dict[str, Any]", body).get("messages") if isinstance(body, dict) else None
    return max(1, len(cast("list[Any]", messages))) if isinstance(messages, list) else 1


def text_tokens(body: object) -> int:
    """The estimated tokens of the text in such a body: one for each BYTES_PER_TOKEN bytes, at least one."""
    if not isinstance(body, dict):
        return 1
    fields = cast("dict[str, Any]", body)
    messages = fields.get("messages")
    parts = [fields, *cast("list[Any]", messages)] if isinstance(messages, list) else [fields]
    texts = [cast("dict[str, Any]", part).get("content") for part in parts if isinstance(part, dict)]
    size = sum(len(text.encode(errors="replace")) for text in texts if isinstance(text, str))
    return max(1, math.ceil(size / BYTES_PER_TOKEN))


class RateLimits:
    """Counts the requests, messages and model tokens of keys that have a limit."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._buckets: dict[tuple[str, LimitedResource, int], Bucket] = {}

    async def take(self, grant: Grant, resource: LimitedResource, cost: int) -> Allowance | None:
        """Count `cost` units; None for a key without this limit. Errors: RateLimited, DatabaseUnavailable."""
        limit = grant.limit_of(resource)
        if limit is None:
            return None
        bucket = self._bucket(grant.key_id, resource, limit)
        async with bucket.lock:  # requests that wait for the same call share its result
            now = time.monotonic()
            if now >= bucket.held_until:
                bucket.held = 0.0
            if bucket.held < cost:
                if now < bucket.refused_until and cost >= bucket.refused_cost:
                    raise RateLimited(resource, limit, bucket.refused_until - now, bucket.left())
                missing = cost - bucket.held
                advance = max(missing, math.floor(limit * ADVANCE_SECONDS / 60))
                taken = await self._memory.store.keys.take_allowance(
                    grant.key_id, resource, limit, missing, advance
                )
                bucket.remaining = taken.remaining
                if taken.granted == 0:
                    bucket.refused_cost = cost
                    bucket.refused_until = time.monotonic() + taken.retry_after
                    raise RateLimited(resource, limit, taken.retry_after, bucket.left())
                bucket.held += taken.granted
                bucket.held_until = now + HELD_SECONDS
            bucket.held -= cost
            return Allowance(limit, bucket.left())

    def _bucket(self, key_id: str, resource: LimitedResource, limit: int) -> Bucket:
        """By limit, too: a refusal under a former limit of the key does not hold under the present one."""
        if len(self._buckets) >= MAX_BUCKETS:
            self._buckets.clear()
        return self._buckets.setdefault((key_id, resource, limit), Bucket())
