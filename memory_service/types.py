"""What the layers hand to each other: frozen values, no behaviour that touches a database or a model."""

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
"""S2's gates by name. All but harm_check are positive: one of them must pass, and harm_check always (S2)."""

Intake = Literal["exchange", "snippet", "verbatim"]
PairVerdict = Literal["same", "compatible", "successor", "conflict"]
"""What two facts are to each other; `successor`: the newer one is what became of the older."""
Purpose = Literal["embed", "extract", "judge", "merge", "consolidate"]
"""What a model is asked for, as the ledger tells it."""


@dataclass(frozen=True, slots=True)
class Utterance:
    """One message as models see it: already redacted."""

    message_id: UUID
    role: Role
    content: str
    name: str | None
    """Who speaks, where the caller or the bank's settings said."""
    occurred_at: datetime
    by_agent: bool = False
    """The agent's own words, by whatever name the bank calls it; an assistant whom the caller named is a person."""


@dataclass(frozen=True, slots=True)
class Segment:
    """What one episode is made of: an exchange, a snippet, or a single message (DESIGN §1)."""

    segment_id: UUID
    utterances: tuple[Utterance, ...]
    context: tuple[Utterance, ...] = ()
    """Earlier messages: they help to understand, nothing is remembered from them."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """One gate's answer and why. Reasons name the rule, never the text."""

    gate: Gate
    passed: bool
    reason: str


@dataclass(frozen=True, slots=True)
class ImportanceFeatures:
    """How much of each of S2's boosts is there, graded 0..1 (DESIGN §4)."""

    emotion: float = 0.0
    personal: float = 0.0
    decision: float = 0.0
    asked: float = 0.0
    conflict: float = 0.0


@dataclass(frozen=True, slots=True)
class Told:
    """A fact as it is shown to whoever compares it with another."""

    text: str
    attribute: str | None
    value: str | None
    cardinality: str
    since: datetime


@dataclass(frozen=True, slots=True)
class DoubtfulPair:
    """Two facts of which no rule says whether both can be true; the older is what began first."""

    older_id: UUID
    newer_id: UUID
    similarity: float
    older: Told
    newer: Told


@dataclass(frozen=True, slots=True)
class JudgedPair:
    pair: DoubtfulPair
    verdict: PairVerdict
    judged_by: str


@dataclass(frozen=True, slots=True)
class CandidateFact:
    """Something that may be true, as one segment states it."""

    text: str
    subject: str | None = None
    attribute: str | None = None
    value: str | None = None
    stated: bool = False
    """Stated as such by the person, not inferred."""
    holds: bool = True
    """False: it is no longer so. Without a value, whatever the value was."""


@dataclass(frozen=True, slots=True)
class Extraction:
    """What one structured call gives for one segment (DESIGN §2)."""

    keep: bool
    verdicts: tuple[Verdict, ...]
    summary: str
    valence: float
    """-1 negative .. 1 positive."""
    emotions: tuple[str, ...]
    """Up to three labels of EMOTIONS, strongest first."""
    topics: tuple[str, ...]
    entities: tuple[str, ...]
    features: ImportanceFeatures
    weight: float | None
    """S4's memory weight 0..1: the importance in `snippet` banks."""
    lesson: str | None
    facts: tuple[CandidateFact, ...]
    extracted_by: str
    """`rules`, or the name of the model."""
    refused: str | None = None
    """Why a model's words were not used: which model, and which checks they failed."""


@dataclass(frozen=True, slots=True)
class Usage:
    """What one model call cost."""

    model: str
    purpose: Purpose
    input_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0

    def share(self, part: float) -> Usage:
        """This part, 0 to 1, of this cost."""
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
    """How an embedding model's cosines of unrelated texts lie: where its scale begins, and how wide it is."""

    mean: float
    spread: float
    """Their standard deviation, above 0."""


