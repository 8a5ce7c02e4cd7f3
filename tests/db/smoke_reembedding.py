"""The functions of re-embedding, each called once as the service: part of test_smoke.py."""

from __future__ import annotations

import uuid
from datetime import timedelta
from uuid import UUID

import psycopg
import pytest
from psycopg.types.json import Jsonb

from tests.db import steps
from tests.db.steps import MODEL, START, Connection, rows, value

BANK = "smoke"
OTHER = "other-model"
LATER = START + timedelta(days=8)


def start(service: Connection, model: str = OTHER) -> UUID:
    """An active episode in a bank that is copied to another model."""
    memory_id, lease = steps.remember(service, BANK, summary="Anna sings.")
    steps.activate(service, BANK, [lease])
    value(service, "register_embedding_model", name=model, dimensions=768)
    assert value(
        service, "start_reembedding", bank=BANK, model=model, keep_days=7, verify_queries=3, at=START
    )
    return memory_id


def write(service: Connection, memory_id: UUID, content: str = "Anna sings.", kind: str = "memory") -> int:
    text = {"kind": kind, "id": str(memory_id), "part": 0, "content": content}
    return value(
        service, "write_reembedding", bank=BANK, model=OTHER, texts=Jsonb([text]), of_texts=[1], parts=[0],
        embeddings=[steps.unit_vector(3)],
    )  # fmt: skip


def switched(service: Connection) -> UUID:
    memory_id = start(service)
    assert write(service, memory_id) == 1
    assert value(service, "switch_reembedding", bank=BANK, model=OTHER, at=START)
    return memory_id


def start_reembedding(service: Connection) -> None:
    start(service)
    given = {"bank": BANK, "keep_days": 7, "verify_queries": 0, "at": START}
    assert not value(service, "start_reembedding", model=MODEL, **given)
    value(service, "register_embedding_model", name="third", dimensions=768)
    with pytest.raises(psycopg.Error) as refused, service.transaction():
        value(service, "start_reembedding", model="third", **given)
    assert (refused.value.sqlstate, OTHER in str(refused.value)) == ("ME062", True)


def reembedding_texts(service: Connection) -> None:
    memory_id = start(service)
    wanted = [("memory", memory_id, 0, "Anna sings.", "parts")]
    assert rows(service, "reembedding_texts", bank=BANK, page=5, locks=True) == wanted
    after = {"after_kind": "memory", "after_id": memory_id, "after_part": 0}
    assert rows(service, "reembedding_texts", bank=BANK, page=5, **after) == []


def write_reembedding(service: Connection) -> None:
    memory_id = start(service)
    assert [write(service, memory_id, "Anna sang."), write(service, uuid.uuid4())] == [0, 0]
    assert write(service, memory_id) == 1
    assert rows(service, "reembedding_texts", bank=BANK, page=5) == []


def switch_reembedding(service: Connection) -> None:
    memory_id = start(service)
    given = {"bank": BANK, "model": OTHER, "at": START}
    assert not value(service, "switch_reembedding", **given)
    assert write(service, memory_id) == 1
    assert value(service, "extend_vector_index", **given, page=1, enter_above=0) == 1
    assert not value(service, "switch_reembedding", **given)
    assert value(service, "extend_vector_index", **given, page=1, enter_above=0) == 0
    assert value(service, "switch_reembedding", **given)
    former = {"bank": BANK, "model": MODEL, "query": steps.unit_vector(0)}
    for read in (lambda: steps.recall(service, BANK), lambda: rows(service, "person_entries", **former)):
        with pytest.raises(psycopg.Error) as refused, service.transaction():
            read()
        assert refused.value.sqlstate == "ME061"
    assert steps.recall(service, BANK, steps.unit_vector(3), model=OTHER) == [memory_id]


def end_reembedding(service: Connection) -> None:
    assert not value(service, "end_reembedding", bank=BANK, at=START)
    start(service)
    assert value(service, "end_reembedding", bank=BANK, at=START)


def drop_kept_vectors(service: Connection) -> None:
    switched(service)
    dropped = [
        value(service, "drop_kept_vectors", bank=BANK, page=9, at=at) for at in (START, LATER, LATER, LATER)
    ]
    assert dropped == [0, 1, 0, 0]
    assert rows(service, "read_reembedding", bank=BANK) == []


def read_reembedding(service: Connection) -> None:
    start(service)
    ((*models, status, _, _, verified, _, _, _, texts, copied),) = rows(
        service, "read_reembedding", bank=BANK
    )
    assert (models, status, verified, texts, copied) == ([MODEL, OTHER], "copying", None, 1, 0)


def record_verification(service: Connection) -> None:
    start(service)
    given = {"bank": BANK, "result": Jsonb({"queries": 0})}
    assert [value(service, "record_verification", model=m, **given) for m in (OTHER, MODEL)] == [True, False]


def verification_queries(service: Connection) -> None:
    memory_id = start(service)
    assert rows(service, "verification_queries", bank=BANK, most=5) == [("ings.", [memory_id])]


def nearest_by_model(service: Connection) -> None:
    memory_id = switched(service)
    given = {"bank": BANK, "query": steps.unit_vector(3), "count": 5}
    assert value(service, "nearest_by_model", model=OTHER, **given) == [memory_id]


def drop_other_vectors(service: Connection) -> None:
    memory_id = start(service)
    write(service, memory_id)
    value(service, "drop_other_vectors", bank=BANK, memories=[memory_id])
    assert len(rows(service, "reembedding_texts", bank=BANK, page=5)) == 1


def lock_bank_of_model(service: Connection) -> None:
    value(service, "lock_bank_of_model", bank=BANK, model=MODEL)


def require_model(service: Connection) -> None:
    with pytest.raises(psycopg.Error) as refused, service.transaction():
        value(service, "require_model", bank=BANK, model=OTHER)
    assert refused.value.sqlstate == "ME061"


def embedded_text(service: Connection) -> None:
    memory_id = start(service)
    found = [
        rows(service, "embedded_text", bank=BANK, kind=kind, id=memory_id, part=0)[0][0]
        for kind in ("memory", "norm", "procedure", "lesson")
    ]
    assert found == ["Anna sings.", None, None, None]


def text_count(service: Connection) -> None:
    start(service)
    assert [value(service, "text_count", bank=BANK, model=model) for model in (MODEL, OTHER)] == [1, 0]


def reembedding_gauges(service: Connection) -> None:
    start(service)
    (copying,) = rows(service, "reembedding_gauges", at=START + timedelta(hours=2))
    assert copying == (1, 0, 7200.0, 0, 0.0)
    value(service, "end_reembedding", bank=BANK, at=START)
    (kept,) = rows(service, "reembedding_gauges", at=START + timedelta(hours=2))
    assert kept == (0, 0, 0.0, 1, 7200.0)


REEMBEDDING = (
    start_reembedding, reembedding_texts, write_reembedding, switch_reembedding, end_reembedding, drop_kept_vectors,
    read_reembedding, record_verification, verification_queries, nearest_by_model, drop_other_vectors,
    lock_bank_of_model, require_model, embedded_text, text_count, reembedding_gauges,
)  # fmt: skip
