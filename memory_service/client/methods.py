"""The methods of the client, on either transport: the request of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields as fields_of
from typing import Literal
from uuid import UUID

from memory_service.access_tokens import DEFAULT_SECONDS, AccessToken
from memory_service.client.answer import decoded
from memory_service.client.calls import CallsBase, call
from memory_service.client.request import bank_path, present, request
from memory_service.errors import InvalidInput
from memory_service.methods import MemoryMethods as M
from memory_service.requests import IMPORT, LIVE, NewMessage
from memory_service.results import BankLine, DeadLetter, Page
from memory_service.types import Bank
from memory_service.validation import check_bank_id, check_metadata

BANKS = "/v1/banks"
LANES = {LIVE: "live", IMPORT: "import"}


class Calls(CallsBase):
    """All methods of `MemoryMethods`, and create_token."""

    async def create_bank(
        self, bank_id: str, settings: Mapping[str, object] | None = None
    ) -> tuple[Bank, bool]:
        """Create a bank unless it exists; returns it and whether this call created it."""
        fields = {"bank_id": check_bank_id(bank_id), "settings": settings}
        answer = await self.caller.send(request("POST", BANKS, fields=fields, repeat="by key"))
        return decoded(answer, Bank), answer.status == 201

    async def list_banks(self, *, limit: int = 50, cursor: str | None = None) -> Page[BankLine]:
        """The banks that the API key covers, by name, without their settings."""
        return await self.caller.call(
            request("GET", BANKS, {"limit": limit, "cursor": cursor}), Page[BankLine]
        )

    async def create_token(
        self, bank_id: str, *, role: Literal["read", "write"] = "read", seconds: int = DEFAULT_SECONDS
    ) -> AccessToken:
        """Sign an access token for one bank with the API key, for programs that must not have the key.

        It ends after `seconds`, at most 3600. `Memory` has no such method: it has no key. Errors: NotFound; Forbidden
        for a role above the key's; Conflict while the service has no keys.
        """
        fields = {"role": role, "seconds": seconds}
        path = bank_path(bank_id, "tokens")
        return await self.caller.call(request("POST", path, fields=fields, repeat="free"), AccessToken)

    async def add_messages(
        self,
        bank_id: str,
        conversation_id: str,
        messages: Sequence[NewMessage],
        *,
        agent_id: str | None = None,
        lane: int = LIVE,
    ) -> list[UUID]:
        """Store messages of a conversation and queue their intake; returns their ids in order.

        Messages that all have an `id` are sent again under these ids, others under an idempotency key. Errors: as
        `Memory.add_messages`; TryLater for `lane=1` while intake is too far behind.
        """
        if lane not in LANES:
            raise InvalidInput("lane", "must be 0 (live) or 1 (imported)")
        fields = {
            "conversation_id": conversation_id,
            "agent_id": agent_id,
            "lane": LANES[lane],
            "messages": [message_fields(one, f"messages[{place}]") for place, one in enumerate(messages)],
        }
        repeat = "free" if all(one.id is not None for one in messages) else "by key"
        made = request("POST", bank_path(bank_id, "messages"), fields=fields, repeat=repeat)
        return await self.caller.call(made, list[UUID], "message_ids")

    async def list_dead_letters(
        self, bank_id: str | None = None, *, limit: int = 50, cursor: str | None = None
    ) -> Page[DeadLetter]:
        """Work items that failed permanently, oldest first, of one bank or of all."""
        path = "/v1/dead-letters" if bank_id is None else bank_path(bank_id, "dead-letters")
        return await self.caller.call(
            request("GET", path, {"limit": limit, "cursor": cursor}), Page[DeadLetter]
        )

    async def redrive_all(self) -> int:
        """Redrive every bank that has dead letters; returns their number. Sent once."""
        return await self.caller.call(request("POST", "/v1/redrive"), int, "redriven")

    get_bank = call(M.get_bank, "GET")
    update_bank = call(M.update_bank, "PATCH")
    stats = call(M.stats, "GET", "stats")

    remember = call(M.remember, "POST", "memories", "by key")
    update = call(M.update, "PATCH", "memories/{memory_id}")

    recall = call(M.recall, "POST", "recall", "free", always={"explain": True})  # `components` of the results
    context = call(M.context, "POST", "context", "free")
    compact = call(M.compact, "POST", "compact", "free")
    get_memory = call(M.get_memory, "GET", "memories/{memory_id}")
    list_memories = call(M.list_memories, "GET", "memories")
    list_decisions = call(M.list_decisions, "GET", "decisions")
    list_changes = call(M.list_changes, "GET", "changes")
    get_trace = call(M.get_trace, "GET", "traces/{trace_id}")
    list_traces = call(M.list_traces, "GET", "traces")

    list_facts = call(M.list_facts, "GET", "facts")
    get_fact = call(M.get_fact, "GET", "facts/{fact_id}")
    fact_history = call(M.fact_history, "GET", "facts/{fact_id}/history")
    confirm_fact = call(M.confirm_fact, "POST", "facts/{fact_id}/confirm", "by key")
    dispute_fact = call(M.dispute_fact, "POST", "facts/{fact_id}/dispute", "by key")
    retract_fact = call(M.retract_fact, "POST", "facts/{fact_id}/retract", "by key")
    pin_fact = call(M.pin_fact, "POST", "facts/{fact_id}/pin", "by key")
    unpin_fact = call(M.unpin_fact, "POST", "facts/{fact_id}/unpin", "by key")
    unmerge_fact = call(M.unmerge_fact, "POST", "facts/{fact_id}/unmerge", "by key")
    list_clarifications = call(M.list_clarifications, "GET", "clarifications")
    answer_clarification = call(
        M.answer_clarification, "POST", "clarifications/{clarification_id}/answer", "by key"
    )

    person = call(M.person, "GET", "person")
    relational = call(M.relational, "GET", "relational")
    list_norms = call(M.list_norms, "GET", "relational/norms")
    get_norm = call(M.get_norm, "GET", "relational/norms/{norm_id}")
    norm_history = call(M.norm_history, "GET", "relational/norms/{norm_id}/history")
    put_relational = call(M.put_relational, "PUT", "relational")
    correct_norm = call(M.correct_norm, "PATCH", "relational/norms/{norm_id}")
    confirm_norm = call(M.confirm_norm, "POST", "relational/norms/{norm_id}/confirm", "by key")
    remove_norm = call(M.remove_norm, "POST", "relational/norms/{norm_id}/remove", "by key")
    pin_norm = call(M.pin_norm, "POST", "relational/norms/{norm_id}/pin", "by key")
    unpin_norm = call(M.unpin_norm, "POST", "relational/norms/{norm_id}/unpin", "by key")
    emotional_thread = call(M.emotional_thread, "GET", "emotional-thread", field="emotional_thread")
    list_emotional_threads = call(M.list_emotional_threads, "GET", "emotional-thread/history")
    end_emotional_thread = call(
        M.end_emotional_thread, "POST", "emotional-thread/end", "by key", field="emotional_thread"
    )

    list_procedures = call(M.list_procedures, "GET", "procedures")
    get_procedure = call(M.get_procedure, "GET", "procedures/{procedure_id}")
    procedure_history = call(M.procedure_history, "GET", "procedures/{procedure_id}/history")
    record_outcome = call(M.record_outcome, "POST", "procedures/{procedure_id}/outcome", "by key")
    retract_procedure = call(M.retract_procedure, "POST", "procedures/{procedure_id}/retract", "by key")
    pin_procedure = call(M.pin_procedure, "POST", "procedures/{procedure_id}/pin", "by key")
    unpin_procedure = call(M.unpin_procedure, "POST", "procedures/{procedure_id}/unpin", "by key")

    create_session = call(M.create_session, "POST", "sessions", "by key")
    get_session = call(M.get_session, "GET", "sessions/{session_id}")
    update_session = call(M.update_session, "PATCH", "sessions/{session_id}", query=("include_data",))
    list_sessions = call(M.list_sessions, "GET", "sessions")
    delete_session = call(M.delete_session, "DELETE", "sessions/{session_id}")
    create_checkpoint = call(M.create_checkpoint, "POST", "sessions/{session_id}/checkpoints", "by key")
    list_checkpoints = call(M.list_checkpoints, "GET", "sessions/{session_id}/checkpoints")
    delete_checkpoint = call(
        M.delete_checkpoint, "DELETE", "sessions/{session_id}/checkpoints/{checkpoint_id}"
    )
    restore_session = call(M.restore_session, "POST", "sessions/{session_id}/restore", "by key")
    fork_session = call(
        M.fork_session, "POST", "sessions/{session_id}/fork", "by key", renamed={"fork_id": "session_id"}
    )

    restore_memory = call(M.restore_memory, "POST", "memories/{memory_id}/restore", "by key", field="status")
    release_memory = call(M.release_memory, "POST", "memories/{memory_id}/release", "by key")
    redrive = call(M.redrive, "POST", "redrive", "by key", field="redriven")

    erase = call(M.erase, "POST", "erasures", "free", always={"dry_run": False})
    erase_memory = call(M.erase_memory, "DELETE", "memories/{memory_id}", "free")
    erase_bank = call(M.erase_bank, "DELETE", "", "free")
    plan_erasure = call(M.plan_erasure, "POST", "erasures", "free", always={"dry_run": True})
    list_erasures = call(M.list_erasures, "GET", "erasures")


def message_fields(message: NewMessage, at: str) -> dict[str, object]:
    """The message as JSON; `at` is its place, for the field name in errors. Errors: InvalidInput."""
    fields = present({field.name: getattr(message, field.name) for field in fields_of(message)})
    if message.metadata is not None:
        fields["metadata"] = check_metadata(message.metadata, f"{at}.metadata")
    return fields
