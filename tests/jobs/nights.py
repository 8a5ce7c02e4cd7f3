"""Banks for nightly runs: episodes with vectors of chosen topics, a scripted language model, and a bank's state in a
form that can be compared."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from memory_service.jobs.consolidate import Consolidate
from memory_service.jobs.passes import Outcome, PassContext
from memory_service.memory import Memory
from memory_service.models.interface import Reply, Task
from tests.conftest import Admin
from tests.db.steps import vector_of
from tests.support.scripted import ScriptedEmbedder, script

NIGHT = datetime(2026, 6, 1, 3, tzinfo=UTC)
LIKES = re.compile(r"(She says )?Anna likes (\w+)")
TOGETHER = 0.9
"""The cosine of two episodes of one topic; of two topics it is 0."""
COPIED = (
    "bank", "message", "episodic_memory", "semantic_memory", "fact_evidence", "fact_version", "memory_vector",
    "memory_link",
)  # fmt: skip
"""Tables with rows of a bank before its first nightly run."""


class ScriptedModel:
    """Finds "Anna likes X" in each group and summarizes in a few words; `fault` may return an error, `change` changes
    the answer for a group. A call costs 100 tokens."""

    name = "scripted-model"

    def __init__(self) -> None:
        self.fault: Callable[[dict[str, Any]], Exception | None] = lambda asked: None
        self.change: Callable[[dict[str, Any]], dict[str, Any]] = lambda entry: entry
        self.asked: list[dict[str, Any]] = []

    async def ask(self, task: Task, texts: Sequence[str]) -> Reply:
        asked = json.loads(texts[0])
        self.asked.append(asked)
        if error := self.fault(asked):
            raise error
        answer = {"groups": [self.change(entry_of(group)) for group in asked["groups"]]}
        return Reply(json.dumps(answer), 90, 10)

    async def aclose(self) -> None:
        return


def entry_of(group: dict[str, Any]) -> dict[str, Any]:
    likes: dict[str, list[int]] = {}
    stated: set[str] = set()
    for episode in group["episodes"]:
        for says, what in LIKES.findall(episode["text"]):
            likes.setdefault(what, []).append(episode["episode"])
            stated |= {what} if says else set()
    folded = [episode["text"] for episode in group["episodes"] if episode["fold"]]
    return {
        "group": group["group"],
        "summary": f"{len(folded)} talks, the first: {folded[0]}" if folded else None,
        "facts": [
            {
                "text": f"Anna likes {what}.", "subject": "user", "attribute": "likes", "value": what,
                "stated": what in stated, "holds": True, "episodes": episodes,
            }
            for what, episodes in likes.items()
        ],
    }  # fmt: skip


def scripted(memory: Memory, *, model: bool = True) -> ScriptedModel:
    """Make this Memory's models the scripted ones."""
    made = ScriptedModel()
    script(memory, embedder=ScriptedEmbedder())
    memory.models.language_model = lambda: made if model else None  # type: ignore[method-assign]
    return made


def put(
    admin: Admin,
    number: int,
    text: str,
    topic: int,
    *,
    days: float,
    bank: str = "anna",
    model: str = "scripted",
    **columns: Any,
) -> UUID:
    """An active episode of so many days before the nightly run; its id, which follows from its number."""
    memory_id = UUID(int=number)
    row: dict[str, Any] = {
        "bank_id": bank, "memory_id": memory_id, "source": "user", "status": "active", "full_text": Jsonb({}),
        "occurred_at": NIGHT - timedelta(days=days), "recorded_at": NIGHT - timedelta(days=days), "summary": text,
        "importance": 0.5, "extracted_by": "rules", **columns,
    }  # fmt: skip
    vector = vector_of({topic: TOGETHER**0.5, 100 + number % 600: (1 - TOGETHER) ** 0.5})
    with admin.transaction():
        admin.execute(
            f"insert into memory.episodic_memory ({', '.join(row)}) values ({', '.join(['%s'] * len(row))})".encode(),
            list(row.values()),
        )
        admin.execute(
            "insert into memory.memory_vector (bank_id, memory_id, model_id, tier, embedding) "
            "values (%s, %s, %s, 'episodic', %s)",
            (bank, memory_id, model, vector),
        )
        admin.execute("select memory_internal.index_episode_words(%s, array[%s]::uuid[])", (bank, memory_id))
    return memory_id


def copy(admin: Admin, known: str, bank: str) -> None:
    """Copy the rows of one bank into another."""
    with admin.transaction():
        for table in COPIED:
            admin.execute(
                f"insert into memory.{table} overriding system value "
                "select (jsonb_populate_record(t, jsonb_build_object('bank_id', %s::text))).* "
                f"from memory.{table} t where t.bank_id = %s".encode(),
                (bank, known),
            )
        admin.execute(
            "select memory_internal.index_episode_words(%s, array_agg(memory_id)) "
            "from memory.episodic_memory where bank_id = %s",
            (bank, bank),
        )
        admin.execute(
            "select memory_internal.index_fact_words(%s, array_agg(memory_id)) from memory.semantic_memory "
            "where bank_id = %s",
            (bank, bank),
        )


