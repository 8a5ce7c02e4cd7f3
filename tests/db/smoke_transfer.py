"""One call of each function that exports or imports a bank."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable
from datetime import timedelta

from psycopg.types.json import Jsonb

from tests.db import steps
from tests.db.smoke_erasure import BANK, erased, named
from tests.db.steps import MODEL, START, Connection, rows, value

TABLES = ["conversation", "message", "episodic_memory"]


def exported_columns(service: Connection) -> None:
    names = [name for name, *_ in rows(service, "exported_columns", name="memory_event")]
    assert "reason" in names
    assert {"bank_id", "event_id", "xid"} & set(names) == set()


def export_query(service: Connection) -> None:
    steps.add(service, BANK, "talk", ["one", "two"])
    assert [line["content"] for line in lines(service, "message")] == ["one", "two"]
    (work,) = lines(service, "work")
    assert (work["kind"], work["subject"]) == ("segment", "talk")


def lines(service: Connection, table: str, bank: str = BANK) -> list[dict[str, object]]:
    """The rows of a table of an export."""
    query: str = value(service, "export_query", name=table)
    with service.transaction():
        value(service, "begin_export", bank=bank)
        found = service.execute(query.replace("$1", "%(bank)s").encode(), {"bank": bank})
        return [json.loads(str(line)) for (line,) in found.fetchall()]


def begin_export(service: Connection) -> None:
    assert value(service, "begin_export", bank=BANK) == MODEL


def begin_import(service: Connection) -> None:
    rows(
        service, "begin_import", bank=BANK, exported_bank="other", exported_at=START,
        settings=Jsonb({"subject": "Ann"}), embedding_model=MODEL, created_at=START,
        updated_at=START + timedelta(days=1), tables=TABLES,
    )  # fmt: skip


def import_rows(service: Connection) -> None:
    rows(
        service, "import_rows", bank=BANK, name="person", columns=["name"], lines=['{"name": "Ann"}', '{"name": "Bo"}'],
    )  # fmt: skip
    assert [line["name"] for line in lines(service, "person")] == ["Ann", "Bo"]


def import_work(service: Connection) -> None:
    export_query(service)
    (work,) = lines(service, "work")
    other = json.dumps(work | {"kind": "embed", "subject": str(uuid.UUID(int=1))})
    rows(service, "import_rows", bank=BANK, name="work", columns=[*work], lines=[other])
    assert {line["kind"] for line in lines(service, "work")} == {"segment", "embed"}


def invalid_columns(service: Connection) -> None:
    ((name, problem),) = rows(
        service, "invalid_columns", name="message", line='{"message_id": 7, "content": "a"}'
    )
    assert name == "message_id"
    assert "uuid" in problem


def finish_import(service: Connection) -> None:
    finished = value(
        service, "finish_import", bank=BANK, exported_bank="other", erasure=uuid.UUID(int=8), counts=Jsonb({}),
        at=START,
    )  # fmt: skip
    assert finished is None


def erase_again(service: Connection) -> None:
    memory, lease = steps.remember(service, BANK)
    steps.activate(service, BANK, [lease])
    (row,) = lines(service, "episodic_memory")
    erased(service, "memory", {"memory_ids": [str(memory)]})
    rows(service, "import_rows", bank=BANK, name="episodic_memory", columns=[*row], lines=[json.dumps(row)])
    assert len(lines(service, "episodic_memory")) == 1
    finished = value(
        service, "finish_import", bank=BANK, exported_bank="other", erasure=uuid.UUID(int=8), counts=Jsonb({}),
        at=START,
    )  # fmt: skip
    assert finished == uuid.UUID(int=8)
    assert lines(service, "episodic_memory") == []


def erased_before(service: Connection) -> None:
    steps.add(service, BANK, "gone")
    known = {"conversations": ["gone", "other"], "agents": ["mem0"]}
    assert rows(service, "erased_before", bank=BANK, **known) == []
    erased(service, "conversation", {"conversation_id": "gone"})
    for _ in range(2):
        found = rows(service, "erased_before", bank=BANK, **known)
        assert [row[:2] for row in found] == [("conversation", "gone")]
        steps.add(service, BANK, "gone")  # the scope stays listed if the conversation has new messages


def lost_vectors(service: Connection) -> None:
    fact = steps.fact(service, BANK, "Rex is black.")
    with service.transaction():
        value(service, "begin_export", bank=BANK)
        service.execute("delete from memory.memory_vector")
    value(
        service, "finish_import", bank=BANK, exported_bank="other", erasure=uuid.UUID(int=8), counts=Jsonb({}),
        embeds=True, at=START,
    )  # fmt: skip
    leases = steps.claim(service, "embed")
    assert str(fact) in {lease.subject for lease in leases}
    texts = rows(service, "read_pending_embedding", bank=BANK, memories=[lease.subject for lease in leases])
    assert "Rex is black." in {text for _, text, *_ in texts}
    steps.activate(service, BANK, leases)
    assert str(fact) in {line["memory_id"] for line in lines(service, "memory_vector")}


def export_episodes(service: Connection) -> None:
    memory, lease = steps.remember(service, BANK)
    steps.activate(service, BANK, [lease])
    ((occurred_at, *_),) = rows(service, "export_episodes", bank=BANK)
    fact = steps.fact(service, BANK, "Rex is black.")
    assert [row[0] for row in rows(service, "export_facts", bank=BANK)] == ["Rex is black."]
    with service.transaction():
        value(service, "begin_export", bank=BANK)
        service.execute(
            "insert into memory.fact_evidence (bank_id, fact_id, episode_id, importance, occurred_at, recorded_at)"
            " values (%s, %s, %s, 0.5, now(), now())", (BANK, fact, memory),
        )  # fmt: skip
    (*_, sources, count) = rows(service, "export_facts", bank=BANK)[0]
    listed = {source["listed_at"] for source in sources}
    assert occurred_at.isoformat() in listed
    assert count == len(sources)
    with service.transaction():
        value(service, "begin_export", bank=BANK)
        service.execute("update memory.episodic_memory set status = 'quarantined'")
    assert rows(service, "export_episodes", bank=BANK) == []
    assert len(rows(service, "export_facts", bank=BANK)[0][-2]) == count - 1


TRANSFER: tuple[Callable[[Connection], None], ...] = (
    exported_columns, export_query, begin_export, begin_import, import_rows, import_work, invalid_columns,
    finish_import, erased_before, erase_again, named("is_erased", erase_again), named("queued_work", export_query),
    named("enqueue_lost_vectors", lost_vectors), named("write_lost_vectors", lost_vectors),
    named("bank_erased_at", begin_import), named("judgement_numbers", finish_import),
    export_episodes, named("export_facts", export_episodes), named("first_words", export_episodes),
    named("is_for_people", export_episodes),
)  # fmt: skip
