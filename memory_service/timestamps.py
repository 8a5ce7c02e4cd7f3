"""Moments of many memories as one column of numbers: to make a datetime of each takes longer than to rank them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import numpy as np
from numpy.typing import NDArray

from memory_service.candidate_arrays import Figures

Moments = NDArray[np.int64]
"""Microseconds since 2000, as Postgres counts them."""

BEGIN = datetime(2000, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)


def as_sent(sent: Sequence[bytes]) -> Moments:
    """What the database sends for a timestamptz each: eight bytes, the greatest first."""
    return np.frombuffer(b"".join(sent), dtype=">i8").astype(np.int64)


def moment(time: datetime) -> int:
    return (time - BEGIN) // MICROSECOND


def moments(times: Sequence[datetime]) -> Moments:
    return np.array([moment(time) for time in times], dtype=np.int64)


def time_of(column: Moments, place: int) -> datetime:
    """One of them."""
    return BEGIN + timedelta(microseconds=column.item(place))


def seconds_until(at: datetime, column: Moments) -> Figures:
    """From each of them to `at`; negative where it is later."""
    return (moment(at) - column) / 1e6
