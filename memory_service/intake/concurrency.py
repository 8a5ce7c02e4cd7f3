"""Several things, at once or in turn, all of them to their end."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterable

from memory_service.errors import DatabaseUnavailable, ProviderUnavailable


async def together(tasks: Iterable[Awaitable[None]]) -> None:
    """Await all at once; then raise the error that its caller has to know first, if there were any: a database that
    does not answer, before what a row may be to blame for, before an outage, which costs no row a try."""
    results = await asyncio.gather(*tasks, return_exceptions=True)
    raise_first([result for result in results if isinstance(result, BaseException)])


async def in_turn(tasks: Iterable[Awaitable[None]]) -> None:
    """Await one after the other, then raise as `together` does; a database that does not answer ends it at once."""
    errors: list[BaseException] = []
    for task in tasks:
        try:
            await task
        except DatabaseUnavailable:
            raise
        except Exception as error:
            errors.append(error)
    raise_first(errors)


def raise_first(errors: list[BaseException]) -> None:
    if errors:
        raise min(errors, key=urgency)


def urgency(error: BaseException) -> int:
    if not isinstance(error, Exception) or isinstance(error, DatabaseUnavailable):
        return 0
    return 2 if isinstance(error, ProviderUnavailable) else 1
