"""Frozen results that callers see: of reads, commits, lists and statistics."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Generic, Literal, TypeVar
from uuid import UUID

from typing_extensions import TypedDict  # pydantic needs it before Python 3.12

from memory_service.types import JsonObject
from memory_service.vocabulary import (
    ClarificationStatus,
    ErasureScope,
    ErasureStatus,
    FactStatus,
    MemoryStatus,
    MemoryType,
    ProcedureKind,
    ProcedureStatus,
    ThreadEnd,
)

T = TypeVar("T")


class MessageCounts(TypedDict):
    total: int
    pending: int
    stored: int
    refused: int
    failed: int


class QueueStats(TypedDict):
    depth: int
    oldest_seconds: float
    dead: int


class Spend(TypedDict):
    """Model calls since midnight UTC."""

    since: str
    calls: int
    input_tokens: int
    output_tokens: int
    seconds: float


class Undecidable(TypedDict):
    messages: int


class ReembeddingCounts(TypedDict, total=False):
    """Texts with vectors of a bank's embedding model, and with those of a second one; empty without a second one."""

    status: Literal["copying", "kept"]
    embedding_model: str
    other_model: str
    texts: int
    other_texts: int


class BankStats(TypedDict):
    """Counts of one bank; `memories` (episodes), `facts` and `procedures` by status.

    Of facts that are believed, `tentative` and `stable` count those that hold now, `ended` those whose period is over.
    """

    messages: MessageCounts
    undecidable: Undecidable
    """Messages older than an hour that no queued work will ever decide; above 0 only after rows were copied by hand."""
    memories: dict[str, int]
    facts: dict[str, int]
    procedures: dict[str, int]
    queue: QueueStats
    reembedding: ReembeddingCounts
    spend: Spend


class Verification(TypedDict):
    """Comparison of two embedding models before a switch: recall@10 of the same queries by each."""

    queries: int
    embedding_model: float
    other_model: float
    shared: float
    """Mean share of the ten that both models find."""


@dataclass(frozen=True, slots=True)
class Reembedding:
    """A bank that has vectors of a second embedding model."""

    embedding_model: str
    """The one that the bank uses."""
    other_model: str
    status: Literal["copying", "kept"]
    """`copying`: the bank will be switched to the other model; `kept`: that is the former one."""
    keep_days: int
    verify_queries: int
    verified: Verification | None
    requested_at: datetime
    switched_at: datetime | None
    keep_until: datetime | None
    texts: int
    """Texts with a vector of the embedding model."""
    other_texts: int
    """Texts with a vector of the other model."""


@dataclass(frozen=True, slots=True)
class SupersedingFact:
    """The fact that is true in place of a superseded one."""

    memory_id: UUID
    fact: str


@dataclass(frozen=True, slots=True)
class SupersededFact:
    """A fact that an episode states and that is no longer true."""

    memory_id: UUID
    fact: str
    since: datetime
    """End of its valid time; of a retracted fact the time of its retraction."""
    by: SupersedingFact | None
    """None where the fact only ended."""
    retracted: bool = False
    """Whether the fact was wrong (`POST .../retract`)."""


@dataclass(frozen=True, slots=True)
class RecalledMemory:
    """A memory that a recall returns."""

    memory_id: UUID
    type: MemoryType
    content: str
    reply: str | None
    """Extract of the assistant's reply in the same exchange; None where there is none."""
    from_reply: bool
    """The query matches the reply better than the content."""
    occurred_at: datetime
    score: float
    metadata: JsonObject
    reason: str
    """What counted most in the score: `high_similarity`, `low_similarity` (below 0.15), `important`, `recent`,
    `recent_important` (both, of the last seven days) or `emotional_match`."""
    components: dict[str, float]
    """similarity, importance as ranked with, recency (0 to 1 each), emotion (labels shared with the mood),
    stored_importance, age_days; of a fact its decayed confidence."""
    superseded: SupersededFact | None = None
    """Of an episode that states a fact which is no longer true: that fact."""


@dataclass(frozen=True, slots=True)
class RecallResult:
    """The memories that match a query best, best first."""

    items: tuple[RecalledMemory, ...]
    degraded: bool
    """The query could not be embedded: matched by words and salience only."""
    trace_id: UUID


@dataclass(frozen=True, slots=True)
class Traced:
    """One candidate in a trace."""

    memory_id: UUID
    score: float
    components: dict[str, float]
    figures: dict[str, float]
    """Features behind the similarity."""
    reason: str
    dropped: str | None
    """Which filter or budget dropped it; None where it was returned."""
    content: str | None
    """Beginning of the memory as it is now; None once it is gone. A trace holds no memory text."""


