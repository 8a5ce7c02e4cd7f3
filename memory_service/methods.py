"""The methods that `Memory` and `MemoryClient` share, as a protocol for programs that take either."""

# pyright: reportReturnType=false
# The methods of a protocol have no bodies.

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

    Calls over HTTP are sent again after a failure where that is safe. A cursor is of the list that gave it.
    """

    async def create_bank(
        self, bank_id: str, settings: Mapping[str, object] | None = None
    ) -> tuple[Bank, bool]:
        """Create a bank unless it exists; returns it and whether this call created it.

        `bank_id` has 1 to 128 letters, digits and `_ - . : @`. The settings of an existing bank are not changed.
        Errors: InvalidInput naming the setting.
        """

    async def get_bank(self, bank_id: str) -> Bank:
        """A bank with its settings. Errors: NotFound."""

    async def list_banks(self, *, limit: int = 50, cursor: str | None = None) -> Page[BankLine]:
        """The banks that the API key covers, by name, without their settings."""

    async def update_bank(self, bank_id: str, settings: Mapping[str, object]) -> Bank:
        """Merge settings into those of a bank; None restores a default. Over HTTP sent once.

        Other processes see the change within 2 s. Errors: NotFound, InvalidInput naming the setting.
        """

    async def stats(self, bank_id: str) -> BankStats:
        """Counts of a bank's messages, memories, facts and work, and today's spending in UTC. Errors: NotFound.

        Every message is decided when `messages.pending` and `queue.depth` are 0.
        """

    async def add_messages(
        self,
        bank_id: str,
        conversation_id: str,
        messages: Sequence[NewMessage],
        *,
        agent_id: str | None = None,
        lane: int = LIVE,
    ) -> list[UUID]:
        """Store messages of a conversation and queue their intake, in one statement; returns their ids in order.

        Secrets are redacted before anything is written. A message whose `id` this conversation already has is stored
        once; over HTTP, messages that all have one are sent again under these ids, others under an idempotency key.
        Errors: InvalidInput naming the field; Conflict where an `id` was used with other content: then nothing of the
        call is stored; TryLater over HTTP for `lane=1` while intake is too far behind.
        """

    async def remember(
        self,
        bank_id: str,
        content: str,
        *,
        type: MemoryType = "episodic",  # noqa: A002 - the HTTP contract's name
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
    ) -> Committed:
        """Commit an episode, with `type="semantic"` a fact, or with `type="procedural"` a procedure, without the gate;
        fields not given are extracted.

        `importance` is 0 to 1, `valence` -1 to 1. `situation` (when it applies), `steps`, `why`, `kind` and `replaces`
        (a procedure that it supersedes) are of procedures only. The same `idempotency_key` again returns the first
        memory. `wait_ms` waits up to that long until the memory can be recalled. Errors: NotFound; Conflict where the
        key was used with another memory; InvalidInput naming the field, also where the harm check refuses the content,
        which is recorded as a decision.

            await memory.remember("anna", "Anna is allergic to walnuts.", type="semantic", wait_ms=2000)
        """

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
    ) -> MemoryItem:
        """Change a memory; fields that are None stay. Returns the memory. Over HTTP sent once.

        `tags` and `metadata` replace the former ones; an empty `lesson` removes it. `if_match`: the memory's `etag`, or
        several. New content of an episode is extracted and embedded again; facts that only the former content stated
        are withdrawn. New content of a fact with another meaning retracts it: the memory returned is the new fact.
        Errors: NotFound; PreconditionFailed where the memory has another etag; Conflict where its status does not allow
        the change; InvalidInput naming the field, also where the harm check refuses it.
        """

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
    ) -> RecallResult:
        """The memories that match a query best, at most `k` (1 to 100), best first.

        Filters are combined with and; `tags` matches any of them. `emotions`, `valence` (-1 to 1) and `topics` describe
        the present mood. `profile` weighs similarity, importance and recency; default: the bank's. `min_score` replaces
        the profile's cut-off; 0 returns everything found. `as_of` reads the past as it is known now. `by` restricts how
        candidates are found. Errors: NotFound; InvalidInput naming the field; DatabaseUnavailable.

            result = await memory.recall("anna", "What must Anna not eat?", k=5)
            for item in result.items:
                print(item.score, item.content)
        """

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
    ) -> Context:
        """A text to put before the model with a user's message, within two token budgets.

        Budgets not given are the bank's. A mood not given is read from the message. Errors: as recall.

            context = await memory.context("anna", "What shall I cook tonight?", conversation_id="chat-7")
            prompt = f"{context.text}\\n\\n{message}"
        """

    async def compact(
        self,
        bank_id: str,
        recipient: str,
        purpose: str,
        *,
        max_tokens: int | None = None,
        tokenizer: Tokenizer = "wordpiece",
        as_of: datetime | None = None,
    ) -> Context:
        """The most important memories for a message to one recipient, within one token budget.

        Selected: important, recent, for or about the recipient, tagged with the purpose. Errors: as recall.
        """

    async def get_memory(self, bank_id: str, memory_id: UUID) -> MemoryItem:
        """One memory, whatever its status. Errors: NotFound."""

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
    ) -> Page[MemoryItem]:
        """Memories newest first, or with `order="importance"` the most important first.

        Filters are combined with and; `tags` matches any of them, `min_importance` is of the stored importance. Rows
        that are written between two pages shift nothing. Errors: InvalidInput.
        """

    async def list_decisions(
        self,
        bank_id: str,
        *,
        outcome: DecisionOutcome | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[Decision]:
        """Gate decisions with their reasons, newest first; all, or those of one outcome. Errors: InvalidInput."""

    async def list_changes(
        self, bank_id: str, *, limit: int = 50, cursor: str | None = None, wait_seconds: float = 0
    ) -> Page[Change]:
        """What happened to the memories of a bank, oldest first, each event once.

        `next_cursor` leads to later events, also after the last one; it is None only while the bank has none. Without
        events after `cursor` the call waits for one, at most `wait_seconds` (0 to 30). Events appear once all
        transactions that began before theirs have ended (docs/design.md, "Changes").
        """

    async def get_trace(self, bank_id: str, trace_id: UUID) -> Trace:
        """The record of one read: every candidate, the parts of its score, the reason that it was dropped.

        Traces are written after the answer: one of another process is awaited for half a second. Errors: NotFound, also
        after it has expired.
        """

    async def list_traces(
        self, bank_id: str, *, limit: int = 50, cursor: str | None = None
    ) -> Page[TraceLine]:
        """Reads of this bank, newest first."""

    async def list_facts(
        self,
        bank_id: str,
        *,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
        statuses: Sequence[FactStatus] | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[Fact]:
        """Facts true at `as_of` (valid time) as known at `known_at` (transaction time), last confirmed first.

        `as_of` alone: as known now; `known_at` alone: true and known then; neither: now. Default `statuses`: tentative
        and stable. Deprecated and merged facts are listed whatever `as_of` is. A fact that is confirmed between two
        pages may be on neither. Errors: InvalidInput.
        """

    async def get_fact(self, bank_id: str, fact_id: UUID) -> Fact:
        """One fact as it is now, whatever its status. Errors: NotFound."""

    async def fact_history(
        self, bank_id: str, fact_id: UUID, *, limit: int = MAX_PAGE, cursor: str | None = None
    ) -> Page[FactVersion]:
        """All versions of a fact with reason and actor, oldest first. Errors: NotFound."""

    async def confirm_fact(self, bank_id: str, fact_id: UUID, *, actor: str | None = None) -> Fact:
        """Confirm a fact: confidence as if it had been stated; open conflicts are resolved in its favour.

        A superseded fact is true again: returns the new fact that this creates.

        Errors: NotFound, Conflict where it was retracted or merged.
        """

    async def dispute_fact(self, bank_id: str, fact_id: UUID, *, actor: str | None = None) -> Fact:
        """Dispute a fact: halves its confidence; open conflicts are resolved in favour of the other fact.

        Errors: NotFound, Conflict where it was retracted or merged.
        """

    async def retract_fact(self, bank_id: str, fact_id: UUID, *, actor: str | None = None) -> Fact:
        """Retract a fact that was never true; one that was true once is superseded instead. Safe to repeat.

        Errors: NotFound, Conflict where it was merged.
        """

    async def pin_fact(self, bank_id: str, fact_id: UUID, *, actor: str | None = None) -> Fact:
        """Stop the decay of a fact. Safe to repeat. Errors: NotFound, Conflict where it was retracted or merged."""

    async def unpin_fact(self, bank_id: str, fact_id: UUID, *, actor: str | None = None) -> Fact:
        """Let a fact decay again. Safe to repeat. Errors: NotFound, Conflict where it was merged."""

    async def unmerge_fact(self, bank_id: str, fact_id: UUID, *, actor: str | None = None) -> Fact:
        """Undo a merge by upkeep: the fact gets its evidence back, and the two are never merged again. Safe to repeat.

        Evidence since the merge stays with the winner. Errors: NotFound; Conflict where statements made the two one
        fact, or where the winner was merged since.
        """

    async def list_clarifications(
        self,
        bank_id: str,
        *,
        statuses: Sequence[ClarificationStatus] | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[Clarification]:
        """Questions for the user, most important first; default `statuses`: open."""

    async def answer_clarification(
        self,
        bank_id: str,
        clarification_id: UUID,
        keep: UUID | Literal["both"],
        text: str | None = None,
        *,
        actor: str | None = None,
    ) -> Clarification:
        """Answer a question about two facts: `keep` is the id of the one that is right, or "both". Safe to repeat.

        The kept fact is confirmed; the other is superseded where it was true before, else retracted. `text` is the
        user's answer in words. Errors: NotFound; InvalidInput where `keep` is neither; Conflict where it was answered
        otherwise.
        """

    async def person(self, bank_id: str, *, as_of: datetime | None = None) -> KnownPerson:
        """The knowledge of the bank's person, now or at `as_of`: norms, facts, emotional thread, procedures, questions.

        Each part has its sources and is corrected by its own methods. At most 100 facts, 50 procedures and 20 open
        questions. Errors: NotFound.
        """

    async def relational(self, bank_id: str, *, as_of: datetime | None = None) -> RelationalMemory:
        """The norms in force now or at `as_of`: phase, style, preferences, instructions, sensitive topics. Errors:
        NotFound."""

    async def list_norms(
        self, bank_id: str, *, as_of: datetime | None = None, all_states: bool = False
    ) -> list[Norm]:
        """Norms in force at `as_of`, or with `all_states` also replaced, removed and dropped ones."""

    async def get_norm(self, bank_id: str, norm_id: UUID) -> Norm:
        """One norm in any state. Errors: NotFound."""

    async def norm_history(self, bank_id: str, norm_id: UUID) -> list[NormVersion]:
        """All versions of a norm with reason and actor, oldest first. Errors: NotFound."""

    async def put_relational(
        self,
        bank_id: str,
        norms: Sequence[Mapping[str, object]] = (),
        *,
        relationship_phase: RelationshipPhase | None = None,
        communication_style: str | None = None,
        actor: str | None = None,
        agent_id: str | None = None,
    ) -> RelationalMemory:
        """State norms: each {kind, norm, situation?, slot?, level?} replaces the norm of its slot and is pinned.

        `slot` is what a norm is about; without it, it is read from the text. `level`, 0 to 1, is of a sensitivity. The
        same again changes nothing. Over HTTP sent once. Returns the norms in force. Errors: NotFound, InvalidInput.
        """

    async def correct_norm(
        self,
        bank_id: str,
        norm_id: UUID,
        *,
        norm: str | None = None,
        situation: str | None = None,
        level: float | None = None,
        actor: str | None = None,
    ) -> Norm:
        """Correct a norm's wording, situation or level: a new version, pinned. Over HTTP sent once. Errors: NotFound,
        Conflict for a norm that is not in force."""

    async def confirm_norm(self, bank_id: str, norm_id: UUID, *, actor: str | None = None) -> Norm:
        """Confirm a norm; a removed one is in force again. Errors: NotFound; Conflict where a newer one replaced it."""

    async def remove_norm(self, bank_id: str, norm_id: UUID, *, actor: str | None = None) -> Norm:
        """Remove a norm: it stays as a row and is not shown. Earlier statements do not bring it back.

        Safe to repeat. Errors: NotFound.
        """

    async def pin_norm(self, bank_id: str, norm_id: UUID, *, actor: str | None = None) -> Norm:
        """Pin a norm: statements and observations do not change it. Safe to repeat. Errors: NotFound."""

    async def unpin_norm(self, bank_id: str, norm_id: UUID, *, actor: str | None = None) -> Norm:
        """Let statements and observations change a norm again. Safe to repeat. Errors: NotFound."""

    async def emotional_thread(
        self, bank_id: str, *, as_of: datetime | None = None
    ) -> EmotionalThread | None:
        """The mood that is carried on, at `as_of` (default: now); None without one. Errors: NotFound."""

    async def list_emotional_threads(
        self, bank_id: str, *, limit: int = 50, cursor: str | None = None
    ) -> Page[EmotionalThread]:
        """All threads, open and ended, the one that began last first. Errors: NotFound."""

    async def end_emotional_thread(self, bank_id: str, *, actor: str | None = None) -> EmotionalThread | None:
        """End the open thread: no context shows it any more, and the next mood begins another one. Returns the thread
        as it is then, None where none was open. Safe to repeat. Errors: NotFound."""

    async def list_procedures(
        self,
        bank_id: str,
        *,
        as_of: datetime | None = None,
        statuses: Sequence[ProcedureStatus] | None = None,
        kinds: Sequence[ProcedureKind] | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[Procedure]:
        """Procedures, last confirmed first. Default `statuses`: active and tentative, with `as_of` those in force
        then."""

    async def get_procedure(self, bank_id: str, procedure_id: UUID) -> Procedure:
        """One procedure, whatever its status. Errors: NotFound."""

    async def procedure_history(
        self, bank_id: str, procedure_id: UUID, *, limit: int = MAX_PAGE, cursor: str | None = None
    ) -> Page[ProcedureVersion]:
        """All versions of a procedure with reason and actor, oldest first. Errors: NotFound."""

    async def record_outcome(
        self,
        bank_id: str,
        procedure_id: UUID,
        outcome: ProcedureOutcome,
        *,
        note: str | None = None,
        actor: str | None = None,
    ) -> Procedure:
        """Record that a procedure worked or failed: its weight is the lower bound of the share that worked. `note` says
        more, for its history. Each call counts, once. Errors: NotFound; Conflict where it is not in use; InvalidInput.
        """

    async def retract_procedure(
        self, bank_id: str, procedure_id: UUID, *, actor: str | None = None
    ) -> Procedure:
        """Retract a procedure that was wrong: no read shows it, of no time. Safe to repeat.

        Errors: NotFound, Conflict where it was merged or is in quarantine.
        """

    async def pin_procedure(self, bank_id: str, procedure_id: UUID, *, actor: str | None = None) -> Procedure:
        """Keep a procedure above the cap. Safe to repeat. Errors: NotFound, Conflict where it was retracted or
        merged."""

    async def unpin_procedure(
        self, bank_id: str, procedure_id: UUID, *, actor: str | None = None
    ) -> Procedure:
        """Let the cap apply to a procedure again. Safe to repeat. Errors: NotFound, Conflict where it was merged."""

    async def create_session(
        self,
        bank_id: str,
        state: str,
        data: Mapping[str, object] | None = None,
        *,
        session_id: str | None = None,
    ) -> Session:
        """Create a session with a state, such as ASSET_SCANNING, and data, a JSON object; its version is 1.

        Secrets are redacted as in metadata; all else is read back as an equal value. Without `session_id` it gets a new
        one. Errors: NotFound; Conflict where the id is in use or the bank is at its cap; InvalidInput naming the field.

            session = await memory.create_session("anna", "PLANNING", {"messages": []})
        """

    async def get_session(self, bank_id: str, session_id: str, *, include_data: bool = True) -> Session:
        """A session; without `include_data` its `data` is None. Errors: NotFound."""

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
    ) -> Session:
        """Change a session that is at `version`; returns it with the next version. Over HTTP sent once.

        `data` is merged at the top level: it replaces the values of its keys, None removes a key. `append` adds items
        to lists by key; a missing list is created. Without `include_data`, the cost of an append does not depend on the
        length of the list. Errors: NotFound; StaleVersion with the present session where it is at another version: then
        nothing is changed; InvalidInput naming the field.

            session = await memory.update_session("anna", session.session_id, session.version, data={"step": 2})
        """

    async def list_sessions(
        self, bank_id: str, *, limit: int = 50, cursor: str | None = None
    ) -> Page[SessionLine]:
        """Sessions without their data, the last changed first; one that is changed between two pages may be on neither.
        Errors: NotFound."""

    async def delete_session(self, bank_id: str, session_id: str) -> None:
        """Delete a session, its checkpoints and their data; a fork of it stays. Over HTTP sent once. Errors:
        NotFound."""

    async def create_checkpoint(
        self, bank_id: str, session_id: str, *, name: str | None = None, note: str | None = None
    ) -> Checkpoint:
        """Keep a session's present state and data. Of checkpoints without a name, the newest 100 are kept.

        The bank setting `most_checkpoints` is this cap, and that of checkpoints with a name, which are kept until they
        are deleted. Errors: NotFound; Conflict above the cap of those with a name; InvalidInput naming the field.
        """

    async def list_checkpoints(
        self, bank_id: str, session_id: str, *, limit: int = 50, cursor: str | None = None
    ) -> Page[Checkpoint]:
        """Checkpoints of a session without their data, the newest first. Errors: NotFound."""

    async def delete_checkpoint(self, bank_id: str, session_id: str, checkpoint_id: UUID) -> None:
        """Delete a checkpoint. Over HTTP sent once. Errors: NotFound."""

    async def restore_session(self, bank_id: str, session_id: str, checkpoint_id: UUID) -> Session:
        """Give a session the state and data of a checkpoint; returns it with the next version. Errors: NotFound."""

    async def fork_session(
        self,
        bank_id: str,
        session_id: str,
        *,
        checkpoint_id: UUID | None = None,
        fork_id: str | None = None,
    ) -> Session:
        """Create a session with the state and data of another, or of one of its checkpoints; returns it.

        Changes of one do not affect the other. Errors: NotFound; Conflict where `fork_id` is in use or the bank is at
        its cap; InvalidInput naming the field.
        """

    async def restore_memory(
        self, bank_id: str, memory_id: UUID, *, actor: str | None = None
    ) -> MemoryStatus:
        """Restore an episode that the caps archived or deprecated, or a dropped fact; returns its status.

        A deprecated episode is embedded again before it is active. Errors: NotFound, Conflict.
        """

    async def release_memory(self, bank_id: str, memory_id: UUID, *, actor: str | None = None) -> MemoryItem:
        """Release a memory from quarantine: it is embedded and recalled like any other, quoted as data. Errors:
        NotFound; Conflict where it is not in quarantine."""

    async def list_dead_letters(
        self, bank_id: str | None = None, *, limit: int = 50, cursor: str | None = None
    ) -> Page[DeadLetter]:
        """Work items that failed permanently, oldest first, of one bank or of all."""

    async def redrive(self, bank_id: str) -> int:
        """Queue a bank's dead letters again, with all their attempts; returns their number."""

    async def redrive_all(self) -> int:
        """Redrive every bank that has dead letters, one after the other; returns their number. Over HTTP sent once."""

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
    ) -> Erasure:
        """Erase memories (or with `search` the confirmed results of one), a conversation, statements from `since`
        until before `until`, or what an agent wrote; with all that was derived from it. Returns the receipt.

        Exactly one of these is named. One transaction; the same again returns the same receipt. Errors: NotFound if
        there is nothing to erase and never was; LedgerUnavailable if the ledger of erasures cannot be written;
        InvalidInput naming the argument.

            await memory.erase("anna", conversation_id="trip")
        """

    async def erase_memory(
        self, bank_id: str, memory_id: UUID, *, reason: str | None = None, actor: str | None = None
    ) -> Erasure:
        """Erase one memory with its sources and all that was derived from it. Errors: NotFound."""

    async def erase_bank(
        self, bank_id: str, *, reason: str | None = None, actor: str | None = None
    ) -> Erasure:
        """Erase a bank with everything in it. Returns the receipt, which outlives the bank; of a bank that was erased
        before, the former one. Errors: NotFound."""

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
    ) -> ErasurePlan:
        """What `erase` would delete, without deleting it: rows by table and ids.

        `query` finds up to 100 memories; their ids are in the plan's selector, to be confirmed by `erase` with
        `search`. Errors: NotFound for an unknown bank; InvalidInput naming the argument.
        """

    async def list_erasures(
        self, bank_id: str, *, limit: int = 50, cursor: str | None = None
    ) -> Page[Erasure]:
        """Receipts of a bank's erasures, newest first; also of a bank that was erased. Errors: NotFound."""

    async def aclose(self) -> None: ...
