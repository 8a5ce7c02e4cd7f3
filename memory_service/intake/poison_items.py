"""Isolate the items that a model cannot process: several items in one call, each alone where that call fails.

An item is poison where the model rejects it alone, answers it with unusable output, or gives no answer although it
answered other items since (NoAnswer.others_answered). No answer to anything is an outage.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

import structlog

from memory_service.errors import InvalidOutput, ModelError, NoAnswer, ProviderUnavailable, RequestRejected
from memory_service.intake.model_calls import TokenLimitReached

log = structlog.get_logger()

T = TypeVar("T")
R = TypeVar("R")

Failure = Literal["poison", "no_answer", "outage", "limit"]
"""`poison`: the item's fault; `no_answer`: the item's fault or an outage; `limit`: the bank's daily token limit."""

ITEM_ERRORS = (InvalidOutput, NoAnswer, RequestRejected)
"""Errors that one item may cause for all items of its call."""


@dataclass(frozen=True, slots=True)
class Success(Generic[T, R]):
    """The result of one call for these items."""

    items: Sequence[T]
    result: R


@dataclass(frozen=True, slots=True)
class Failed(Generic[T]):
    """A failed call: for a single item, or, with `outage` and `limit`, for all items of the call."""

    items: Sequence[T]
    failure: Failure
    error: ModelError | TokenLimitReached


def failure_of(error: ModelError | TokenLimitReached) -> Failure:
    """Classify the error of a call for a single item."""
    if isinstance(error, TokenLimitReached):
        return "limit"
    if isinstance(error, NoAnswer):
        return "poison" if error.others_answered else "no_answer"
    return "outage" if isinstance(error, ProviderUnavailable) else "poison"


async def call_together(
    items: Sequence[T], call: Callable[[Sequence[T]], Awaitable[R]]
) -> AsyncGenerator[Success[T, R] | Failed[T]]:
    """Call once for all items; where one of them may be at fault, once for each alone.

    The caller stops the iteration where an outage or a limit makes further calls useless.
    """
    if not items:
        return
    attempt = await try_call(items, call)
    if len(items) == 1 or isinstance(attempt, Success) or not isinstance(attempt.error, ITEM_ERRORS):
        yield attempt
        return
    async for attempt in call_each(items, call):
        yield attempt


async def call_each(
    items: Sequence[T],
    call: Callable[[Sequence[T]], Awaitable[R]],
    priority: Callable[[T], int] | None = None,
) -> AsyncGenerator[Success[T, R] | Failed[T]]:
    """Call once for each item; the item with the lowest `priority`, evaluated before each call, comes first."""
    left = list(items)
    while left:
        item = left[0] if priority is None else min(left, key=priority)
        left.remove(item)
        yield await try_call([item], call)


async def try_call(
    items: Sequence[T], call: Callable[[Sequence[T]], Awaitable[R]]
) -> Success[T, R] | Failed[T]:
    try:
        return Success(items, await call(items))
    except (*ITEM_ERRORS, ProviderUnavailable, TokenLimitReached) as error:
        failure = failure_of(error)
        log.warning("model call failed", items=len(items), failure=failure, error=str(error))
        return Failed(items, failure, error)