@dataclass(frozen=True, slots=True)
class TraceLine:
    """One read, without its candidates."""

    trace_id: UUID
    kind: str
    at: datetime
    query: str | None
    """The redacted query; None once it has expired."""
    profile: str
    mode: str
    returned: int
    degraded: bool


@dataclass(frozen=True, slots=True)
class Trace:
    """The record of one read."""

    trace_id: UUID
    kind: str
    at: datetime
    query: str | None
    """The redacted query; None once it has expired."""
    asked: JsonObject
    """k, filters, mood, conversation and other parameters; empty once they have expired."""
    profile: str
    weights: dict[str, float]
    mode: str
    as_of: datetime | None
    embedding_model: str | None
    returned: int
    degraded: bool
    figures: dict[str, float]
    """Milliseconds per step, and a context's tokens."""
    candidates: tuple[Traced, ...]
    """Returned candidates, best first, then dropped ones, best first."""


@dataclass(frozen=True, slots=True)
class Section:
    name: str
    tokens: int
    memory_ids: tuple[UUID, ...]


@dataclass(frozen=True, slots=True)
class Dropped:
    """A memory that a context left out, and why."""

    memory_id: UUID
    reason: str


@dataclass(frozen=True, slots=True)
class Context:
    """A text to put before the model, its sections, and the memories left out."""

    text: str
    tokens: int
    sections: tuple[Section, ...]
    dropped: tuple[Dropped, ...]
    degraded: bool
    trace_id: UUID
    clarification_id: UUID | None = None
    """Question of the CLARIFICATION section; None without one."""


@dataclass(frozen=True, slots=True)
class MemoryItem:
    """A stored memory."""

    memory_id: UUID
    type: MemoryType
    content: str
    occurred_at: datetime
    recorded_at: datetime
    importance: float
    valence: float | None
    emotions: tuple[str, ...]
    topics: tuple[str, ...]
    entities: tuple[str, ...]
    lesson: str | None
    tags: tuple[str, ...]
    recipients: tuple[str, ...]
    metadata: JsonObject
    status: MemoryStatus
    source: str
    agent_id: str | None
    conversation_id: str | None
    extracted_by: str | None
    represents: int
    access_count: int
    merged_into_id: UUID | None
    """The memory that stands for this one."""
    links: tuple[UUID, ...]
    """Linked memories, strongest first, at most ten."""
    etag: str
    """Changes with each change of the memory, except of access_count and links."""
    reply: str | None = None
    """Extract of the assistant's reply in the same exchange; None where there is none."""


