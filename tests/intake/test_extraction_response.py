"""Facts of a model's answer: an answer without `holds` is valid."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest

from memory_service.models.extraction_response import UnusableAnswerError, read_answer
from memory_service.models.prompts import EXTRACTION
from memory_service.rules.facts.attribute_names import NAMED, ONE
from memory_service.rules.facts.attributes import canonical
from memory_service.types import CandidateFact, Segment, Utterance

_FACT = {
    "text": "Ada left Graz.",
    "subject": "user",
    "attribute": "lives_in",
    "value": "Graz",
    "stated": True,
}
_SEGMENT = Segment(
    UUID(int=1),
    (Utterance(UUID(int=2), "user", "I left Graz.", "Ada", datetime(2026, 3, 14, tzinfo=UTC)),),
)


def _answer(fact: dict[str, Any]) -> str:
    gates = ("explicit_request", "relational_damage", "identity_defining", "stable_fact", "decision_made")
    features = ("emotion", "personal", "decision", "asked", "conflict")
    segment = {
        "segment": 0, "gates": dict.fromkeys(gates, False), "harm": "none", "summary": "Ada left Graz.", "valence": 0,
        "emotions": [], "topics": [], "entities": [], "features": dict.fromkeys(features, 0), "weight": 0.5,
        "lesson": None, "facts": [fact],
    }  # fmt: skip
    return json.dumps({"segments": [segment]})


@pytest.mark.parametrize(("given", "holds"), [({}, True), ({"holds": True}, True), ({"holds": False}, False)])
def test_a_fact_says_whether_it_holds(given: dict[str, bool], holds: bool) -> None:
    (extraction,) = read_answer(_answer({**_FACT, **given}), [_SEGMENT], "fake")
    (fact,) = extraction.facts
    assert fact.holds is holds


def test_whether_a_fact_holds_is_no_word() -> None:
    with pytest.raises(UnusableAnswerError, match="holds"):
        read_answer(_answer({**_FACT, "holds": "no"}), [_SEGMENT], "fake")


def test_the_prompt_asks_for_names_that_are_canonical() -> None:
    """A name that canonical() changes would teach a model two words for one question."""
    for name in NAMED:
        value = "vegan" if name == "diet" else "Xyz"
        assert name in EXTRACTION
        assert canonical(CandidateFact("…", "user", name, value)).attribute == name, name
    assert set(NAMED) >= ONE
