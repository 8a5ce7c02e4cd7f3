"""Sessions: create, change by version, checkpoint, restore, fork, list, delete, expire."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from uuid import UUID

import uuid_utils.compat as uuids

from memory_service.api.base import MemoryBase, without_secrets
from memory_service.api.bound import from_store, implements, listed
from memory_service.api.writes import in_thread_if_long
from memory_service.config import Settings
from memory_service.cursors import (
    MAX_PAGE,
    CheckpointPlace,
    SessionPlace,
    page_of,
    read_cursor,
    write_cursor,
)
from memory_service.errors import InvalidInput, NotFound, StaleVersion
from memory_service.intake.commit import check_id
from memory_service.methods import MemoryMethods as M
from memory_service.models.registry import Models
from memory_service.results import Checkpoint, Page, Session
from memory_service.sessions.change import SessionChange
from memory_service.sessions.data import data_in, entry_of, last_parts_in, session_parts
from memory_service.sessions.parts import NewParts, Part
from memory_service.sessions.values import CleanTexts, Value, checked_data, checked_items, redacted_values
from memory_service.store import Store
from memory_service.store.sessions import StoredSession
from memory_service.validation import (
    check_bank_id,
    check_count,
    check_line,
    check_optional_line,
    check_session_id,
    check_text,
)

LAST_VERSION = 2**53 - 1
"""Largest integer that every JSON parser reads exactly."""
MAX_NOTE_CHARS = 2_000
MOST_WRITTEN, MOST_KEPT_PARTS = 1_000, 64
"""Sessions of which a process keeps the parts of keys and the ends of lists, and the number of these parts."""
PAGE = 100
"""Expired sessions deleted in one transaction."""


class SessionMethods(MemoryBase):
    """Methods of `Memory` about sessions."""

    def __init__(self, settings: Settings, store: Store, models: Models) -> None:
        super().__init__(settings, store, models)
        self._clean_texts = CleanTexts()
        self._written: dict[tuple[str, str], StoredSession] = {}
        """Sessions as this process wrote them last, to change them without reading them."""

    @implements(M.create_session)
    async def create_session(
        self, bank_id: str, state: str, data: Mapping[str, object] | None, session_id: str | None
    ) -> Session:
        session_id = new_session_id(session_id)
        state = checked_state(state)
        checked = checked_data({} if data is None else data)
        values = await self._redacted(checked)
        parts = NewParts()
        written = session_parts({key: entry_of(value, parts) for key, value in values.items()}, parts)
        stored = await self.store.sessions.create(bank_id, session_id, uuids.uuid7(), state, written)
        return Session(
            session_id,
            stored.version,
            state,
            {key: value.value for key, value in values.items()},
            stored.updated_at,
            stored.updated_at,
        )

    @implements(M.get_session)
    async def get_session(self, bank_id: str, session_id: str, include_data: bool) -> Session:
        stored = await self.store.sessions.read(bank_id, session_id, whole=include_data)
        return to_session(stored, include_data=include_data)

    @implements(M.update_session)
    async def update_session(
        self, bank_id: str, session_id: str, version: int, state: str | None, data: Mapping[str, object] | None,
        append: Mapping[str, Sequence[object]] | None, include_data: bool,
    ) -> Session:  # fmt: skip
        check_count(version, "version", 1, LAST_VERSION)
        new_state = None if state is None else checked_state(state)
        given = checked_data({} if data is None else data)
        lists = checked_items({} if append is None else append)
        for key in given.keys() & lists.keys():
            raise InvalidInput(f"append.{key}", "is in data, too; data replaces the whole list")
        removed = [without_secrets(key) for key, value in given.items() if value is None]
        values = await self._redacted({key: value for key, value in given.items() if value is not None})
        change = SessionChange(values, removed, await self._redacted(lists))
        while True:
            updated = await self._try_update(bank_id, session_id, version, new_state, change, include_data)
            if updated is not None:
                return updated

    async def _try_update(
        self,
        bank_id: str,
        session_id: str,
        version: int,
        state: str | None,
        change: SessionChange,
        include_data: bool,
    ) -> Session | None:
        """The changed session; None to try again: parts were deleted meanwhile, or the version known here is stale.

        Errors: as update_session.
        """
        sessions, place = self.store.sessions, (bank_id, session_id)
        stored = self._written.pop(place, None)
        was_written = stored is not None and stored.version == version
        if stored is None or not was_written or len(change.new_parts) > MOST_KEPT_PARTS:
            was_written = False
            stored = await sessions.read(bank_id, session_id, whole=False, digests=change.new_parts.keys())
        if stored.version == version and include_data and change.keeps_trees(stored.parts, stored.root):
            was_written = False
            stored = await sessions.read(bank_id, session_id, digests=change.new_parts.keys())
        if stored.version != version:
            raise StaleVersion(await self.get_session(bank_id, session_id))
        last_parts: dict[str, Sequence[Part]] = {}
        for key, root in change.appended_trees(stored.parts, stored.root).items():
            if root in stored.parts:
                last_parts[key] = last_parts_in(stored.parts, root)
                continue
            last_parts[key] = await sessions.read_last_parts(bank_id, stored.lineage, root)
            if not last_parts[key] or last_parts[key][-1].children:
                return None
        data = change.apply(stored.parts, stored.root, last_parts)
        known = stored.known | stored.parts.keys()
        written = await sessions.update(bank_id, stored, state, data, known)
        if written.outcome == "missing" or (written.outcome == "stale" and was_written):
            return None
        if written.outcome == "stale":
            raise StaleVersion(await self.get_session(bank_id, session_id))
        values = change.data(stored.parts, stored.root) if include_data else None
        kept = change.parts_for_the_next({**stored.parts, **data.new}, data.root)
        if len(kept) <= MOST_KEPT_PARTS:
            if len(self._written) >= MOST_WRITTEN:
                self._written.clear()
            self._written[place] = StoredSession(
                session_id, written.lineage, written.version, written.state, data.root, data.length, written.created_at,
                written.updated_at, kept, frozenset(),
            )  # fmt: skip
        return Session(
            session_id, written.version, written.state, values, written.created_at, written.updated_at
        )

    list_sessions = listed(M.list_sessions, SessionPlace, lambda store: store.sessions.list)
    delete_session = from_store(M.delete_session, lambda store: store.sessions.delete)
    delete_checkpoint = from_store(M.delete_checkpoint, lambda store: store.sessions.delete_checkpoint)

    @implements(M.create_checkpoint)
    async def create_checkpoint(
        self, bank_id: str, session_id: str, name: str | None, note: str | None
    ) -> Checkpoint:
        name = check_optional_line(name, "name")
        if note is not None:
            note = without_secrets(check_text(note, "note", MAX_NOTE_CHARS))
        return await self.store.sessions.create_checkpoint(
            bank_id, session_id, uuids.uuid7(), None if name is None else without_secrets(name), note
        )

    @implements(M.list_checkpoints)
    async def list_checkpoints(
        self, bank_id: str, session_id: str, limit: int, cursor: str | None
    ) -> Page[Checkpoint]:
        check_count(limit, "limit", 1, MAX_PAGE)
        after = read_cursor(cursor, CheckpointPlace, session=session_id, bank=bank_id)
        found = await self.store.sessions.list_checkpoints(
            bank_id, session_id, limit + 1, None if after is None else after.number
        )
        page = page_of(
            found,
            limit,
            lambda last: write_cursor(CheckpointPlace(last[0]), session=session_id, bank=bank_id),
        )
        return Page(tuple(checkpoint for _, checkpoint in page.items), page.next_cursor)

    @implements(M.restore_session)
    async def restore_session(self, bank_id: str, session_id: str, checkpoint_id: UUID) -> Session:
        return to_session(await self.store.sessions.restore(bank_id, session_id, checkpoint_id))

    @implements(M.fork_session)
    async def fork_session(
        self, bank_id: str, session_id: str, checkpoint_id: UUID | None, fork_id: str | None
    ) -> Session:
        fork_id = new_session_id(fork_id)
        return to_session(await self.store.sessions.fork(bank_id, session_id, fork_id, checkpoint_id))

    async def expire_sessions(self, bank_id: str | None = None) -> int:
        """Delete sessions that were last changed more than `session_days` ago, and unused parts, in one bank or all.

        Returns the number of sessions deleted. Workers call it every hour. Safe to repeat, to run concurrently and to
        interrupt. Errors: NotFound.
        """
        days = self.settings.session_days
        if bank_id is not None:
            return await self._expire_sessions(check_bank_id(bank_id), days)
        total = 0
        for bank in await self.store.sessions.banks_with_expired_sessions(days):
            with suppress(NotFound):  # erased meanwhile
                total += await self._expire_sessions(bank, days)
        return total

    async def _expire_sessions(self, bank_id: str, days: float | None) -> int:
        total = 0
        while True:
            count = await self.store.sessions.expire(bank_id, days, PAGE)
            total += count
            if count < PAGE:
                break
        swept = None
        while (swept := await self.store.sessions.sweep(bank_id, swept)) is not None:
            pass
        return total

    async def _redacted(self, data: Mapping[str, object]) -> dict[str, Value]:
        return await in_thread_if_long(lambda: redacted_values(data, self._clean_texts), data)


def new_session_id(given: str | None) -> str:
    """The given id, checked, or a new one."""
    if given is None:
        return str(uuids.uuid7())
    check_id(check_session_id(given), "session_id")
    return given


def checked_state(state: object) -> str:
    return without_secrets(check_line(state, "state"))


def to_session(stored: StoredSession, *, include_data: bool = True) -> Session:
    return Session(
        stored.session_id,
        stored.version,
        stored.state,
        data_in(stored.parts, stored.root) if include_data else None,
        stored.created_at,
        stored.updated_at,
    )
