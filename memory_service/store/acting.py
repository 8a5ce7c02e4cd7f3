"""Who acts: the API key of the request, recorded with administrative acts (memory.audit_event)."""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass

from memory_service.validation import OPERATOR


@dataclass(frozen=True, slots=True)
class ActingKey:
    """The API key of a request and the agent that writes with it."""

    key_id: str
    agent_id: str | None


acting_key: ContextVar[ActingKey | None] = ContextVar("acting_key", default=None)
"""The key of the request that this context answers; None without one."""


def key_id() -> str | None:
    """The id of the context's API key."""
    key = acting_key.get()
    return None if key is None else key.key_id


def default_actor() -> str:
    """The actor of an act that names none: the key's agent, else the key, else the operator."""
    key = acting_key.get()
    return OPERATOR if key is None else key.agent_id or f"key:{key.key_id}"
