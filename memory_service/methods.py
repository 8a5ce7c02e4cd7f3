"""The methods that `Memory` and `MemoryClient` share, as a protocol for programs that take either."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Literal, Protocol
from uuid import UUID

from memory_service.cursors import MAX_PAGE
from memory_service.person_results import KnownPerson, Norm, NormVersion, RelationalMemory
from memory_service.requests import LIVE, NewMessage
from memory_service.results import (
    BankLine,
    BankStats,
    Change,
    Checkpoint,
    Clarification,
    Committed,
    Context,
    DeadLetter,
    Decision,
    EmotionalThread,
    Erasure,
    ErasurePlan,
    Fact,
    FactVersion,
    MemoryItem,
    Page,
    Procedure,
    ProcedureVersion,
    RecallResult,
    Session,
    SessionLine,
    Trace,
    TraceLine,
)
from memory_service.types import Bank
from memory_service.vocabulary import (
    Arm,
    ClarificationStatus,
    DecisionOutcome,
    FactStatus,
    MemoryStatus,
    MemoryType,
    Mode,
    Order,
    ProcedureKind,
    ProcedureOutcome,
    ProcedureStatus,
    RelationshipPhase,
    Tokenizer,
)


class MemoryMethods(Protocol):
    """What `Memory` offers in process and `MemoryClient` over HTTP, with the same results and errors.

    The methods are described at `Memory`.
    """

    async def create_bank(
        self, bank_id: str, settings: Mapping[str, object] | None = None
    ) -> tuple[Bank, bool]: ...

    async def get_bank(self, bank_id: str) -> Bank: ...

    async def list_banks(self, *, limit: int = 50, cursor: str | None = None) -> Page[BankLine]: ...

    async def update_bank(self, bank_id: str, settings: Mapping[str, object]) -> Bank: ...

    async def stats(self, bank_id: str) -> BankStats: ...

    async def add_messages(
        self,
        bank_id: str,
        conversation_id: str,
        messages: Sequence[NewMessage],
        *,
        agent_id: str | None = None,
        lane: int = LIVE,
    ) -> list[UUID]: ...

    async def remember(
        self,
        bank_id: str,
        content: str,
        *,
        type: MemoryType = "episodic",  # noqa: A002 - as Memory.remember
        tags: Sequence[str] | None = None,
        metadata: Mapping[str, object] | None = None,
        importance: float | None = None,
        emotions: Sequence[str] | None = None,
        valence: float | None = None,
        topics: Sequence[str] | None = None,
        entities: Sequence[str] | None = None,
        lesson: str | None = None,
        occurred_at: datetime | None = None,
        recipients: Sequence[str] | None = None,
        idempotency_key: str | None = None,
        agent_id: str | None = None,
        situation: str | None = None,
        steps: Sequence[str] | None = None,
        why: str | None = None,
        kind: ProcedureKind | None = None,
        replaces: UUID | None = None,
        wait_ms: int = 0,
    ) -> Committed: ...

    async def update(
        self,
        bank_id: str,
        memory_id: UUID,
        *,
        content: str | None = None,
        tags: Sequence[str] | None = None,
        metadata: Mapping[str, object] | None = None,
        importance: float | None = None,
        lesson: str | None = None,
        if_match: str | Sequence[str] | None = None,
        actor: str | None = None,
    ) -> MemoryItem: ...

    async def recall(
        self,
        bank_id: str,
        query: str,
        *,
        k: int = 10,
        mode: Mode = "tool",
        profile: str | None = None,
        types: Sequence[MemoryType] | None = None,
        tags: Sequence[str] | None = None,
        min_importance: float | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        recipient: str | None = None,
        agent: str | None = None,
        emotions: Sequence[str] | None = None,
        valence: float | None = None,
        topics: Sequence[str] | None = None,
        as_of: datetime | None = None,
        min_score: float | None = None,
        by: Sequence[Arm] | None = None,
    ) -> RecallResult: ...

    async def context(
        self,
        bank_id: str,
        message: str,
        *,
        conversation_id: str | None = None,
        recent_tokens: int | None = None,
        knowledge_tokens: int | None = None,
        profile: str | None = None,
        emotions: Sequence[str] | None = None,
        valence: float | None = None,
        topics: Sequence[str] | None = None,
        tokenizer: Tokenizer = "wordpiece",
        as_of: datetime | None = None,
        min_score: float | None = None,
    ) -> Context: ...

    async def compact(
        self,
        bank_id: str,
        recipient: str,
        purpose: str,
        *,
        max_tokens: int | None = None,
        tokenizer: Tokenizer = "wordpiece",
        as_of: datetime | None = None,
    ) -> Context: ...

    async def get_memory(self, bank_id: str, memory_id: UUID) -> MemoryItem: ...

    async def list_memories(
        self,
        bank_id: str,
        *,
        type: MemoryType | None = None,  # noqa: A002 - as Memory.list_memories
        tags: Sequence[str] | None = None,
        min_importance: float | None = None,
        status: MemoryStatus | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        agent: str | None = None,
        recipient: str | None = None,
        order: Order = "recency",
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[MemoryItem]: ...

    async def list_decisions(
        self,
        bank_id: str,
        *,
        outcome: DecisionOutcome | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[Decision]: ...

    async def list_changes(
        self, bank_id: str, *, limit: int = 50, cursor: str | None = None, wait_seconds: float = 0
    ) -> Page[Change]: ...

    async def get_trace(self, bank_id: str, trace_id: UUID) -> Trace: ...

    async def list_traces(
        self, bank_id: str, *, limit: int = 50, cursor: str | None = None
    ) -> Page[TraceLine]: ...

    async def list_facts(
        self,
        bank_id: str,
        *,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
        statuses: Sequence[FactStatus] | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[Fact]: ...

    async def get_fact(self, bank_id: str, fact_id: UUID) -> Fact: ...

    async def fact_history(
        self, bank_id: str, fact_id: UUID, *, limit: int = MAX_PAGE, cursor: str | None = None
    ) -> Page[FactVersion]: ...

    async def confirm_fact(self, bank_id: str, fact_id: UUID, *, actor: str | None = None) -> Fact: ...

    async def dispute_fact(self, bank_id: str, fact_id: UUID, *, actor: str | None = None) -> Fact: ...

    async def retract_fact(self, bank_id: str, fact_id: UUID, *, actor: str | None = None) -> Fact: ...

    async def pin_fact(self, bank_id: str, fact_id: UUID, *, actor: str | None = None) -> Fact: ...

    async def unpin_fact(self, bank_id: str, fact_id: UUID, *, actor: str | None = None) -> Fact: ...

    async def unmerge_fact(self, bank_id: str, fact_id: UUID, *, actor: str | None = None) -> Fact: ...

    async def list_clarifications(
        self,
        bank_id: str,
        *,
        statuses: Sequence[ClarificationStatus] | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[Clarification]: ...

    async def answer_clarification(
        self,
        bank_id: str,
        clarification_id: UUID,
        keep: UUID | Literal["both"],
        text: str | None = None,
        *,
        actor: str | None = None,
    ) -> Clarification: ...

    async def person(self, bank_id: str, *, as_of: datetime | None = None) -> KnownPerson: ...

    async def relational(self, bank_id: str, *, as_of: datetime | None = None) -> RelationalMemory: ...

    async def list_norms(
        self, bank_id: str, *, as_of: datetime | None = None, all_states: bool = False
    ) -> list[Norm]: ...

    async def get_norm(self, bank_id: str, norm_id: UUID) -> Norm: ...

    async def norm_history(self, bank_id: str, norm_id: UUID) -> list[NormVersion]: ...

    async def put_relational(
        self,
        bank_id: str,
        norms: Sequence[Mapping[str, object]] = (),
        *,
        relationship_phase: RelationshipPhase | None = None,
        communication_style: str | None = None,
        actor: str | None = None,
        agent_id: str | None = None,
    ) -> RelationalMemory: ...

    async def correct_norm(
        self,
        bank_id: str,
        norm_id: UUID,
        *,
        norm: str | None = None,
        situation: str | None = None,
        level: float | None = None,
        actor: str | None = None,
    ) -> Norm: ...

    async def confirm_norm(self, bank_id: str, norm_id: UUID, *, actor: str | None = None) -> Norm: ...

    async def remove_norm(self, bank_id: str, norm_id: UUID, *, actor: str | None = None) -> Norm: ...

    async def pin_norm(self, bank_id: str, norm_id: UUID, *, actor: str | None = None) -> Norm: ...

    async def unpin_norm(self, bank_id: str, norm_id: UUID, *, actor: str | None = None) -> Norm: ...

    async def emotional_thread(
        self, bank_id: str, *, as_of: datetime | None = None
    ) -> EmotionalThread | None: ...

    async def list_emotional_threads(
        self, bank_id: str, *, limit: int = 50, cursor: str | None = None
    ) -> Page[EmotionalThread]: ...

    async def end_emotional_thread(
        self, bank_id: str, *, actor: str | None = None
    ) -> EmotionalThread | None: ...

    async def list_procedures(
        self,
        bank_id: str,
        *,
        as_of: datetime | None = None,
        statuses: Sequence[ProcedureStatus] | None = None,
        kinds: Sequence[ProcedureKind] | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[Procedure]: ...

    async def get_procedure(self, bank_id: str, procedure_id: UUID) -> Procedure: ...

    async def procedure_history(
        self, bank_id: str, procedure_id: UUID, *, limit: int = MAX_PAGE, cursor: str | None = None
    ) -> Page[ProcedureVersion]: ...

    async def record_outcome(
        self,
        bank_id: str,
        procedure_id: UUID,
        outcome: ProcedureOutcome,
        *,
        note: str | None = None,
        actor: str | None = None,
    ) -> Procedure: ...

    async def retract_procedure(
        self, bank_id: str, procedure_id: UUID, *, actor: str | None = None
    ) -> Procedure: ...

    async def pin_procedure(
        self, bank_id: str, procedure_id: UUID, *, actor: str | None = None
    ) -> Procedure: ...

    async def unpin_procedure(
        self, bank_id: str, procedure_id: UUID, *, actor: str | None = None
    ) -> Procedure: ...

    async def create_session(
        self,
        bank_id: str,
        state: str,
        data: Mapping[str, object] | None = None,
        *,
        session_id: str | None = None,
    ) -> Session: ...

    async def get_session(self, bank_id: str, session_id: str, *, include_data: bool = True) -> Session: ...

    async def update_session(
        self,
        bank_id: str,
        session_id: str,
        version: int,
        *,
        state: str | None = None,
        data: Mapping[str, object] | None = None,
        append: Mapping[str, Sequence[object]] | None = None,
        include_data: bool = True,
    ) -> Session: ...

    async def list_sessions(
        self, bank_id: str, *, limit: int = 50, cursor: str | None = None
    ) -> Page[SessionLine]: ...

    async def delete_session(self, bank_id: str, session_id: str) -> None: ...

    async def create_checkpoint(
        self, bank_id: str, session_id: str, *, name: str | None = None, note: str | None = None
    ) -> Checkpoint: ...

    async def list_checkpoints(
        self, bank_id: str, session_id: str, *, limit: int = 50, cursor: str | None = None
    ) -> Page[Checkpoint]: ...

    async def delete_checkpoint(self, bank_id: str, session_id: str, checkpoint_id: UUID) -> None: ...

    async def restore_session(self, bank_id: str, session_id: str, checkpoint_id: UUID) -> Session: ...

    async def fork_session(
        self,
        bank_id: str,
        session_id: str,
        *,
        checkpoint_id: UUID | None = None,
        fork_id: str | None = None,
    ) -> Session: ...

    async def restore_memory(
        self, bank_id: str, memory_id: UUID, *, actor: str | None = None
    ) -> MemoryStatus: ...

    async def release_memory(
        self, bank_id: str, memory_id: UUID, *, actor: str | None = None
    ) -> MemoryItem: ...

    async def list_dead_letters(
        self, bank_id: str | None = None, *, limit: int = 50, cursor: str | None = None
    ) -> Page[DeadLetter]: ...

    async def redrive(self, bank_id: str) -> int: ...

    async def redrive_all(self) -> int: ...

    async def erase(
        self,
        bank_id: str,
        *,
        memory_ids: Sequence[UUID] | None = None,
        search: bool = False,
        conversation_id: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        agent_id: str | None = None,
        reason: str | None = None,
        actor: str | None = None,
    ) -> Erasure: ...

    async def erase_memory(
        self, bank_id: str, memory_id: UUID, *, reason: str | None = None, actor: str | None = None
    ) -> Erasure: ...

    async def erase_bank(
        self, bank_id: str, *, reason: str | None = None, actor: str | None = None
    ) -> Erasure: ...

    async def plan_erasure(
        self,
        bank_id: str,
        *,
        memory_ids: Sequence[UUID] | None = None,
        query: str | None = None,
        conversation_id: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        agent_id: str | None = None,
        whole_bank: bool = False,
    ) -> ErasurePlan: ...

    async def list_erasures(
        self, bank_id: str, *, limit: int = 50, cursor: str | None = None
    ) -> Page[Erasure]: ...

    async def aclose(self) -> None: ...
