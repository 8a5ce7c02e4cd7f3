"""A year of a person's chat, drawn from a seed: moves, jobs, tastes that change, repetitions, contradictions, and
replies that settle them."""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from memory_service import Memory, NewMessage
from memory_service.vocabulary import Role
from tests.conftest import Admin, settle

START = datetime(2025, 1, 6, 12, tzinfo=UTC)
CITIES = ("Porto", "Leipzig", "Dublin", "Graz")
JOBS = ("nurse", "teacher", "pilot", "plumber")
FIRMS = ("Acme", "Initech", "Hooli")
TASTES = ("hiking", "opera", "chess", "sushi", "jazz")
PETS = ("a dog called Rex", "a cat called Mia", "a parrot")
SENTENCES = (
    *(f"I live in {city}." for city in CITIES),
    *(f"I live in {city} now." for city in CITIES),
    *(f"I moved to {city}." for city in CITIES),
    *(f"I no longer live in {city}." for city in CITIES),
    *(f"I am a {job}." for job in JOBS),
    *(f"I work as a {job} now." for job in JOBS),
    *(f"I work at {firm}." for firm in FIRMS),
    *(f"I don't work at {firm} anymore." for firm in FIRMS),
    *(f"I love {taste}." for taste in TASTES),
    *(f"I hate {taste}." for taste in TASTES),
    *(f"I don't like {taste} anymore." for taste in TASTES),
    *(f"I have {pet}." for pet in PETS),
    "My birthday is on May 3.",
    "My birthday is on May 4.",
    "I am vegetarian.",
    "I am vegan now.",
    "I am allergic to walnuts.",
    "I am married.",
    "I am divorced.",
    "My sister lives in Berlin.",
    "My sister lives in Madrid now.",
    "My favorite color is blue.",
    "My favorite color is green.",
    "Please call me Jo.",
    "Please keep your answers short.",
    "Please answer in detail.",
    "I run every morning.",
    "I feel very sad about Rex today.",
    "I am so happy about the new flat!",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Talk:
    """A conversation: what the user states, then the reply to a question about a taste that a context preceded."""

    sentences: Sequence[str]
    taste: str | None = None
    reply: str = ""

    def texts(self) -> list[tuple[Role, str]]:
        """The messages, each with its role."""
        texts: list[tuple[Role, str]] = [("user", text) for text in self.sentences]
        if self.taste is not None:
            texts.append(("user", f"What do you think of {self.taste}?"))
            texts.append(("assistant", f"Do you like {self.taste}?"))
            texts.append(("user", self.reply.format(self.taste)))
        return texts


def year(seed: int, talks: int = 40) -> dict[str, Talk]:
    """The conversations of a year, in order."""
    draw = random.Random(seed)
    return {
        f"talk{n}": Talk(
            draw.sample(SENTENCES, draw.randint(1, 4)),
            draw.choice(TASTES) if draw.random() < 0.3 else None,
            draw.choice(("Yes, I do.", "No, I don't.", "I love {}.", "I hate {}.")),
        )
        for n in range(talks)
    }


async def import_year(
    memory: Memory,
    admin: Admin,
    bank: str,
    talks: Mapping[str, Talk],
    left_out: Collection[str] = (),
    shown: Mapping[str, Collection[str]] | None = None,
) -> dict[str, list[str]]:
    """Hold the conversations one after the other, dated nine days apart.

    Returns the doubtful facts that the context of each showed. `shown`: contexts show these and no others, as they
    were: what a context showed is known, what it would have shown in another bank is not.
    """
    await memory.create_bank(bank, {"gate": False})
    doubtful: dict[str, list[str]] = {}
    for place, (name, talk) in enumerate(talks.items()):
        if name in left_out:
            continue
        at = START + timedelta(days=9 * place)
        if talk.taste is not None:
            known = None if shown is None else list(shown[name])
            rows = admin.execute(MENTION, [bank, talk.taste, known, known, bank, name]).fetchall()
            doubtful[name] = [str(fact) for (fact,) in rows]
        messages = [
            NewMessage(role, text, id=f"{name}-{n}", occurred_at=at + timedelta(minutes=n))
            for n, (role, text) in enumerate(talk.texts())
        ]
        await memory.add_messages(bank, name, messages)
        await memory.end_import(bank, [name])
        await settle(memory, bank)
    return doubtful


MENTION = (
    "with shown as (select f.memory_id, f.fact from memory.semantic_memory f "
    "where f.bank_id = %s and f.value = %s and f.status <> 'merged_into' "
    "and (%s::text[] is null or f.fact = any (%s)) "
    "and exists (select from memory_internal.effective_conflicts(f.bank_id, f.memory_id) as c where c.open)), "
    "written as (insert into memory.fact_mention (bank_id, conversation_id, at, fact_id) "
    "select %s, %s, now(), s.memory_id from shown s) "
    "select fact from shown order by 1"
)
"""A context that shows the doubtful facts about a taste: which ones a real one shows, depends on all of the bank."""
FACTS = (
    "select f.fact, f.subject, f.attribute, f.value, f.status, round(f.confidence::numeric, 9), f.evidence_count, "
    "f.valid_from, f.valid_to, f.first_observed, f.last_confirmed, f.contradicted_at, "
    "round(f.importance::numeric, 9), s.fact, f.retracted_at is null, "
    "array(select j.judgement from memory.fact_judgement j where j.bank_id = f.bank_id and j.fact_id = f.memory_id "
    "order by 1) from memory.semantic_memory f "
    "left join memory.semantic_memory s on s.bank_id = f.bank_id and s.memory_id = f.superseded_by "
    "where f.bank_id = %s and f.status <> 'merged_into' order by 1, 2, 3, 4, 8, 9"
)
CONFLICTS = (
    "select least(o.fact, p.fact), greatest(o.fact, p.fact), c.rule, c.handling, q.question, q.status "
    "from memory.fact_conflict c "
    "join memory.semantic_memory o on o.bank_id = c.bank_id and o.memory_id = c.one_id "
    "join memory.semantic_memory p on p.bank_id = c.bank_id and p.memory_id = c.other_id "
    "left join memory.clarification q on q.bank_id = c.bank_id and q.one_id = c.one_id and q.other_id = c.other_id "
    "where c.bank_id = %s and c.resolution is null and coalesce(o.valid_to, p.valid_to) is null "
    "and coalesce(o.retracted_at, p.retracted_at) is null and 'merged_into' <> all (array[o.status, p.status]) "
    "order by 1, 2"
)
"""Those that are open."""
NORMS = (
    "select kind, slot, norm, situation, round(confidence::numeric, 9), evidence_count, status, "
    "case when extracted_by <> 'observation' then valid_from end, valid_to "
    "from memory.relational_memory where bank_id = %s and (extracted_by <> 'observation' or valid_to is null) "
    "order by 1, 2, 3, 8"
)
"""Of observed norms (style, phase) only those in force, without `valid_from`, which depends on when a worker observes
them."""
PROCEDURES = (
    "select kind, content, situation, status, round(confidence::numeric, 9), evidence_count, valid_from, valid_to "
    "from memory.procedural_memory where bank_id = %s order by 1, 2, 7"
)
THREADS = (
    "select x.occurred_at, x.mood, x.emotion, x.topic, x.position, x.thread_valence, x.state_emotion, t.started_at, "
    "t.ended_at, t.end_reason from memory.emotional_thread_episode x "
    "left join memory.emotional_thread t on t.bank_id = x.bank_id and t.thread_id = x.thread_id "
    "where x.bank_id = %s order by 1"
)
EPISODES = (
    "select e.conversation_id, e.summary, e.status, e.represents, round(e.importance::numeric, 9), e.landmark, "
    "r.summary from memory.episodic_memory e "
    "left join memory.episodic_memory r on r.bank_id = e.bank_id and r.memory_id = e.merged_into_id "
    "where e.bank_id = %s order by e.occurred_at, e.summary"
)
COMPARED = {
    "facts": FACTS, "conflicts": CONFLICTS, "norms": NORMS, "procedures": PROCEDURES, "threads": THREADS,
    "episodes": EPISODES,
}  # fmt: skip


def rows_of_year(admin: Admin, bank: str) -> dict[str, list[tuple[Any, ...]]]:
    """What a year has left in a bank, without ids."""
    return {name: admin.execute(query.encode(), [bank]).fetchall() for name, query in COMPARED.items()}