@dataclass(frozen=True, slots=True)
class Bank:
    """Everything remembered for one subject, and how it is run."""

    bank_id: str
    settings: JsonObject
    embedding_model: str
    created_at: datetime
    people: tuple[str, ...] = ()
    """The words by which those who speak in it are called, in lower case; as of when the bank was read."""
    scale: CosineScale | None = None
    """Its embedding model's, where that is known and another than the built-in model's; likewise."""


class Superseded(NamedTuple):
    """The fact that an episode states and that is no longer true."""

    fact_id: UUID
    fact: str
    since: datetime
    by_id: UUID | None
    """The fact that is true instead; None where it only ended."""
    by_fact: str | None
    alone: bool
    """The episode states no other fact."""


@dataclass(frozen=True, slots=True)
class Measured:
    """What SQL measured of the candidates, one entry each; None where there is none."""

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
    """A memory that retrieval considers; similarity is in [0,1] and means the same for every arm.

    A tuple, as Ranked is: a recall makes a hundred of each, and a dataclass takes four times as long.
    """

    memory_id: UUID
    type: str
    content: str
    occurred_at: datetime
    importance: float
    """As stored."""
    effective_importance: float
    """As faded by age and kept up by use (DESIGN §4)."""
    valence: float | None
    emotions: Sequence[str]
    topics: Sequence[str]
    tags: Sequence[str]
    metadata: dict[str, Any]
    source: str
    similarity: float
    figures: Mapping[str, float] = MappingProxyType({})
    """What the similarity is made of (recall/fusion.py)."""
    confidence: float | None = None
    """Of a fact, as faded at the time of the read (DESIGN §4); None of an episode."""
    unconfirmed: bool = False
    """A fact in a conflict that nobody has settled."""
    reply: str | None = None
    """The extract of the assistant's reply in the same exchange."""
    from_reply: bool = False
    """The query matches the reply better than the memory's own text."""
    vital: bool = False
    """A fact that is shown in every context: an allergy, an instruction (memory_internal.is_always_shown)."""
    superseded: Superseded | None = None
    """Of an episode that is returned: its stated fact that is no longer true (recall/superseded.py)."""


class Found(Sequence[Candidate]):
    """The candidates of one search, as columns: all are ranked, but few are looked at, and only those become a
    Candidate each."""

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
        """Whether a fact of the bank has an end, or nothing was found that says so."""
        self.column = columns
        """One field of all candidates; of `occurred_at` it has `moments` (memory_service/timestamps.py)."""
        self.figures = figures
        """What the similarities are made of."""
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
    """A candidate with the parts of its score, and why it is in or out."""

    candidate: Candidate
    score: float
    components: dict[str, float]
    """similarity, importance (as ranked with), stored_importance, recency, emotion (shared labels), age_days; of a fact
    its confidence, too, which does not count in the score."""
    reason: str
    dropped: str | None = None
    """Which filter or budget dropped it; None where it was returned."""

    def out(self, why: str) -> Ranked:
        """The same, dropped."""
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
    reason: str
    """What counted most in the score."""
    metadata: JsonObject
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
    """One candidate of a read, as its trace kept it."""

    memory_id: UUID
    score: float
    components: dict[str, float]
    figures: dict[str, float]
    """What the similarity was made of."""
    reason: str
    dropped: str | None
    """Which filter or budget dropped it; None where it was returned."""
    content: str | None
    """The beginning of the memory as it is now, as long as it is there; the trace itself holds no memory text."""


@dataclass(frozen=True, slots=True)
class TraceLine:
    """One read in a list of reads."""

    trace_id: UUID
    kind: str
    at: datetime
    query: str | None
    """What was asked, without secrets; None once that has expired."""
    profile: str
    mode: str
    returned: int
    degraded: bool


@dataclass(frozen=True, slots=True)
class Trace:
    """The record of one read (promise 6)."""

    trace_id: UUID
    kind: str
    at: datetime
    query: str | None
    """What was asked, without secrets; None once that has expired."""
    asked: JsonObject
    """k, filters, mood and what else the caller asked for; empty once that has expired."""
    profile: str
    weights: dict[str, float]
    mode: str
    as_of: datetime | None
    embedding_model: str | None
    returned: int
    degraded: bool
    figures: dict[str, float]
    """Where the time went, in milliseconds, and a context's tokens."""
    candidates: tuple[Traced, ...]
    """What was returned, best first, then what was dropped, best first."""


