"""Frozen results about the person of a bank: norms and the profile made of them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from memory_service.results import Clarification, EmotionalThread, Fact, Procedure
from memory_service.vocabulary import FactStatus, NormKind, RelationshipPhase


@dataclass(frozen=True, slots=True)
class Norm:
    """How to behave with a person."""

    memory_id: UUID
    kind: NormKind
    norm: str
    situation: str
    """Where it applies; empty: always."""
    slot: str
    """What it is about: a newer norm of the slot replaces this one."""
    value: str | None
    level: float | None
    """Of a sensitivity, 0 to 1."""
    confidence: float
    evidence_count: int
    status: FactStatus
    pinned: bool
    first_observed: datetime
    last_confirmed: datetime
    valid_from: datetime
    valid_to: datetime | None
    superseded_by: UUID | None
    source: str
    extracted_by: str
    """`rules`, the name of a model, `observation`, or `stated` through an interface."""
    version: int
    derived_from: tuple[UUID, ...]
    """Episodes that state it."""


@dataclass(frozen=True, slots=True)
class NormVersion:
    """A former or present state of a norm, with reason and actor."""

    version: int
    norm: str
    situation: str
    level: float | None
    confidence: float
    evidence_count: int
    status: FactStatus
    pinned: bool
    valid_from: datetime
    valid_to: datetime | None
    superseded_by: UUID | None
    reason: str
    actor: str
    at: datetime


@dataclass(frozen=True, slots=True)
class CommunicationStyle:
    """The style norms in force, joined."""

    value: str
    confidence: float
    """The lowest of the norms."""
    evidence_count: int
    last_updated: datetime


@dataclass(frozen=True, slots=True)
class RelationalMemory:
    """The norms of a person as one profile."""

    relationship_phase: RelationshipPhase
    phase_since: datetime | None
    communication_style: CommunicationStyle | None
    preferences: tuple[str, ...]
    instructions: tuple[str, ...]
    sensitivity_map: dict[str, float]
    """Level by topic, 0 to 1."""
    norms: tuple[Norm, ...]
    """All norms in force, the latest confirmed first."""


@dataclass(frozen=True, slots=True)
class KnownPerson:
    """The knowledge of a bank's person."""

    bank_id: str
    subject: str | None
    """The person's name; None where the bank's settings have none."""
    agent_name: str | None
    relational: RelationalMemory
    facts: tuple[Fact, ...]
    """Facts true at the time of the read, the latest confirmed first."""
    emotional_thread: EmotionalThread | None
    procedures: tuple[Procedure, ...]
    clarifications: tuple[Clarification, ...]
    """Open questions about contradicting facts, as of now."""
