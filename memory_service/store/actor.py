"""Who acts: the API key of the request, recorded with administrative acts (memory.audit_event)."""

from __future__ import annotations

from contextvars import ContextVar
from typing import TYPE_CHECKING, TypedDict

from memory_service.validation import OPERATOR

if TYPE_CHECKING:
    from memory_service.keys import Grant

acting_grant: ContextVar[Grant | None] = ContextVar("acting_grant", default=None)
"""The rights of the key of the request that this context answers; None without a key."""


class Acting(TypedDict):
    actor: str
    key: str | None


def acting() -> Acting:
    """The arguments `actor` and `key` of a function that administers: the key's agent, else the key, else operator."""
    grant = acting_grant.get()
    if grant is None:
        return {"actor": OPERATOR, "key": None}
    return {"actor": grant.actor, "key": grant.key_id}
