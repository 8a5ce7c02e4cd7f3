"""What is held to be true, and what people say to that: facts, their history, and the questions that they raise."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from memory_service.cursors import (
    MAX_PAGE,
    FactPlace,
    QuestionPlace,
    VersionPlace,
    page_of,
    read_cursor,
    write_cursor,
)
from memory_service.intake.commit import check_id
from memory_service.redaction import redact
from memory_service.requests import ClarificationAnswer
from memory_service.store import Store
from memory_service.store.facts import Review
from memory_service.types import Clarification, Fact, FactVersion, Page
from memory_service.validation import (
    CLARIFICATION_STATUSES,
    FACT_STATUSES,
    OPERATOR,
    check_bank_id,
    check_choice,
    check_count,
    check_optional_line,
    check_time,
    check_words,
)


class Knowledge:
    """Memory's methods about facts; they raise what Memory's do."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def list_facts(
        self,
        bank_id: str,
        *,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
        statuses: Sequence[str] | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[Fact]:
        """What was true at `as_of`, by what was known at `known_at`, the last confirmed first. `as_of` alone: by what
        is known now; `known_at` alone: what was then held to be true then; neither: now.

        Tentative and stable facts, or those of the `statuses`: deprecated and merged ones are believed of no time and
        are listed whatever `as_of` is. A fact that is confirmed between two pages may be on neither.
        """
        check_bank_id(bank_id)
        check_count(limit, "limit", 1, MAX_PAGE)
        items = await self._store.facts.list(
            bank_id,
            limit + 1,
            read_cursor(cursor, FactPlace, bank=bank_id),
            as_of=check_time(as_of, "as_of"),
            known_at=check_time(known_at, "known_at"),
            statuses=checked_statuses(statuses, FACT_STATUSES),
        )
        return page_of(
            items,
            limit,
            lambda last: write_cursor(FactPlace(last.last_confirmed, last.memory_id), bank=bank_id),
        )

    async def get_fact(self, bank_id: str, fact_id: UUID) -> Fact:
        """One fact as it is now, whatever its status. Errors: NotFound."""
        return await self._store.facts.read(check_bank_id(bank_id), fact_id)

    async def fact_history(
        self, bank_id: str, fact_id: UUID, *, limit: int = MAX_PAGE, cursor: str | None = None
    ) -> Page[FactVersion]:
        """Every state that a fact was in, the first known first, with why and by whom. Errors: NotFound."""
        check_bank_id(bank_id)
        check_count(limit, "limit", 1, MAX_PAGE)
        after = read_cursor(cursor, VersionPlace, fact=fact_id, bank=bank_id)
        items = await self._store.facts.history(bank_id, fact_id, limit + 1, after.version if after else 0)
        return page_of(
            items,
            limit,
            lambda last: write_cursor(VersionPlace(last.at, last.version), fact=fact_id, bank=bank_id),
        )

    async def confirm_fact(self, bank_id: str, fact_id: UUID, *, actor: str | None = None) -> Fact:
        """It is true: as sure as if it had been stated so. Where it is in a conflict, that is settled for it. What was
        superseded is true again: the answer is then the fact that this makes, from now on.

        Errors: NotFound, Conflict where it was retracted or merged.
        """
        return await self._review(bank_id, fact_id, "confirmed", actor)

    async def dispute_fact(self, bank_id: str, fact_id: UUID, *, actor: str | None = None) -> Fact:
        """It is doubted: half as sure as before. Where it is in a conflict, that is settled for the other one.

        Errors: NotFound, Conflict where it was retracted or merged.
        """
        return await self._review(bank_id, fact_id, "disputed", actor)

    async def retract_fact(self, bank_id: str, fact_id: UUID, *, actor: str | None = None) -> Fact:
        """It was never true (what was true once is superseded instead). Safe to repeat.

        Errors: NotFound, Conflict where it was merged.
        """
        return await self._review(bank_id, fact_id, "retracted", actor)

    async def pin_fact(self, bank_id: str, fact_id: UUID, *, actor: str | None = None) -> Fact:
        """Keep it from fading. Safe to repeat. Errors: NotFound, Conflict where it was retracted or merged."""
        return await self._review(bank_id, fact_id, "pinned", actor)

    async def unpin_fact(self, bank_id: str, fact_id: UUID, *, actor: str | None = None) -> Fact:
        """Let it fade again. Safe to repeat. Errors: NotFound, Conflict where it was merged."""
        return await self._review(bank_id, fact_id, "unpinned", actor)

    async def unmerge_fact(self, bank_id: str, fact_id: UUID, *, actor: str | None = None) -> Fact:
        """It is not the fact that upkeep merged it into: it stands for itself again, with what was said of it until
        then, and the two are not merged again. What was said since stays the other's. Safe to repeat.

        Errors: NotFound, Conflict where what was said made them one, or where the other one was merged on since.
        """
        check_id(check_optional_line(actor, "actor"), "actor")
        return await self._store.merges.unmerge(check_bank_id(bank_id), fact_id, actor or OPERATOR)

    async def _review(self, bank_id: str, fact_id: UUID, review: Review, actor: str | None) -> Fact:
        check_id(check_optional_line(actor, "actor"), "actor")
        return await self._store.facts.review(check_bank_id(bank_id), fact_id, review, actor or OPERATOR)

    async def list_clarifications(
        self,
        bank_id: str,
        *,
        statuses: Sequence[str] | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[Clarification]:
        """Questions for the user, the most important first: the open ones, or those of the `statuses`."""
        check_bank_id(bank_id)
        check_count(limit, "limit", 1, MAX_PAGE)
        items = await self._store.facts.list_clarifications(
            bank_id,
            limit + 1,
            read_cursor(cursor, QuestionPlace, bank=bank_id),
            statuses=checked_statuses(statuses, CLARIFICATION_STATUSES),
        )
        return page_of(
            items,
            limit,
            lambda last: write_cursor(
                QuestionPlace(last.created_at, last.clarification_id, last.importance), bank=bank_id
            ),
        )

    async def answer_clarification(
        self, bank_id: str, clarification_id: UUID, answer: ClarificationAnswer, *, actor: str | None = None
    ) -> Clarification:
        """Settle a question by what the user said. The fact that is kept is confirmed; the other one is closed where it
        was true before, else retracted. Safe to repeat.

        Errors: NotFound, InvalidInput where `keep` is neither of the two, Conflict where it has another answer.
        """
        check_id(check_optional_line(actor, "actor"), "actor")
        return await self._store.facts.answer_clarification(
            check_bank_id(bank_id),
            clarification_id,
            answer.keep if isinstance(answer.keep, UUID) else None,
            None if answer.text is None else redact(answer.text).text,
            actor or OPERATOR,
        )


def checked_statuses(statuses: Sequence[str] | None, known: Sequence[str]) -> tuple[str, ...] | None:
    """Statuses that there are; None where none is given."""
    words = check_words(statuses, "status")
    for i, word in enumerate(words or ()):
        check_choice(word, f"status[{i}]", known)
    return words or None
