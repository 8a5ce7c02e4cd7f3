"""The functions of API keys, called once as the service."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from datetime import timedelta

from psycopg.types.json import Jsonb

from tests.db.steps import MODEL, START, Connection, rows, value

HASH = hashlib.sha256(b"a key").digest()
OLD, NEW = "A1b2C3d4E5f6", "F1b2C3d4E5f6"


def made(service: Connection, key_id: str = OLD) -> None:
    value(
        service, "create_key", key_id=key_id, hash=HASH, role="read", banks=["anna", "b*"], may_erase=False,
        agent="agent", note="", expires_at=None, actor="operator", at=START,
    )  # fmt: skip


def create_key(service: Connection) -> None:
    made(service)
    assert len(rows(service, "list_keys")) == 1


def read_key(service: Connection) -> None:
    made(service)
    ((stored, role, banks, *_),) = rows(service, "read_key", key_id=OLD)
    assert (bytes(stored), role, banks) == (HASH, "read", ["anna", "b*"])
    assert rows(service, "read_key", key_id=NEW) == []


def list_audit(service: Connection) -> None:
    made(service)
    value(service, "revoke_key", key_id=OLD, actor="a", at=START + timedelta(days=36_500))
    last, *others = rows(service, "list_audit", page=9)
    assert (last[2], last[3]) == ("key_revoked", "a")
    assert "key_created" in [row[2] for row in others]
    assert rows(service, "list_audit", page=9, before_at=last[1], before_id=last[0]) == others


def any_key_exists(service: Connection) -> None:
    assert value(service, "any_key_exists") is False
    made(service)
    value(service, "revoke_key", key_id=OLD, actor="a", at=START)
    assert value(service, "any_key_exists") is True


def list_keys(service: Connection) -> None:
    made(service)
    made(service, NEW)
    assert [row[0] for row in rows(service, "list_keys")] == [OLD, NEW]


def revoke_key(service: Connection) -> None:
    made(service)
    for at in (START, START + timedelta(hours=1)):
        assert value(service, "revoke_key", key_id=OLD, actor="a", at=at) == START
    assert value(service, "revoke_key", key_id=NEW, actor="a", at=START) is None


def rotate_key(service: Connection) -> None:
    made(service)
    at = START + timedelta(days=1)
    ends = value(
        service,
        "rotate_key",
        key_id=OLD,
        new_key_id=NEW,
        hash=HASH,
        overlap=timedelta(hours=2),
        actor="a",
        at=at,
    )
    assert ends == at + timedelta(hours=2)
    new, old = rows(service, "list_keys")
    assert (new[0], new[1:5], new[8], new[11]) == (NEW, old[1:5], None, OLD)
    assert old[8] == ends
    third = {"new_key_id": "G" + NEW[1:], "hash": HASH, "overlap": timedelta(hours=2), "actor": "a", "at": at}
    assert value(service, "rotate_key", key_id=OLD, **third) is None


def record_key_uses(service: Connection) -> None:
    made(service)
    later = START + timedelta(minutes=1)
    for times in ([later, START], [START, START]):
        value(service, "record_key_uses", key_ids=[OLD, OLD], used_at=times)
    assert rows(service, "list_keys")[0][12] == later


def limit_key(service: Connection) -> None:
    made(service)
    assert (
        value(
            service,
            "limit_key",
            key_id=OLD,
            requests_per_minute=60,
            messages_per_minute=None,
            model_tokens_per_minute=None,
            actor="a",
        )
        is True
    )
    assert (
        value(
            service,
            "limit_key",
            key_id=NEW,
            requests_per_minute=60,
            messages_per_minute=None,
            model_tokens_per_minute=None,
            actor="a",
        )
        is False
    )
    ((*_, requests, messages, tokens, _),) = rows(service, "read_key", key_id=OLD)
    assert (requests, messages, tokens) == (60, None, None)


def take_allowance(service: Connection) -> None:
    made(service)
    bucket = {"key_id": OLD, "resource": "requests", "per_minute": 60, "wanted": 1.0}
    taken = [
        rows(service, "take_allowance", **bucket, cost=50.0, at=START + timedelta(seconds=n))
        for n in (0, 1, 40)
    ]
    assert taken == [[(50.0, 10.0, 0.0)], [(0.0, 11.0, 39.0)], [(50.0, 0.0, 0.0)]]
    assert rows(service, "take_allowance", **bucket, cost=90.0, at=START + timedelta(seconds=100)) == [
        (90.0, -30.0, 0.0)
    ]


def record_audit(service: Connection) -> None:
    value(
        service,
        "create_bank",
        bank="audited",
        settings=Jsonb({}),
        embedding_model=MODEL,
        actor="Ida",
        key=OLD,
    )
    service.execute("set local memory.bank_id = 'audited'")
    found = service.execute("select action, actor, key_id, bank_id from analytics.audit").fetchall()
    assert found == [("bank_created", "Ida", OLD, "audited")]


KEYS: tuple[Callable[[Connection], None], ...] = (
    create_key, read_key, any_key_exists, list_keys, revoke_key, rotate_key, record_key_uses,
    limit_key, take_allowance, record_audit, list_audit,
)  # fmt: skip
