"""Sessions over HTTP: create, change, checkpoint, restore, fork, delete."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import quote
from uuid import UUID

from memory_service.client.banks import CallsBase
from memory_service.client.request import bank_path, delete, get, id_text, patch, post
from memory_service.results import Checkpoint, Page, Session, SessionLine
from memory_service.validation import MAX_SESSION_BYTES, MAX_SESSION_DEPTH, check_json, check_session_id


class SessionCalls(CallsBase):
    """Methods about sessions."""

    async def create_session(
        self,
        bank_id: str,
        state: str,
        data: Mapping[str, object] | None = None,
        *,
        session_id: str | None = None,
    ) -> Session:
        """Create a session with a state and data; its version is 1. Errors: as `Memory.create_session`."""
        fields = {"state": state, "data": checked(data, "data"), "session_id": session_id}
        return await self._caller.call(post(bank_path(bank_id, "sessions"), fields, "by key"), Session)

    async def get_session(self, bank_id: str, session_id: str, *, include_data: bool = True) -> Session:
        """A session; without `include_data` its `data` is None. Errors: NotFound."""
        request = get(session_path(bank_id, session_id), data_query(include_data))
        return await self._caller.call(request, Session)

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
        """Change a session that is at `version`; returns it with the next version. Never repeated. Errors: NotFound;
        StaleVersion with the present session; InvalidInput naming the field."""
        fields = {
            "version": version, "state": state, "data": checked(data, "data"), "append": checked(append, "append")
        }  # fmt: skip
        request = patch(session_path(bank_id, session_id), fields, query=data_query(include_data))
        return await self._caller.call(request, Session)

    async def list_sessions(
        self, bank_id: str, *, limit: int = 50, cursor: str | None = None
    ) -> Page[SessionLine]:
        """Sessions without their data, the last changed first. Errors: NotFound."""
        request = get(bank_path(bank_id, "sessions"), {"limit": limit, "cursor": cursor})
        return await self._caller.call(request, Page[SessionLine])

    async def delete_session(self, bank_id: str, session_id: str) -> None:
        """Delete a session, its checkpoints and their data. Never repeated. Errors: NotFound."""
        await self._caller.send(delete(session_path(bank_id, session_id)))

    async def create_checkpoint(
        self, bank_id: str, session_id: str, *, name: str | None = None, note: str | None = None
    ) -> Checkpoint:
        """Keep a session's present state and data. Errors: NotFound, Conflict above the cap of those with a name."""
        path = session_path(bank_id, session_id, "checkpoints")
        return await self._caller.call(post(path, {"name": name, "note": note}, "by key"), Checkpoint)

    async def list_checkpoints(
        self, bank_id: str, session_id: str, *, limit: int = 50, cursor: str | None = None
    ) -> Page[Checkpoint]:
        """Checkpoints of a session without their data, the newest first. Errors: NotFound."""
        request = get(session_path(bank_id, session_id, "checkpoints"), {"limit": limit, "cursor": cursor})
        return await self._caller.call(request, Page[Checkpoint])

    async def delete_checkpoint(self, bank_id: str, session_id: str, checkpoint_id: UUID) -> None:
        """Delete a checkpoint. Never repeated. Errors: NotFound."""
        checkpoint = id_text(checkpoint_id, "checkpoint_id")
        await self._caller.send(delete(session_path(bank_id, session_id, "checkpoints", checkpoint)))

    async def restore_session(self, bank_id: str, session_id: str, checkpoint_id: UUID) -> Session:
        """Give a session the state and data of a checkpoint. Errors: NotFound."""
        fields = {"checkpoint_id": id_text(checkpoint_id, "checkpoint_id")}
        path = session_path(bank_id, session_id, "restore")
        return await self._caller.call(post(path, fields, "by key"), Session)

    async def fork_session(
        self,
        bank_id: str,
        session_id: str,
        *,
        checkpoint_id: UUID | None = None,
        fork_id: str | None = None,
    ) -> Session:
        """Create a session with the state and data of another, or of one of its checkpoints. Errors: NotFound,
        Conflict."""
        checkpoint = None if checkpoint_id is None else id_text(checkpoint_id, "checkpoint_id")
        fields = {"checkpoint_id": checkpoint, "session_id": fork_id}
        path = session_path(bank_id, session_id, "fork")
        return await self._caller.call(post(path, fields, "by key"), Session)


def session_path(bank_id: str, session_id: str, *parts: str) -> str:
    """Errors: InvalidInput."""
    return bank_path(bank_id, "sessions", quote(check_session_id(session_id)), *parts)


def checked(data: Mapping[str, object] | None, name: str) -> Mapping[str, object] | None:
    """Data as in process: JSON would make keys that are numbers strings. Errors: InvalidInput."""
    if data is not None:
        check_json(data, name, max_chars=MAX_SESSION_BYTES, max_depth=MAX_SESSION_DEPTH, empty_keys=True)
    return data


def data_query(include_data: bool) -> dict[str, object]:
    return {} if include_data else {"include_data": "false"}
