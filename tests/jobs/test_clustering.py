"""Which episodes belong together: by what they say, and by when."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import UUID

import numpy as np
import pytest

from memory_service.jobs.clustering import TIME_WEIGHT, WITHIN_DAYS, clusters_of, with_time
from memory_service.models.interface import Vectors
from memory_service.store.consolidation import Unclustered

START = datetime(2026, 1, 1, tzinfo=UTC)


def near(count: int, seed: int) -> Vectors:
    """Unit vectors of one topic and two tones: of one tone nearer than of different tones."""
    noise = np.random.default_rng(seed).standard_normal((count, 768))
    made = np.eye(768)[0] + 0.02 * noise
    return (made / np.linalg.norm(made, axis=1, keepdims=True)).astype(np.float32)


def test_nearness_in_time_falls_with_the_days_between() -> None:
    vectors = np.tile(np.eye(768, dtype=np.float32)[:1], (3, 1))
    timed = with_time(vectors, [START, START + timedelta(days=WITHIN_DAYS), START + timedelta(days=700)])
    same, month, years = (float(timed[0] @ other) for other in timed)
    assert same == pytest.approx(1, abs=1e-3)
    assert same > month > years
    assert month == pytest.approx((1 + TIME_WEIGHT * np.exp(-0.5)) / (1 + TIME_WEIGHT), abs=0.05)
    assert np.array_equal(
        timed, with_time(vectors, [START, START + timedelta(days=30), START + timedelta(days=700)])
    )


def test_episodes_of_one_topic_are_clustered_by_when_they_occurred() -> None:
    days = [0, 1, 2, 3, 400, 401, 402, 403]
    ids = [UUID(int=n + 1) for n in range(len(days))]
    read = Unclustered(
        ids,
        [None] * len(ids),
        [True] * len(ids),
        near(len(ids), 1),
        [START + timedelta(days=d) for d in days],
    )
    found = clusters_of("anna", read, 0.99)
    early, late = {found[one] for one in ids[:4]}, {found[one] for one in ids[4:]}
    assert len(early) == len(late) == 1
    assert None not in early | late
    assert early != late


def test_what_is_nearly_equal_to_a_known_cluster_is_in_it_whatever_else_it_is_near() -> None:
    """It becomes one memory with the others of its cluster only."""

    def leaning(part: float) -> Vectors:
        return (np.eye(768)[0] * part + np.eye(768)[1] * np.sqrt(1 - part**2)).astype(np.float32)

    walks, errands = UUID(int=91), UUID(int=92)
    ids = [UUID(int=n + 1) for n in range(9)]
    known = [walks] * 3 + [errands] * 3
    vectors = [np.eye(768, dtype=np.float32)[0]] * 3 + [np.eye(768, dtype=np.float32)[2]] * 3
    vectors += [leaning(0.86), leaning(0.5), leaning(0.5)]
    read = Unclustered(
        ids, [*known, None, None, None], [False] * 6 + [True] * 3, np.stack(vectors), [START] * 9
    )
    alone = clusters_of("anna", read, 0.7)
    assert alone[ids[6]] == alone[ids[7]] not in (None, walks)
    found = clusters_of("anna", read, 0.7, near_equal=0.85)
    assert found[ids[6]] == walks
    assert found[ids[7]] != walks
    assert set(found) == set(ids[6:])
