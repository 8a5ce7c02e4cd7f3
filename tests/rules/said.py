"""What rules read of one text, and of a message after others."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import uuid4

from memory_service.rules.extractor import extract
from memory_service.rules.facts.attributes import canonical
from memory_service.rules.facts.statements import statements
from memory_service.types import CandidateFact, Segment, Utterance

NOW = datetime(2026, 3, 1, 9, tzinfo=UTC)

Found = tuple[str | None, str | None, bool]


def found(text: str) -> set[Found]:
    forms = [canonical(fact) for fact in statements(text, None)]
    return {(form.attribute, form.value, form.holds) for form in forms}


def said_after(*messages: str) -> tuple[bool, tuple[CandidateFact, ...]]:
    """Whether the last of the user's messages is kept, and its facts."""
    said = [
        Utterance(uuid4(), "user", text, None, NOW + timedelta(minutes=n)) for n, text in enumerate(messages)
    ]
    got = extract(Segment(uuid4(), (said[-1],), tuple(said[:-1])))
    return got.keep, got.facts