@dataclass(frozen=True, slots=True)
class EarlierFact:
    """An earlier wording of a fact, or the fact that held in its place before."""

    fact: str
    retired: datetime
    reason: str | None


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact with its valid time, confidence and evidence."""

    memory_id: UUID
    fact: str
    subject: str | None
    attribute: str | None
    value: str | None
    confidence: float
    """Decayed at the time of the read or at `as_of`."""
    status: FactStatus
    importance: float
    evidence_count: int
    first_observed: datetime
    last_confirmed: datetime
    valid_from: datetime
    valid_to: datetime | None
    superseded_by: UUID | None
    merged_into_id: UUID | None
    retracted_at: datetime | None
    pinned: bool
    unconfirmed: bool
    """In an open conflict."""
    tags: tuple[str, ...]
    recipients: tuple[str, ...]
    metadata: JsonObject
    recorded_at: datetime
    source: str
    agent_id: str | None
    extracted_by: str | None
    contradictions: tuple[UUID, ...]
    """Facts in conflict with this one."""
    derived_from: tuple[UUID, ...]
    """Episodes that are its evidence, oldest first."""
    version_history: tuple[EarlierFact, ...]
    """Earlier wordings and predecessors, oldest first."""


@dataclass(frozen=True, slots=True)
class FactVersion:
    """One version of a fact: since `at` (transaction time), with reason and actor."""

    version: int
    at: datetime
    reason: str
    actor: str
    fact: str
    status: FactStatus
    confidence: float
    """At the last confirmation, not decayed."""
    importance: float
    evidence_count: int
    first_observed: datetime
    last_confirmed: datetime
    valid_from: datetime
    valid_to: datetime | None
    superseded_by: UUID | None
    merged_into_id: UUID | None
    retracted_at: datetime | None
    pinned: bool


@dataclass(frozen=True, slots=True)
class EmotionalThread:
    """A mood that is carried on over several messages, as it is now or at `as_of`."""

    thread_id: UUID
    current_state: str
    """The mood in words: "worried about job interview"."""
    emotion: str | None
    """Its label in the taxonomy of emotions; None where only the valence is known."""
    topic: str | None
    """What it is about, where that is known."""
    valence: float
    """Sign and strength, -1 to 1, faded to the time of the read; of an ended thread as of its last update."""
    recognized_from: tuple[UUID, ...]
    """Its episodes, oldest first; the latest 50."""
    should_acknowledge: bool
    """Whether the agent should mention it: it is strong, and no context has printed it recently."""
    acknowledged_at: datetime | None
    """When a context last asked the agent to acknowledge it."""
    thread_length: int
    """Number of its episodes."""
    started_at: datetime
    last_update: datetime
    ended_at: datetime | None
    end_reason: ThreadEnd | None
    ended_by: str | None
    """Who ended it or switched the setting off."""


@dataclass(frozen=True, slots=True)
class Procedure:
    """A habit, routine, pattern, skill or lesson, with its outcomes."""

    memory_id: UUID
    kind: ProcedureKind
    content: str
    situation: str
    """When it applies; empty: not known."""
    steps: tuple[str, ...]
    why: str | None
    status: ProcedureStatus
    confidence: float
    importance: float
    evidence_count: int
    """Episodes and commits that state or teach it."""
    worked: int
    failed: int
    weight: float
    """Lower bound of the share of outcomes that worked; 0.2 without outcomes."""
    avoid: bool
    """It failed too often: contexts show it as one to avoid."""
    pinned: bool
    occurred_at: datetime
    """When it was last stated or taught."""
    recorded_at: datetime
    valid_from: datetime
    valid_to: datetime | None
    replaces: UUID | None
    superseded_by: UUID | None
    merged_into_id: UUID | None
    retracted_at: datetime | None
    derived_from: tuple[UUID, ...]
    """Episodes that state or teach it, oldest first."""
    tags: tuple[str, ...]
    recipients: tuple[str, ...]
    metadata: JsonObject
    source: str
    agent_id: str | None
    extracted_by: str | None
    version: int


@dataclass(frozen=True, slots=True)
class ProcedureVersion:
    """One version of a procedure: since `at` (transaction time), with reason and actor."""

    version: int
    at: datetime
    reason: str
    actor: str
    content: str
    situation: str
    steps: tuple[str, ...]
    why: str | None
    status: ProcedureStatus
    confidence: float
    importance: float
    evidence_count: int
    worked: int
    failed: int
    pinned: bool
    valid_from: datetime
    valid_to: datetime | None
    superseded_by: UUID | None


@dataclass(frozen=True, slots=True)
class AskedAbout:
    """One of the two facts of a question."""

    memory_id: UUID
    fact: str
    status: FactStatus
    valid_from: datetime


@dataclass(frozen=True, slots=True)
class Clarification:
    """A question for the user: which of two facts is right?"""

    clarification_id: UUID
    question: str
    facts: tuple[AskedAbout, ...]
    """Older first."""
    importance: float
    status: ClarificationStatus
    created_at: datetime
    offered_at: datetime | None
    """When a context last showed it."""
    answered_at: datetime | None
    keep: UUID | Literal["both"] | None
    """The answer: the fact that is right, or both; None where it is not answered."""
    answer: str | None
    """The user's answer in words, redacted."""
    actor: str | None


@dataclass(frozen=True, slots=True)
class Decision:
    """The record of one gate decision."""

    decision_id: UUID
    conversation_id: str | None
    segment_id: UUID | None
    memory_id: UUID | None
    message_ids: tuple[UUID, ...]
    client_ids: tuple[str | None, ...]
    outcome: str
    reason: str
    verdicts: list[JsonObject]
    decided_by: str
    decided_at: datetime
    said: str | None
    """Beginning of the message, as long as it is kept; the decision itself holds no text."""


@dataclass(frozen=True, slots=True)
class Change:
    """An event of a memory, without its text."""

    change_id: int
    memory_id: UUID
    type: MemoryType
    event: str
    """created, status, updated, reinforced, superseded, ended, reopened, text, deleted, ..."""
    from_status: str | None
    to_status: str | None
    reason: str
    actor: str
    at: datetime
    fields: tuple[str, ...]
    """Names of the fields that an update changed."""
    replaced_by: UUID | None
    """The new fact, where an update made it another statement."""


