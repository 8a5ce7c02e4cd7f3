"""Frozen values that the layers exchange; nothing here uses a database or a model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Generic, Literal, NamedTuple, TypeAlias, TypeVar, overload
from uuid import UUID

from typing_extensions import TypedDict  # pydantic needs it before Python 3.12

from memory_service.vocabulary import EMOTIONS as EMOTIONS
from memory_service.vocabulary import ClarificationStatus, FactStatus, MemoryStatus, MemoryType
from memory_service.vocabulary import Role as Role

if TYPE_CHECKING:  # the command line starts without numpy
    import numpy as np
    from numpy.typing import NDArray

    from memory_service.candidate_arrays import Figures

T = TypeVar("T")

if TYPE_CHECKING:
    JsonValue: TypeAlias = bool | int | float | str | list["JsonValue"] | dict[str, "JsonValue"] | None
else:
    JsonValue = Any  # pydantic would check each value of a response
JsonObject: TypeAlias = dict[str, JsonValue]

Gate = Literal[
    "explicit_request",
    "relational_damage",
    "identity_defining",
    "stable_fact",
    "high_emotion",
    "decision_made",
    "harm_check",
]
"""Names of the gates. harm_check must pass, and at least one of the others (docs/design.md, Gate)."""

Intake = Literal["exchange", "snippet", "verbatim"]
PairDecision = Literal["same", "compatible", "successor", "conflict"]
"""Relation of two facts; `successor`: the newer one replaces the older."""
Purpose = Literal["embed", "extract", "judge", "merge", "consolidate"]
"""Purpose of a model call, as recorded in memory.model_call."""


@dataclass(frozen=True, slots=True)
class Utterance:
    """A redacted message."""

    message_id: UUID
    role: Role
    content: str
    name: str | None
    """Speaker, from the caller or the bank's settings."""
    occurred_at: datetime
    by_agent: bool = False
    """Spoken by the bank's agent; an assistant message with a name of the caller's is a person's."""


@dataclass(frozen=True, slots=True)
class Segment:
    """Messages that become one episode: an exchange, a snippet or a single message."""

    segment_id: UUID
    utterances: tuple[Utterance, ...]
    context: tuple[Utterance, ...] = ()
    """Earlier messages, for understanding only: nothing is extracted from them."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Decision of one gate. The reason names the rule, never the text."""

    gate: Gate
    passed: bool
    reason: str


@dataclass(frozen=True, slots=True)
class ImportanceFeatures:
    """Features of the stored importance, 0 to 1 each (docs/design.md, Importance)."""

    emotion: float = 0.0
    personal: float = 0.0
    decision: float = 0.0
    asked: float = 0.0
    conflict: float = 0.0


@dataclass(frozen=True, slots=True)
class PairFact:
    """A fact as pair judging sees it."""

    text: str
    attribute: str | None
    value: str | None
    cardinality: str
    since: datetime


@dataclass(frozen=True, slots=True)
class UnjudgedPair:
    """Two facts that no rule can judge; the older began first."""

    older_id: UUID
    newer_id: UUID
    similarity: float
    older: PairFact
    newer: PairFact


@dataclass(frozen=True, slots=True)
class JudgedPair:
    """The decision of pair judging on two facts."""

    pair: UnjudgedPair
    decision: PairDecision
    judged_by: str


@dataclass(frozen=True, slots=True)
class CandidateFact:
    """A fact that a segment states."""

    text: str
    subject: str | None = None
    attribute: str | None = None
    value: str | None = None
    stated: bool = False
    """Stated by the person, not inferred."""
    holds: bool = True
    """False: no longer true; without a value, for every value."""


@dataclass(frozen=True, slots=True)
class Extraction:
    """Extraction of one segment: gate decision, summary, features and facts."""

    keep: bool
    verdicts: tuple[Verdict, ...]
    summary: str
    valence: float
    """-1 negative to 1 positive."""
    emotions: tuple[str, ...]
    """Up to three labels of EMOTIONS, strongest first."""
    topics: tuple[str, ...]
    entities: tuple[str, ...]
    features: ImportanceFeatures
    weight: float | None
    """Memory weight, 0 to 1: the importance in `snippet` banks."""
    lesson: str | None
    facts: tuple[CandidateFact, ...]
    extracted_by: str
    """`rules`, or the name of the model."""
    refused: str | None = None
    """Model and failed checks where a model's summary was rejected."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Cost of one model call."""

    model: str
    purpose: Purpose
    input_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0

    def share(self, part: float) -> Usage:
        """A share, 0 to 1, of this cost."""
        return Usage(
            self.model,
            self.purpose,
            round(self.input_tokens * part),
            round(self.output_tokens * part),
            self.seconds * part,
        )


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


class BankStats(TypedDict):
    """Counts of one bank; `memories` and `facts` by status."""

    messages: MessageCounts
    undecidable: Undecidable
    """Messages older than an hour that no queued work will ever decide; above 0 only after rows were copied by hand."""
    memories: dict[str, int]
    facts: dict[str, int]
    queue: QueueStats
    spend: Spend


