"""`SyncMemoryClient`: the methods of `MemoryClient` without asyncio.

They are the same coroutines, on a transport that blocks instead of suspending: each runs to its end in one step.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

from memory_service.client.caller import Caller, Limits, target_of
from memory_service.client.client import DEADLINE_SECONDS, MAX_ATTEMPTS, TIMEOUT_SECONDS
from memory_service.client.methods import Calls
from memory_service.extras import installed_by

P = ParamSpec("P")
R = TypeVar("R")


def run(coroutine: Coroutine[Any, Any, R]) -> R:
    """The result of a coroutine that never suspends."""
    try:
        coroutine.send(None)
    except StopIteration as end:
        return end.value
    coroutine.close()
    raise RuntimeError("the coroutine of a blocking call suspended")


def blocking(
    method: Callable[Concatenate[Calls, P], Coroutine[Any, Any, R]],
) -> Callable[Concatenate[SyncMemoryClient, P], R]:
    """A method of SyncMemoryClient that runs a method of Calls."""

    @wraps(method)
    def call(self: SyncMemoryClient, *arguments: P.args, **named: P.kwargs) -> R:
        return run(method(self.calls, *arguments, **named))

    return call


class SyncMemoryClient:
    """Long-term memory for agents, from a running service, for programs without asyncio; may be used by many threads.

    with SyncMemoryClient("http://127.0.0.1:8080") as memory:
        memory.remember("anna", "Anna moved to Porto.", wait_ms=2000)
        result = memory.recall("anna", "Where does Anna live?", k=3)
    """

    def __init__(
        self,
        base_url: str | None = None,
        *,
        api_key: str | None = None,
        timeout_seconds: float = TIMEOUT_SECONDS,
        deadline_seconds: float = DEADLINE_SECONDS,
        max_attempts: int = MAX_ATTEMPTS,
    ) -> None:
        """The parameters are those of MemoryClient."""
        limits = Limits(timeout_seconds, deadline_seconds, max_attempts)
        self._target = target_of(base_url, api_key)
        with installed_by("client", "SyncMemoryClient"):
            from memory_service.client.transport import BlockingTransport
        self.caller = Caller(self._target, BlockingTransport(self._target.address), limits)
        self.calls = Calls(self.caller)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        run(self.caller.aclose())

    def __repr__(self) -> str:
        return f"SyncMemoryClient({self._target.address!r})"

    create_bank = blocking(Calls.create_bank)
    get_bank = blocking(Calls.get_bank)
    list_banks = blocking(Calls.list_banks)
    update_bank = blocking(Calls.update_bank)
    stats = blocking(Calls.stats)
    create_token = blocking(Calls.create_token)

    add_messages = blocking(Calls.add_messages)
    remember = blocking(Calls.remember)
    update = blocking(Calls.update)

    recall = blocking(Calls.recall)
    context = blocking(Calls.context)
    compact = blocking(Calls.compact)
    get_memory = blocking(Calls.get_memory)
    list_memories = blocking(Calls.list_memories)
    list_decisions = blocking(Calls.list_decisions)
    list_changes = blocking(Calls.list_changes)
    get_trace = blocking(Calls.get_trace)
    list_traces = blocking(Calls.list_traces)

    list_facts = blocking(Calls.list_facts)
    get_fact = blocking(Calls.get_fact)
    fact_history = blocking(Calls.fact_history)
    confirm_fact = blocking(Calls.confirm_fact)
    dispute_fact = blocking(Calls.dispute_fact)
    retract_fact = blocking(Calls.retract_fact)
    pin_fact = blocking(Calls.pin_fact)
    unpin_fact = blocking(Calls.unpin_fact)
    unmerge_fact = blocking(Calls.unmerge_fact)
    list_clarifications = blocking(Calls.list_clarifications)
    answer_clarification = blocking(Calls.answer_clarification)

    person = blocking(Calls.person)
    relational = blocking(Calls.relational)
    list_norms = blocking(Calls.list_norms)
    get_norm = blocking(Calls.get_norm)
    norm_history = blocking(Calls.norm_history)
    put_relational = blocking(Calls.put_relational)
    correct_norm = blocking(Calls.correct_norm)
    confirm_norm = blocking(Calls.confirm_norm)
    remove_norm = blocking(Calls.remove_norm)
    pin_norm = blocking(Calls.pin_norm)
    unpin_norm = blocking(Calls.unpin_norm)
    emotional_thread = blocking(Calls.emotional_thread)
    list_emotional_threads = blocking(Calls.list_emotional_threads)
    end_emotional_thread = blocking(Calls.end_emotional_thread)

    list_procedures = blocking(Calls.list_procedures)
    get_procedure = blocking(Calls.get_procedure)
    procedure_history = blocking(Calls.procedure_history)
    record_outcome = blocking(Calls.record_outcome)
    retract_procedure = blocking(Calls.retract_procedure)
    pin_procedure = blocking(Calls.pin_procedure)
    unpin_procedure = blocking(Calls.unpin_procedure)

    create_session = blocking(Calls.create_session)
    get_session = blocking(Calls.get_session)
    update_session = blocking(Calls.update_session)
    list_sessions = blocking(Calls.list_sessions)
    delete_session = blocking(Calls.delete_session)
    create_checkpoint = blocking(Calls.create_checkpoint)
    list_checkpoints = blocking(Calls.list_checkpoints)
    delete_checkpoint = blocking(Calls.delete_checkpoint)
    restore_session = blocking(Calls.restore_session)
    fork_session = blocking(Calls.fork_session)

    restore_memory = blocking(Calls.restore_memory)
    release_memory = blocking(Calls.release_memory)
    list_dead_letters = blocking(Calls.list_dead_letters)
    redrive = blocking(Calls.redrive)
    redrive_all = blocking(Calls.redrive_all)

    erase = blocking(Calls.erase)
    erase_memory = blocking(Calls.erase_memory)
    erase_bank = blocking(Calls.erase_bank)
    plan_erasure = blocking(Calls.plan_erasure)
    list_erasures = blocking(Calls.list_erasures)