async def slept(
    memory: Memory, bank: str = "anna", *, at: datetime = NIGHT, dry_run: bool = False
) -> Outcome:
    """Run the consolidation pass over the bank; its outcome."""
    night = PassContext(memory.store, memory.models, memory.settings, at, dry_run)
    return await Consolidate().run(await memory.store.banks.read(bank), night)


def statuses(admin: Admin, bank: str = "anna") -> dict[int, str]:
    """Status of the episodes, by number."""
    found = admin.execute(
        "select memory_id, status from memory.episodic_memory where bank_id = %s and summarizes is null order by 1",
        (bank,),
    ).fetchall()
    return {row[0].int: str(row[1]) for row in found}  # type: ignore[attr-defined]


def summaries(admin: Admin, bank: str = "anna") -> list[str]:
    found = admin.execute(
        "select summary from memory.episodic_memory where bank_id = %s and summarizes is not null "
        "and status = 'active' order by 1",
        (bank,),
    ).fetchall()
    return [str(row[0]) for row in found]


def facts(admin: Admin, bank: str = "anna") -> dict[str, list[int]]:
    """Each fact with the numbers of the episodes that are its evidence."""
    found = admin.execute(
        "select f.fact, array_agg(e.episode_id order by e.episode_id) from memory.semantic_memory f "
        "join memory.fact_evidence e on e.bank_id = f.bank_id and e.fact_id = f.memory_id where f.bank_id = %s "
        "group by f.fact, f.memory_id order by 1",
        (bank,),
    ).fetchall()
    return {str(row[0]): [one.int for one in row[1]] for row in found}  # type: ignore[attr-defined]


def morning(admin: Admin, bank: str) -> dict[str, list[tuple[Any, ...]]]:
    """The bank's rows after a nightly run, without ids that depend on the bank, and without `model_call`."""
    called = (
        "case when e.summarizes is null then e.memory_id::text else e.summarizes || ': ' || e.summary end"
    )
    asked = {
        "episodes": (
            f"select {called}, e.status, e.summary, e.importance, e.represents, e.occurred_at, e.consolidated_at, "
            "e.clustered_at, e.topics, e.tags, e.metadata, e.full_text, e.restored_at, "
            "(select array_agg(o.memory_id order by o.memory_id) from memory.episodic_memory o where "
            "o.bank_id = e.bank_id and o.cluster_id = e.cluster_id and o.summarizes is null) "
            "from memory.episodic_memory e where e.bank_id = %(bank)s"
        ),
        "links": (
            f"select (select {called} from memory.episodic_memory e where e.bank_id = l.bank_id and "
            f"e.memory_id = l.memory_id), (select {called} from memory.episodic_memory e where "
            "e.bank_id = l.bank_id and e.memory_id = l.linked_id), l.reason, l.strength "
            "from memory.memory_link l where l.bank_id = %(bank)s"
        ),
        "events": (
            f"select coalesce((select {called} from memory.episodic_memory e where e.bank_id = v.bank_id and "
            "e.memory_id = v.memory_id), (select f.fact from memory.semantic_memory f where "
            "f.bank_id = v.bank_id and f.memory_id = v.memory_id)), v.event, v.from_status, v.to_status, "
            "regexp_replace(v.reason, '[0-9a-f-]{36}', 'X'), v.actor, v.at "
            "from memory.memory_event v where v.bank_id = %(bank)s"
        ),
        "facts": (
            "select f.fact, f.status, f.confidence, f.evidence_count, f.valid_from, f.extracted_by, f.attribute, "
            "f.last_confirmed, (select w.fact from memory.semantic_memory w where w.bank_id = f.bank_id and "
            "w.memory_id = f.merged_into_id) from memory.semantic_memory f where f.bank_id = %(bank)s"
        ),
        "conflicts": (
            "select f.fact, o.fact, c.rule, c.handling, c.recorded_at from memory.fact_conflict c "
            "join memory.semantic_memory f on f.bank_id = c.bank_id and f.memory_id = c.one_id "
            "join memory.semantic_memory o on o.bank_id = c.bank_id and o.memory_id = c.other_id "
            "where c.bank_id = %(bank)s"
        ),
        "evidence": (
            "select f.fact, e.episode_id, e.stated, e.recorded_at from memory.fact_evidence e "
            "join memory.semantic_memory f on f.bank_id = e.bank_id and f.memory_id = e.fact_id "
            "where e.bank_id = %(bank)s"
        ),
        "vectors": (
            "select tier, embedding::text from memory.memory_vector where bank_id = %(bank)s"
        ),
        "words": (
            "select tier, replace(search::text, bank_id, 'X') from memory.memory_text "
            "where bank_id = %(bank)s"
        ),
        "messages": (
            "select content, expired_at from memory.message where bank_id = %(bank)s"
        ),
    }  # fmt: skip
    return {
        name: sorted(
            tuple(map(str, row)) for row in admin.execute(statement.encode(), {"bank": bank}).fetchall()
        )
        for name, statement in asked.items()
    }
