"""Times of many memories as one array: a datetime for each takes longer to make than the candidates to rank."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import numpy as np
from numpy.typing import NDArray

from memory_service.candidate_arrays import Figures

Moments = NDArray[np.int64]
"""Microseconds since 2000, Postgres's own unit."""

BEGIN = datetime(2000, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)


def as_sent(sent: Sequence[bytes]) -> Moments:
    """From timestamptz values as the database sends them: eight bytes each, big-endian."""
    return np.frombuffer(b"".join(sent), dtype=">i8").astype(np.int64)


def moment(time: datetime) -> int:
    return (time - BEGIN) // MICROSECOND


def moments(times: Sequence[datetime]) -> Moments:
    return np.array([moment(time) for time in times], dtype=np.int64)


def time_of(column: Moments, place: int) -> datetime:
    """The time at this place."""
    return BEGIN + timedelta(microseconds=column.item(place))


def seconds_until(at: datetime, column: Moments) -> Figures:
    """Seconds from each time to `at`; negative for later times."""
    return (moment(at) - column) / 1e6