@dataclass(frozen=True, slots=True)
class CosineScale:
    """Distribution of an embedding model's cosines of unrelated texts."""

    mean: float
    spread: float
    """Standard deviation, above 0."""


@dataclass(frozen=True, slots=True)
class Bank:
    """A bank: the memories of one subject, and its settings."""

    bank_id: str
    settings: JsonObject
    embedding_model: str
    created_at: datetime
    people: tuple[str, ...] = ()
    """Words of speakers' names, in lower case, when the bank was read."""
    scale: CosineScale | None = None
    """Cosine scale of its embedding model; None for the built-in model or where it is unknown."""


class Superseded(NamedTuple):
    """A fact that an episode states and that is no longer true."""

    fact_id: UUID
    fact: str
    since: datetime
    by_id: UUID | None
    """The fact that replaced it; None where it only ended."""
    by_fact: str | None
    alone: bool
    """The episode states no other fact."""


@dataclass(frozen=True, slots=True)
class Measured:
    """Features measured in SQL, one entry per candidate; None where not available."""

    cosine: Sequence[float | None]
    reply: Sequence[float | None]
    question: Sequence[float | None]
    words: Sequence[float]
    speaker: Sequence[bool]
    mentions: Sequence[int | None]
    conversation: Sequence[str | None]
    occurred_at: NDArray[np.int64]
    """Microseconds since 2000."""


class Candidate(NamedTuple):
    """A retrieved memory; similarity is in [0, 1] on one scale for all arms.

    A tuple, as Ranked is: a recall makes a hundred of each, and a dataclass takes four times as long.
    """

    memory_id: UUID
    type: str
    content: str
    occurred_at: datetime
    importance: float
    """Stored importance."""
    effective_importance: float
    """Importance decayed by age and raised by access (docs/design.md, Importance)."""
    valence: float | None
    emotions: Sequence[str]
    topics: Sequence[str]
    tags: Sequence[str]
    metadata: dict[str, Any]
    source: str
    similarity: float
    figures: Mapping[str, float] = MappingProxyType({})
    """Features behind the similarity (recall/fusion.py)."""
    confidence: float | None = None
    """Decayed confidence of a fact at the time of the read; None for an episode."""
    unconfirmed: bool = False
    """A fact in an open conflict."""
    reply: str | None = None
    """Extract of the assistant's reply in the same exchange."""
    from_reply: bool = False
    """The query matches the reply better than the memory's own text."""
    vital: bool = False
    """A fact that every context shows, such as an allergy (SQL function is_always_shown)."""
    superseded: Superseded | None = None
    """Of a returned episode: a fact that it states and that is no longer true (recall/superseded.py)."""


class Found(Sequence[Candidate]):
    """Candidates of one search as columns: all are ranked, only the printed ones become Candidate objects."""

    def __init__(
        self,
        size: int,
        columns: Callable[[str], Sequence[Any]],
        figures: Mapping[str, Figures],
        make: Callable[[int], Candidate],
        ended: bool = True,
    ) -> None:
        self._size = size
        self.ended = ended
        """False where no fact of the bank has an end; True where unknown."""
        self.column = columns
        """One field of all candidates by name; times are microseconds (memory_service/timestamps.py)."""
        self.figures = figures
        """Features behind the similarities."""
        self._make = make

    def __len__(self) -> int:
        return self._size

    @overload
    def __getitem__(self, place: int) -> Candidate: ...
    @overload
    def __getitem__(self, place: slice) -> list[Candidate]: ...
    def __getitem__(self, place: int | slice) -> Candidate | list[Candidate]:
        places = range(self._size)[place]
        return [self._make(n) for n in places] if isinstance(places, range) else self._make(places)


class Ranked(NamedTuple):
    """A candidate with the components of its score and the reason that it was kept or dropped."""

    candidate: Candidate
    score: float
    components: dict[str, float]
    """similarity, importance (as ranked with), stored_importance, recency, emotion (shared labels), age_days; of a fact
    its confidence too, which is not part of the score."""
    reason: str
    dropped: str | None = None
    """Which filter or budget dropped it; None where it was returned."""

    def out(self, why: str) -> Ranked:
        """A copy that is dropped for the given reason."""
        return Ranked(self.candidate, self.score, self.components, self.reason, why)


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
    """End of its valid time."""
    by: SupersedingFact | None
    """None where the fact only ended."""


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
    """What counted most in the score."""
    superseded: SupersededFact | None
    """Of an episode that states a fact which is no longer true: that fact."""
    components: dict[str, float]
    """similarity, importance as ranked with, recency (0 to 1 each), emotion (labels shared with the mood),
    stored_importance, age_days; of a fact its decayed confidence."""


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
    """k, filters, mood and other parameters; empty once they have expired."""
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
class DeadLetter:
    """A work item that failed permanently, and why."""

    bank_id: str
    kind: str
    about: str
    """Kind of `subject`: conversation, segment or memory."""
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
class Page(Generic[T]):
    """One page of a list, and the cursor of the next; None at the end."""

    items: tuple[T, ...]
    next_cursor: str | None


@dataclass(frozen=True, slots=True)
class Extractions:
    """One extraction per segment, in their order."""

    items: tuple[Extraction, ...]
    usage: Usage | None = None
