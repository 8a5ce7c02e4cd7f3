"""The sections of a context in printed order, with their budgets and reserves (docs/design.md, "Context")."""

from __future__ import annotations

from collections.abc import Sequence

from memory_service.recall.token_budget import Line, Offer

RECENT = "recent"
KNOWLEDGE = "knowledge"
"""The two token budgets."""
RECENT_SECTION = "RECENT"
EMOTIONAL = "EMOTIONAL"
CLARIFICATION = "CLARIFICATION"

NORMS_SHARE = 0.16
THREAD_SHARE = 0.1
"""Required sections precede the others with their best line, and beyond it up to these shares."""
RESERVED_SHARE = 0.3
VITAL_SHARE = 2 / 3
"""Facts that every context shows have this share of the reserve of FACTS, and at least one line."""


def context_sections(
    *,
    relational: Sequence[Line] = (),
    emotional: Sequence[Line] = (),
    recent: Sequence[Line] = (),
    facts: Sequence[Line] = (),
    relevant: Sequence[Line] = (),
    clarifications: Sequence[Line] = (),
) -> list[Offer]:
    """A context's sections, each with its lines, best first. The shares leave a fifth of the knowledge budget: for a
    clarification, then for the best lines of any section."""
    return [
        Offer("RELATIONAL", relational, KNOWLEDGE, required=True, reserve=NORMS_SHARE),
        Offer(EMOTIONAL, emotional, KNOWLEDGE, required=True, reserve=THREAD_SHARE),
        Offer(RECENT_SECTION, recent, RECENT, reserve=1.0),
        Offer("FACTS", facts, KNOWLEDGE, reserve=RESERVED_SHARE),
        Offer("RELEVANT", relevant, KNOWLEDGE, reserve=RESERVED_SHARE),
        Offer(CLARIFICATION, clarifications, KNOWLEDGE, set_aside=True, at_most=1),
    ]


def compaction_sections(
    *, experiences: Sequence[Line] = (), knowledge: Sequence[Line] = (), habits: Sequence[Line] = ()
) -> list[Offer]:
    """A compaction's sections: one budget, for which all lines compete by rank."""
    return [
        Offer("Personal Experiences", experiences, KNOWLEDGE),
        Offer("Beliefs & Knowledge", knowledge, KNOWLEDGE),
        Offer("Habits & Patterns", habits, KNOWLEDGE),
    ]