@dataclass(frozen=True, slots=True)
class Section:
    name: str
    tokens: int
    memory_ids: tuple[UUID, ...]


@dataclass(frozen=True, slots=True)
class Dropped:
    """What did not get into a context, and why."""

    memory_id: UUID
    reason: str


@dataclass(frozen=True, slots=True)
class Context:
    """The text to put before the model, what it is made of, and what was left out."""

    text: str
    tokens: int
    sections: tuple[Section, ...]
    dropped: tuple[Dropped, ...]
    degraded: bool
    trace_id: UUID
    clarification_id: UUID | None = None
    """The question in its CLARIFICATION section, where it has one."""


@dataclass(frozen=True, slots=True)
class MemoryItem:
    """A memory as every door shows it (DESIGN §8)."""

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
    """Memories that have to do with this one, strongest first, at most ten."""
    reply: str | None = None
    """The extract of the assistant's reply in the same exchange; None where there is none."""


@dataclass(frozen=True, slots=True)
class EarlierFact:
    """An earlier wording of a fact, or the fact that held in its place before."""

    fact: str
    retired: datetime
    reason: str | None


@dataclass(frozen=True, slots=True)
class Fact:
    """What is true, for a time, as every door shows it (DESIGN §8; the last six of S1 3.2 and S2)."""

    memory_id: UUID
    fact: str
    subject: str | None
    attribute: str | None
    value: str | None
    confidence: float
    """Faded to the moment that was asked about."""
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
    """In a conflict that is still to be settled: to be spoken of with care."""
    tags: tuple[str, ...]
    recipients: tuple[str, ...]
    metadata: JsonObject
    recorded_at: datetime
    source: str
    agent_id: str | None
    extracted_by: str | None
    contradictions: tuple[UUID, ...]
    """Facts that it contradicts."""
    derived_from: tuple[UUID, ...]
    """The episodes that say so, the oldest first."""
    version_history: tuple[EarlierFact, ...]
    """What it said, and what held in its place, before, the oldest first."""


@dataclass(frozen=True, slots=True)
class FactVersion:
    """One state that a fact was in, since when we knew, why and by whom."""

    version: int
    at: datetime
    reason: str
    actor: str
    fact: str
    status: FactStatus
    confidence: float
    """As of the last confirmation, not faded."""
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
    """One of the two facts that a question is about."""

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
    """The older first."""
    importance: float
    status: ClarificationStatus
    created_at: datetime
    offered_at: datetime | None
    """When a context last asked it."""
    answered_at: datetime | None
    keep: UUID | Literal["both"] | None
    """The answer: the fact that is right, or both; None where it is not answered."""
    answer: str | None
    """The user's answer in words, redacted."""
    actor: str | None


@dataclass(frozen=True, slots=True)
class Decision:
    """The record of one gating (promise 6)."""

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
    """The beginning of what it was about, as long as that is kept; the decision itself holds no text."""


@dataclass(frozen=True, slots=True)
class DeadLetter:
    """A piece of work that failed for good, and why."""

    bank_id: str
    kind: str
    about: str
    """What `subject` is the id of: conversation, segment or memory."""
    subject: str
    attempts: int
    reason: str
    dead_at: datetime
    enqueued_at: datetime


@dataclass(frozen=True, slots=True)
class Committed:
    """The answer to a conscious commit."""

    memory_id: UUID
    status: MemoryStatus
    created: bool
    """False where the idempotency key had been used before."""


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """Some of a list, and the cursor of the rest; None at its end."""

    items: tuple[T, ...]
    next_cursor: str | None


@dataclass(frozen=True, slots=True)
class Extractions:
    """One extraction per segment, in their order."""

    items: tuple[Extraction, ...]
    usage: Usage | None = None
