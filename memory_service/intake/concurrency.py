"""Run awaitables concurrently or in sequence to completion, then raise the most severe error."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterable

from memory_service.errors import DatabaseUnavailable, ProviderUnavailable


async def gather_all(tasks: Iterable[Awaitable[None]]) -> None:
    """Await all concurrently, then raise the most severe error, if any.

    DatabaseUnavailable before errors that a row may cause, these before ProviderUnavailable, which counts no attempt.
    """
    results = await asyncio.gather(*tasks, return_exceptions=True)
    raise_most_severe([result for result in results if isinstance(result, BaseException)])


async def run_all(tasks: Iterable[Awaitable[None]]) -> None:
    """Await one after the other, then raise as `gather_all` does; DatabaseUnavailable ends it at once."""
    errors: list[BaseException] = []
    for task in tasks:
        try:
            await task
        except DatabaseUnavailable:
            raise
        except Exception as error:
            errors.append(error)
    raise_most_severe(errors)


def raise_most_severe(errors: list[BaseException]) -> None:
    if errors:
        raise min(errors, key=severity)


def severity(error: BaseException) -> int:
    """Rank, the most severe first."""
    if not isinstance(error, Exception) or isinstance(error, DatabaseUnavailable):
        return 0
    return 2 if isinstance(error, ProviderUnavailable) else 1
