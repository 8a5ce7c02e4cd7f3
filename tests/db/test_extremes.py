"""The functions that multiply what callers gave, at the ends of their ranges: a figure, never an underflow (22003)."""

from __future__ import annotations

import itertools
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from memory_service.memory import Memory
from memory_service.validation import EARLIEST
from tests.conftest import Admin, settle

SHARES = (0.0, 5e-324, 2.3e-308, 1e-160, 1e-70, 1e-31, 1e-30, 1e-17, 0.1, 0.5, 1 - 2**-53, 1.0)
COUNTS = (0, 1, 2**31 - 1)
MOMENTS = (datetime.min.replace(tzinfo=UTC), EARLIEST, datetime(2026, 1, 1, tzinfo=UTC),
           datetime.max.replace(tzinfo=UTC))  # fmt: skip
ACTED = datetime(2026, 1, 1, tzinfo=UTC)


def figures(
    admin: Admin, importance: float, weight: float, occurred: datetime, count: int, at: datetime
) -> Any:
    """What ranking makes of a memory; the weight as memory_internal.rank_salient_memories takes it from a profile."""
    return admin.execute(
        "select e.faded, e.faded * w.weight, memory_internal.recency(%(occurred)s, %(at)s) * w.weight, "
        "       memory_internal.flush_to_zero(%(importance)s) * w.weight, c.confidence "
        "  from memory_internal.effective_importance(%(importance)s, %(occurred)s, %(count)s, %(at)s) as e (faded), "
        "       memory_internal.flush_to_zero(%(weight)s) as w (weight), "
        "       memory_internal.effective_confidence(%(weight)s, %(importance)s, %(occurred)s, 'tentative', false, "
        "                                       null, null, %(at)s) "
        "           as c (confidence)",
        {"importance": importance, "weight": weight, "occurred": occurred, "count": count, "at": at},
    ).fetchone()


@pytest.mark.changes_nothing
def test_no_figure_underflows_at_the_ends(admin: Admin) -> None:
    for importance, weight, occurred, count, at in itertools.product(
        SHARES, SHARES, MOMENTS, COUNTS, MOMENTS
    ):
        found = figures(admin, importance, weight, occurred, count, at)
        assert all(0 <= figure <= 1 for figure in found), found


@pytest.mark.changes_nothing
@hypothesis_settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.floats(0, 1), st.floats(0, 1), st.datetimes(timezones=st.just(UTC)), st.integers(0, 2**31 - 1),
    st.datetimes(timezones=st.just(UTC)),
)  # fmt: skip
def test_no_figure_underflows(
    admin: Admin, importance: float, weight: float, occurred: datetime, count: int, at: datetime
) -> None:
    found = figures(admin, importance, weight, occurred, count, at)
    assert all(0 <= figure <= 1 for figure in found), found


@pytest.mark.changes_nothing
def test_what_is_not_tiny_is_as_it_was(admin: Admin) -> None:
    def faded(importance: float, days: float) -> Any:
        row = admin.execute(
            "select memory_internal.effective_importance(%s, %s, 0, %s)",
            (importance, ACTED, ACTED + timedelta(days=days)),
        ).fetchone()
        return row and row[0]

    assert faded(0.5, 50) == pytest.approx(0.25)
    assert faded(1e-29, 10) == pytest.approx(0.5e-29)
    assert faded(1e-31, 10) == 0


async def fact(memory: Memory, admin: Admin) -> UUID:
    """A committed fact of bank anna."""
    await memory.create_bank("anna")
    committed = await memory.remember("anna", "Anna lives in Bergen.", type="semantic")
    await settle(memory, "anna")
    assert admin.execute("select count(*) from memory.semantic_memory").fetchone() == (1,)
    return committed.memory_id


def confidence(admin: Admin, of: UUID) -> float:
    with admin.transaction():
        row = admin.execute(
            "select confidence from memory_internal.compute_confidence('anna', %s)", (of,)
        ).fetchone()
    assert row is not None
    return float(str(row[0]))


async def test_a_fact_of_twenty_thousand_episodes_has_a_confidence(memory: Memory, admin: Admin) -> None:
    """0.95 to the power of 14,600 underflows."""
    one = await fact(memory, admin)
    admin.execute(
        "insert into memory.fact_evidence (bank_id, fact_id, episode_id, importance, occurred_at, recorded_at) "
        "select 'anna', %s, gen_random_uuid(), 0.5, %s, %s from generate_series(1, 20000)",
        (one, ACTED, ACTED),
    )
    assert confidence(admin, one) == 1.0
