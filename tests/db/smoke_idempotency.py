"""The functions of idempotency keys, called once as the service."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Callable
from datetime import timedelta

import psycopg
import pytest

from tests.db.steps import START, Connection, rows, value

BANK = "smoke"
REQUEST = {
    "bank": BANK,
    "holder": "A1b2C3d4E5f6",
    "key": "k",
    "request_hash": hashlib.sha256(b"one").digest(),
}
OTHER = REQUEST | {"request_hash": hashlib.sha256(b"another").digest()}


def answered(service: Connection) -> None:
    value(service, "store_answer", **REQUEST, status=201, body="{}", subject=uuid.uuid4(), at=START)


def claim_idempotency_key(service: Connection) -> None:
    assert rows(service, "claim_idempotency_key", **REQUEST, at=START) == []
    answered(service)
    assert rows(service, "claim_idempotency_key", **REQUEST, at=START) == [(201, "{}")]
    with pytest.raises(psycopg.Error) as error, service.transaction():
        rows(service, "claim_idempotency_key", **OTHER, at=START)
    assert error.value.sqlstate == "ME013"
    assert rows(service, "claim_idempotency_key", **OTHER, at=START + timedelta(days=1)) == []


def store_answer(service: Connection) -> None:
    answered(service)
    value(service, "store_answer", **OTHER, status=200, body="[]", at=START + timedelta(days=1))
    later = START + timedelta(days=1)
    assert rows(service, "claim_idempotency_key", **OTHER, at=later) == [(200, "[]")]


def expire_idempotency_keys(service: Connection) -> None:
    answered(service)
    for hours, deleted in ((23, 0), (24, 1), (24, 0)):
        at = START + timedelta(hours=hours)
        assert value(service, "expire_idempotency_keys", bank=BANK, page=10, at=at) == deleted


def banks_with_expired_keys(service: Connection) -> None:
    answered(service)
    assert rows(service, "banks_with_expired_keys", at=START) == []
    assert rows(service, "banks_with_expired_keys", at=START + timedelta(days=1)) == [(BANK,)]


def idempotency_key_lifetime(service: Connection) -> None:
    assert value(service, "idempotency_key_lifetime") == timedelta(days=1)


IDEMPOTENCY: tuple[Callable[[Connection], None], ...] = (
    claim_idempotency_key, store_answer, expire_idempotency_keys, banks_with_expired_keys, idempotency_key_lifetime,
)  # fmt: skip
