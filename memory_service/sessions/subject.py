"""The subject of stored answers about a session."""

from __future__ import annotations

import hashlib
from uuid import UUID


def subject_of(session_id: str) -> UUID:
    """A UUID from a session's id, under which its stored answers are found (memory_internal.delete_sessions)."""
    return UUID(bytes=hashlib.md5(f"session {session_id}".encode(), usedforsecurity=False).digest())
