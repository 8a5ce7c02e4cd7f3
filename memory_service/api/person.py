"""The person of a bank: everything known of them in one answer, each part with its sources."""

from __future__ import annotations

import asyncio
from datetime import datetime

from memory_service.api.facts import FactMethods
from memory_service.api.procedures import ProcedureMethods
from memory_service.api.relational import RelationalMethods
from memory_service.api.threads import ThreadMethods
from memory_service.person_results import KnownPerson
from memory_service.speakers import speakers_of
from memory_service.validation import check_bank_id, check_time

FACTS, PROCEDURES, QUESTIONS = 100, 50, 20
"""Most entries of each kind; the lists of facts, procedures and clarifications have pages."""


class PersonMethods(FactMethods, RelationalMethods, ThreadMethods, ProcedureMethods):
    """Methods of `Memory` about the person as a whole."""

    async def person(self, bank_id: str, *, as_of: datetime | None = None) -> KnownPerson:
        """The knowledge of the bank's person, now or at `as_of`: norms, facts, emotional thread, procedures, open
        questions.

        Each part names its memories and the episodes that it comes from, and is corrected by its own methods:
        `correct_norm`, `retract_fact`, `end_emotional_thread`, `retract_procedure`, `answer_clarification`.
        At most 100 facts, 50 procedures and 20 questions. Errors: NotFound, InvalidInput.
        """
        check_time(as_of, "as_of")
        bank = await self.store.banks.read(check_bank_id(bank_id))
        relational, facts, thread, procedures, questions = await asyncio.gather(
            self.relational(bank_id, as_of=as_of),
            self.list_facts(bank_id, as_of=as_of, limit=FACTS),
            self.emotional_thread(bank_id, as_of=as_of),
            self.list_procedures(bank_id, as_of=as_of, limit=PROCEDURES),
            self.list_clarifications(bank_id, limit=QUESTIONS),
        )
        speakers = speakers_of(bank.settings)
        return KnownPerson(
            bank_id,
            speakers.subject,
            speakers.agent_name,
            relational,
            facts.items,
            thread,
            procedures.items,
            questions.items,
        )
