"""Moments as the database sends them, as one column."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import cast

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from memory_service.timestamps import as_sent, moment, moments, seconds_until, time_of
from tests.conftest import Admin

TIMES = st.datetimes(timezones=st.just(UTC))


@given(st.lists(TIMES))
@example([datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)])
def test_a_time_is_the_same_to_the_microsecond(times: list[datetime]) -> None:
    column = moments(times)
    assert [time_of(column, n) for n in range(len(times))] == times


@given(st.lists(TIMES), TIMES)
def test_seconds_are_those_between_two_times(times: list[datetime], at: datetime) -> None:
    expected = [(at - time).total_seconds() for time in times]
    np.testing.assert_allclose(seconds_until(at, moments(times)), expected, rtol=1e-15, atol=0)


def test_another_zone_is_the_same_moment() -> None:
    at = datetime(2026, 7, 1, 12, 0, 0, 1, tzinfo=UTC)
    assert moment(at.astimezone(timezone(timedelta(hours=5, minutes=45)))) == moment(at)


def test_what_the_database_sends_is_the_time_that_it_has(admin: Admin) -> None:
    times = [datetime(1, 1, 1, tzinfo=UTC), datetime(1999, 12, 31, 23, 59, 59, 999_999, UTC),
             datetime(2000, 1, 1, tzinfo=UTC), datetime(2026, 11, 22, 1, 2, 3, 4, UTC),
             datetime(9999, 12, 31, 23, 59, 59, 999_999, UTC)]  # fmt: skip
    (sent,) = admin.execute(
        "select array_agg(timestamptz_send(t) order by n) from unnest(%s::timestamptz[]) with ordinality as u (t, n)",
        (times,),
    ).fetchone() or (None,)
    column = as_sent(cast("list[bytes]", sent))
    assert [time_of(column, n) for n in range(len(times))] == times


def test_of_nothing_there_is_nothing() -> None:
    assert as_sent([]).shape == (0,)
