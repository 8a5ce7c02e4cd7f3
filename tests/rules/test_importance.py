"""The stored importance follows the design's formula exactly."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_service.importance import stored_importance
from memory_service.types import ImportanceFeatures


@pytest.mark.parametrize(
    ("features", "references", "expected"),
    [
        (ImportanceFeatures(), 0, 0.5),
        (ImportanceFeatures(emotion=1.0), 0, 0.8),
        (ImportanceFeatures(personal=1.0), 0, 0.7),
        (ImportanceFeatures(decision=0.5), 0, 0.6),
        (ImportanceFeatures(asked=1.0), 0, 0.9),
        (ImportanceFeatures(conflict=1.0), 0, 0.75),
        (ImportanceFeatures(), 2, 0.7),
        (ImportanceFeatures(1.0, 1.0, 1.0, 1.0, 1.0), 3, 1.0),
    ],
)
def test_each_boost_counts_as_the_design_says(
    features: ImportanceFeatures, references: int, expected: float
) -> None:
    assert stored_importance(features, references) == pytest.approx(expected)


_SHARE = st.floats(0, 1)


@given(st.builds(ImportanceFeatures, _SHARE, _SHARE, _SHARE, _SHARE, _SHARE), st.integers(0, 50))
def test_importance_stays_in_range_and_never_falls_with_references(
    features: ImportanceFeatures, count: int
) -> None:
    assert 0.5 <= stored_importance(features, count) <= stored_importance(features, count + 1) <= 1.0
