"""The person of a bank: everything known of them in one answer, each part with its sources."""

from __future__ import annotations

import asyncio
from datetime import datetime

from memory_service.api.bound import implements
from memory_service.api.facts import FactMethods
from memory_service.api.procedures import ProcedureMethods
from memory_service.api.relational import RelationalMethods
from memory_service.api.threads import ThreadMethods
from memory_service.methods import MemoryMethods as M
from memory_service.person_results import KnownPerson
from memory_service.speakers import speakers_of

FACTS, PROCEDURES, QUESTIONS = 100, 50, 20
"""Most entries of each kind; the lists of facts, procedures and clarifications have pages."""


class PersonMethods(FactMethods, RelationalMethods, ThreadMethods, ProcedureMethods):
    """Methods of `Memory` about the person as a whole."""

    @implements(M.person)
    async def person(self, bank_id: str, as_of: datetime | None) -> KnownPerson:
        bank = await self.store.banks.read(bank_id)
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