@dataclass(frozen=True, slots=True)
class TimelineEntry(Change):
    """An event of a memory with its present text."""

    content: str | None
    """None where the memory is deleted."""


@dataclass(frozen=True, slots=True)
class MapPoint:
    """An active episode at its place in the plane of the bank's greatest variance."""

    memory_id: UUID
    x: float
    y: float
    """Inner products of its vector with the two axes."""
    cluster_id: UUID | None
    """Of the nightly run; None before it, and for episodes that resemble too few others."""
    occurred_at: datetime
    importance: float
    content: str
    """Its first 100 characters."""
    topics: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DailySpend:
    """The model calls of a bank on one UTC day for one purpose by one model."""

    day: date
    purpose: str
    model: str
    calls: int
    failed: int
    items: int
    input_tokens: int
    output_tokens: int
    seconds: float


@dataclass(frozen=True, slots=True)
class DailyActivity:
    """The messages and episodes that a bank received on one UTC day, as far as they are still stored."""

    day: date
    messages: int
    memories: int
    """Episodes."""


@dataclass(frozen=True, slots=True)
class NightPass:
    """One pass of a night, over all its banks."""

    name: str
    ended_at: datetime
    seconds: float
    banks: int
    failed: int
    counts: dict[str, int]
    """What it changed, by kind; without zeros."""
    model_calls: int
    tokens: int
    errors: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Night:
    """One run of the nightly jobs."""

    night_id: UUID
    started_at: datetime
    passes: tuple[NightPass, ...]


@dataclass(frozen=True, slots=True)
class AuditEvent:
    """An administrative act."""

    audit_id: int
    at: datetime
    action: str
    actor: str
    key_id: str | None
    bank_ids: tuple[str, ...]
    """Empty for acts on the installation."""
    subjects: tuple[str, ...]
    details: JsonObject


@dataclass(frozen=True, slots=True)
class DeadLetter:
    """A work item that failed permanently, and why."""

    bank_id: str
    kind: str
    about: str
    """Kind of `subject`: conversation, segment, memory or bank."""
    subject: str
    attempts: int
    reason: str
    dead_at: datetime
    enqueued_at: datetime


@dataclass(frozen=True, slots=True)
class Committed:
    """Result of a commit."""

    memory_id: UUID
    status: MemoryStatus
    created: bool
    """False where the idempotency key had been used before."""


@dataclass(frozen=True, slots=True)
class Session:
    """A session: the working state of an agent."""

    session_id: str
    version: int
    """Incremented by each change."""
    state: str
    data: JsonObject | None
    """Redacted; None where the caller did not want it."""
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class SessionLine:
    """One session of a list, without its data."""

    session_id: str
    version: int
    state: str
    bytes: int
    """Of the data as JSON text."""
    checkpoints: int
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A session as it was at a time, without its data."""

    checkpoint_id: UUID
    version: int
    """Of the session."""
    state: str
    bytes: int
    """Of the data as JSON text."""
    name: str | None
    note: str | None
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Erasure:
    """The receipt of an erasure. It holds hashes of ids, times and counts, no text, and outlives its bank."""

    erasure_id: UUID
    scope: ErasureScope
    selector: JsonObject
    """What the request named: `memory_ids`, `conversation_id` or `agent_id` as hashes; `since` and `until`."""
    status: ErasureStatus
    """The level reached: `unreachable` for every read, or `scrubbed` from tables, indexes and WAL as well."""
    actor: str
    reason: str | None
    requested_at: datetime
    unreachable_at: datetime
    scrubbed_at: datetime | None
    row_counts: dict[str, int]
    """Rows deleted, by table."""


@dataclass(frozen=True, slots=True)
class ErasureItems:
    """Ids of what an erasure would delete, by kind."""

    episodes: tuple[UUID, ...]
    facts: tuple[UUID, ...]
    procedures: tuple[UUID, ...]
    norms: tuple[UUID, ...]
    messages: tuple[UUID, ...]
    conversations: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ErasurePlan:
    """What an erasure would delete."""

    scope: ErasureScope
    selector: JsonObject
    """Confirms the plan: an erasure with this selector deletes what the plan lists."""
    row_counts: dict[str, int]
    """Rows that would be deleted, by table."""
    items: ErasureItems
    """Empty for a whole bank."""


@dataclass(frozen=True, slots=True)
class BankLine:
    """One bank of a list, without its settings."""

    bank_id: str
    embedding_model: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """One page of a list, and the cursor of the next; None at the end."""

    items: tuple[T, ...]
    next_cursor: str | None
