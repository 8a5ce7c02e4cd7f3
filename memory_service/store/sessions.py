"""Sessions, their checkpoints, and the parts of both."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

from memory_service.cursors import SessionPlace
from memory_service.errors import NotFound
from memory_service.results import Checkpoint, SessionLine
from memory_service.sessions.parts import Part, SessionParts, references
from memory_service.store.actor import acting
from memory_service.store.area import Area
from memory_service.store.database import Row, at_time
from memory_service.store.records import record


@dataclass(frozen=True, slots=True)
class StoredSession:
    """A session as it is stored."""

    session_id: str
    lineage: UUID
    version: int
    state: str
    root: bytes
    bytes: int
    created_at: datetime
    updated_at: datetime
    parts: Mapping[bytes, Part]
    """All of its data, or those of its keys and the last ones of some lists."""
    known: frozenset[bytes]
    """Of the digests that the reader named, those that the lineage has."""


@dataclass(frozen=True, slots=True)
class Written:
    """The session after a change; of a change that is not `updated`, nothing is stored."""

    outcome: Literal["updated", "stale", "missing"]
    version: int
    lineage: UUID
    state: str
    created_at: datetime
    updated_at: datetime


class Sessions(Area):
    async def create(
        self, bank_id: str, session_id: str, lineage: UUID, state: str, data: SessionParts
    ) -> Written:
        """Write a session. Errors: NotFound, Conflict (its id, the bank's cap), InvalidInput (its size)."""
        row = await self._found(
            no_session(session_id),
            "memory_api.create_session",
            bank=bank_id,
            session=session_id,
            lineage=lineage,
            state=state,
            root=data.root,
            bytes=data.length,
            digests=list(data.new),
            contents=[part.content for part in data.new.values()],
            children=[part.children for part in data.new.values()],
        )
        return Written("updated", row["version"], lineage, state, row["created_at"], row["updated_at"])

    async def read(
        self, bank_id: str, session_id: str, *, whole: bool = True, digests: Collection[bytes] = ()
    ) -> StoredSession:
        """A session with its parts; not `whole`: only with those of its keys. Errors: NotFound."""
        return to_session(
            await self._found(
                no_session(session_id),
                "memory_api.read_session",
                bank=bank_id,
                session=session_id,
                whole=whole,
                digests=list(digests),
            )
        )

    async def read_last_parts(self, bank_id: str, lineage: UUID, root: bytes) -> list[Part]:
        """The part `root`, its last child, and so on down to a leaf; fewer if they were deleted meanwhile."""
        rows = await self._database.rows(
            "memory_api.read_last_parts", bank=bank_id, lineage=lineage, root=root
        )
        return [Part(row["content"], row["children"]) for row in rows]

    async def update(
        self,
        bank_id: str,
        former: StoredSession,
        state: str | None,
        data: SessionParts,
        known: Collection[bytes],
    ) -> Written:
        """Change a session that is as `former`; `known` parts are not sent.

        `state` None: as it is. Errors: NotFound, InvalidInput (its size).
        """
        sent = {digest: part for digest, part in data.new.items() if digest not in known}
        row = await self._found(
            no_session(former.session_id),
            "memory_api.update_session",
            bank=bank_id,
            session=former.session_id,
            expected=former.version,
            former_root=former.root,
            state=state,
            root=data.root,
            bytes=data.length,
            kept=list(references(sent, data.root)),
            digests=list(sent),
            contents=[part.content for part in sent.values()],
            children=[part.children for part in sent.values()],
        )
        return record(Written, row, state=row["state_now"])

    async def list(self, bank_id: str, limit: int, after: SessionPlace | None) -> list[SessionLine]:
        """The last updated first, after the given place. Errors: NotFound."""
        return await self._records(
            SessionLine,
            "memory_api.list_sessions",
            bank=bank_id,
            page=limit,
            before_at=after and after.updated_at,
            before_id=after and after.session_id,
        )

    async def delete(self, bank_id: str, session_id: str) -> None:
        """Errors: NotFound."""
        if not await self._database.value(
            "memory_api.delete_session", bank=bank_id, session=session_id, **acting()
        ):
            raise NotFound(no_session(session_id))

    async def create_checkpoint(
        self, bank_id: str, session_id: str, checkpoint_id: UUID, name: str | None, note: str | None
    ) -> Checkpoint:
        """Errors: NotFound, Conflict where as many as the cap have a name."""
        row = await self._found(
            no_session(session_id),
            "memory_api.create_checkpoint",
            bank=bank_id,
            session=session_id,
            checkpoint=checkpoint_id,
            name=name,
            note=note,
        )
        return record(Checkpoint, row)

    async def list_checkpoints(
        self, bank_id: str, session_id: str, limit: int, before: int | None
    ) -> list[tuple[int, Checkpoint]]:
        """The newest first, before the given number, each with its number. Errors: NotFound."""
        rows = await self._database.rows(
            "memory_api.list_checkpoints", bank=bank_id, session=session_id, page=limit, before_number=before
        )
        if not rows:
            await self.read(bank_id, session_id, whole=False)
        return [(row["number"], record(Checkpoint, row)) for row in rows]

    async def delete_checkpoint(self, bank_id: str, session_id: str, checkpoint_id: UUID) -> None:
        """Errors: NotFound."""
        if not await self._database.value(
            "memory_api.delete_checkpoint", bank=bank_id, session=session_id, checkpoint=checkpoint_id
        ):
            raise no_checkpoint(checkpoint_id)

    async def restore(self, bank_id: str, session_id: str, checkpoint_id: UUID) -> StoredSession:
        """Give a session the state and data of a checkpoint; the session then. Errors: NotFound."""
        row = await self._database.row(
            "memory_api.restore_session", bank=bank_id, session=session_id, checkpoint=checkpoint_id
        )
        if row is None:
            await self.read(bank_id, session_id, whole=False)
            raise no_checkpoint(checkpoint_id)
        return to_session(row)

    async def fork(
        self, bank_id: str, session_id: str, fork_id: str, checkpoint_id: UUID | None
    ) -> StoredSession:
        """Copy a session, or a checkpoint of it, to a new session. Errors: NotFound, Conflict."""
        row = await self._database.row(
            "memory_api.fork_session",
            bank=bank_id,
            session=session_id,
            fork=fork_id,
            checkpoint=checkpoint_id,
        )
        if row is None:
            await self.read(bank_id, session_id, whole=False)
            raise no_checkpoint(checkpoint_id)
        return to_session(row)

    async def expire(self, bank_id: str, days: float | None, page: int, at: datetime | None = None) -> int:
        """Delete sessions not updated for the bank's session_days, else `days`, up to `page`; how many."""
        return await self._database.value(
            "memory_api.expire_sessions", bank=bank_id, days=days, page=page, **at_time(at)
        )

    async def sweep(self, bank_id: str, after: UUID | None) -> UUID | None:
        """Delete the unused parts of the next lineage after the given one; it, or None at the end."""
        return await self._database.value("memory_api.sweep_sessions", bank=bank_id, after_lineage=after)

    async def banks_with_expired_sessions(self, days: float | None) -> list[str]:
        """The banks in which `expire` or `sweep` has something to do."""
        return await self._banks("memory_api.banks_with_expired_sessions", days=days)


def to_session(row: Row) -> StoredSession:
    parts = zip(row["part_digests"], row["part_contents"], row["part_children"], strict=True)
    return record(
        StoredSession,
        row,
        parts={digest: Part(content, children) for digest, content, children in parts},
        known=frozenset(row["known"]),
    )


def no_session(session_id: str) -> str:
    return f"session_id: there is no session {session_id} in this bank"


def no_checkpoint(checkpoint_id: UUID | None) -> NotFound:
    return NotFound(f"checkpoint_id: there is no checkpoint {checkpoint_id} of this session")
