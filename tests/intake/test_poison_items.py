"""poison_items: one call for all items, each alone where that fails, and the classification of failures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest

from memory_service.errors import InvalidOutput, ModelError, NoAnswer, ProviderUnavailable, RequestRejected
from memory_service.intake.model_calls import TokenLimitReached
from memory_service.intake.poison_items import Failed, Failure, call_each, call_together


class Calls:
    """Fails for calls with the item `poison`; records the items of each call."""

    def __init__(self, error: Exception, poison: int = 2) -> None:
        self.error = error
        self.poison = poison
        self.sent: list[list[int]] = []

    async def __call__(self, items: Sequence[int]) -> list[int]:
        self.sent.append(list(items))
        if self.poison in items:
            raise self.error
        return [item * 10 for item in items]


def answered_elsewhere() -> NoAnswer:
    error = NoAnswer("no answer in time")
    error.others_answered = True
    return error


async def outcomes(calls: Calls, items: Sequence[int]) -> list[tuple[list[int], str | list[int]]]:
    return [
        (list(attempt.items), attempt.failure if isinstance(attempt, Failed) else attempt.result)
        async for attempt in call_together(items, calls)
    ]


async def test_items_share_one_call() -> None:
    calls = Calls(AssertionError(), poison=9)
    assert await outcomes(calls, [1, 2, 3]) == [([1, 2, 3], [10, 20, 30])]
    assert await outcomes(calls, []) == []
    assert calls.sent == [[1, 2, 3]]


@pytest.mark.parametrize(
    ("error", "failure"),
    [
        (RequestRejected("no"), "poison"),
        (InvalidOutput("nonsense"), "poison"),
        (answered_elsewhere(), "poison"),
        (NoAnswer("no answer in time"), "no_answer"),
    ],
)
async def test_a_poison_item_fails_alone(error: ModelError, failure: Failure) -> None:
    calls = Calls(error)
    assert await outcomes(calls, [1, 2, 3]) == [([1], [10]), ([2], failure), ([3], [30])]
    assert calls.sent == [[1, 2, 3], [1], [2], [3]]
    assert await outcomes(calls, [2]) == [([2], failure)]
    assert calls.sent[4:] == [[2]]


@pytest.mark.parametrize(
    ("error", "failure"), [(ProviderUnavailable("down"), "outage"), (TokenLimitReached(), "limit")]
)
async def test_an_outage_or_a_limit_fails_all_items_of_the_call(error: Exception, failure: Failure) -> None:
    calls = Calls(error)
    assert await outcomes(calls, [1, 2, 3]) == [([1, 2, 3], failure)]
    assert calls.sent == [[1, 2, 3]]


async def test_priority_is_evaluated_before_each_call() -> None:
    failures: Counter[int] = Counter()
    calls = Calls(RequestRejected("no"), poison=1)
    async for attempt in call_each([1, 2, 3, 4], calls, lambda item: failures[item]):
        if isinstance(attempt, Failed):
            failures[2] += 1  # 2 is suspected, too
    assert calls.sent == [[1], [3], [4], [2]]


async def test_other_errors_are_raised() -> None:
    with pytest.raises(ZeroDivisionError):
        await outcomes(Calls(ZeroDivisionError()), [1, 2, 3])
