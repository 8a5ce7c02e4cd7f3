"""Selection of pairs of similar facts for pair judging by a model: only those that rules cannot decide."""

from __future__ import annotations

from memory_service.rules.facts.attribute_names import NAMED
from memory_service.types import PairFact

_FAMILIES = ("favorite_", "number_of_")


def doubtful(one: PairFact, other: PairFact) -> bool:
    """Return False where the facts answer different questions, or one with several answers: both can be true.

    Contradictions that rules find (memory_internal.find_conflicts) are never passed here.
    """
    if one.attribute is None or other.attribute is None:
        return True
    if one.attribute == other.attribute:
        return not (one.cardinality == other.cardinality == "many" and _named(one.attribute))
    return not (_named(one.attribute) and _named(other.attribute))


def _named(attribute: str) -> bool:
    return attribute in NAMED or attribute.startswith(_FAMILIES)
