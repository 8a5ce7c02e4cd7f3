"""Ranking without a database. Token budgets are tested in test_token_budget.py, quoting in test_formatting.py."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import UUID

import numpy as np
import pytest

from memory_service.profiles import PROFILES
from memory_service.recall.rerank import recency, rerank
from memory_service.requests import Mood
from memory_service.types import Candidate

NOW = datetime(2026, 3, 1, tzinfo=UTC)


def candidate(number: int, similarity: float, **other: object) -> Candidate:
    values: dict[str, object] = {
        "memory_id": UUID(int=number),
        "type": "episodic",
        "content": f"memory {number}",
        "occurred_at": NOW,
        "importance": 0.5,
        "effective_importance": 0.5,
        "valence": None,
        "emotions": (),
        "topics": (),
        "tags": (),
        "metadata": {},
        "source": "user",
        "similarity": similarity,
    }
    return Candidate(**(values | other))  # type: ignore[arg-type]


def test_balanced_weighs_similarity_importance_and_recency() -> None:
    one = candidate(1, 0.8, effective_importance=0.4, occurred_at=NOW - timedelta(days=30))
    (ranked,), _ = rerank([one], PROFILES["balanced"], Mood(), 1, NOW)
    assert ranked.score == pytest.approx(0.5 * 0.8 + 0.3 * 0.4 + 0.2 * 0.5)


def test_precise_is_similarity_alone() -> None:
    near = candidate(1, 0.8, effective_importance=0.0, occurred_at=NOW - timedelta(days=3000))
    far = candidate(2, 0.7, effective_importance=1.0)
    kept, dropped = rerank([far, near], PROFILES["precise"], Mood(), 1, NOW)
    assert [r.candidate.memory_id for r in kept] == [near.memory_id]
    assert [r.dropped for r in dropped] == ["beyond k=1"]


def test_recency_halves_after_thirty_days() -> None:
    assert recency(np.array([0.0, 30.0, -5.0])).tolist() == [1.0, 0.5, 1.0]


def test_the_opposite_mood_stays_out() -> None:
    sad = candidate(1, 0.9, valence=-0.8)
    kept, dropped = rerank([sad, candidate(2, 0.1)], PROFILES["balanced"], Mood(valence=0.5), 5, NOW)
    assert [r.candidate.memory_id.int for r in kept] == [2]
    assert dropped[0].dropped == "opposite valence"


def test_another_topic_stays_out_unless_it_is_important() -> None:
    plain = candidate(1, 0.9, topics=("dance",))
    important = candidate(2, 0.1, topics=("dance",), importance=0.7)
    shared = candidate(3, 0.1, topics=("Work",))
    kept, dropped = rerank([plain, important, shared], PROFILES["balanced"], Mood(topics=["work"]), 5, NOW)
    assert {r.candidate.memory_id.int for r in kept} == {2, 3}
    assert dropped[0].dropped == "no topic in common"
