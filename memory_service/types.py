"""Frozen values that the steps of the pipeline pass on; what callers get is in results.py."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, overload
from uuid import UUID

from memory_service.vocabulary import EMOTIONS as EMOTIONS
from memory_service.vocabulary import NormKind, ProcedureKind
from memory_service.vocabulary import Role as Role

if TYPE_CHECKING:  # the command line starts without numpy
    import numpy as np
    from numpy.typing import NDArray

    from memory_service.candidate_arrays import Figures

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
class StoredText:
    """A text to embed again: of a memory, norm, procedure or lesson."""

    kind: Literal["lesson", "memory", "norm", "procedure"]
    id: UUID
    part: int
    """The part number of its first vector."""
    content: str
    form: Literal["whole", "parts", "sentences"]
    """One vector, one for each piece that the model can read, or those and one for each sentence."""


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
    if_known: bool = False
    """Written only if the bank knows the subject by name: "Finn is 6" may be a line of a riddle."""
    starts_at: str | None = None
    """The announced time, with its zone, at which the fact begins or its ending takes effect; None: when said."""
    ends_at: str | None = None
    """The announced end of a fact that holds."""


@dataclass(frozen=True, slots=True)
class CandidateNorm:
    """A norm that a person states in a segment."""

    kind: NormKind
    norm: str
    situation: str
    """Where it applies, in the person's words; empty: always."""
    slot: str
    """What it is about; a newer norm of the slot with another value replaces it."""
    value: str | None = None
    level: float | None = None
    """Of a sensitivity, 0 to 1."""
    speaker: str | None = None
    """Name of the person where their message has one: norms of several persons of a bank hold together."""
    lifts: tuple[str, ...] = ()
    """Words of a matter, each with its alternatives ("job or work"): the person's orders that have all of them end.
    With level 0 the norm is written only where it ends an order."""


@dataclass(frozen=True, slots=True)
class StatedProcedure:
    """A procedure that a person states about themselves."""

    kind: ProcedureKind
    content: str
    situation: str = ""
    """When it applies; empty: not said."""
    steps: tuple[str, ...] = ()
    why: str | None = None
    stated: bool = True
    """Stated as a habit; False: a single event that is described as usual."""


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
    procedures: tuple[StatedProcedure, ...] = ()
    """Habits, routines, patterns and skills that a model found, beside those of the rules."""
    refused: str | None = None
    """Model and failed checks where a model's summary was rejected."""
    norms: tuple[CandidateNorm, ...] = ()
    mood_topic: str | None = None
    """What the mood is about, by rules; a model's mood is about its first topic."""


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
    """A fact that an episode states and that is no longer true, or never was (`retracted`)."""

    fact_id: UUID
    fact: str
    since: datetime
    by_id: UUID | None
    """The fact that replaced it; None where it only ended."""
    by_fact: str | None
    alone: bool
    """The episode states no other fact."""
    retracted: bool = False


@dataclass(frozen=True, slots=True)
class Measured:
    """Features measured in SQL, one entry per candidate; None where not available."""

    cosine: Sequence[float | None]
    reply: Sequence[float | None]
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
    vital_by_attribute: bool = False
    """Vital whatever its importance: an allergy, not a loss. Shown even if about a sensitive topic."""
    superseded: Superseded | None = None
    """Of a returned episode: a fact that it states and that is no longer true (recall/superseded_statements.py)."""


class FiguresOf(Mapping[str, float]):
    """The features of one candidate, read from their columns, because few of them are used."""

    __slots__ = ("_columns", "_place")

    def __init__(self, columns: Mapping[str, Figures], place: int) -> None:
        self._columns = columns
        self._place = place

    def __getitem__(self, name: str) -> float:
        return self._columns[name].item(self._place)

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)


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
class Extractions:
    """One extraction per segment, in their order."""

    items: tuple[Extraction, ...]
    usage: Usage | None = None
