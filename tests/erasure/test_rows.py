"""Erasure in SQL, of a bank with a row in every table."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime
from typing import Any

import pytest
from psycopg.types.json import Jsonb

from tests.conftest import Admin
from tests.db import steps
from tests.db.steps import Connection
from tests.erasure.scan import rows_of, tables_with
from tests.isolation import victim

NONCE = "zqxnonce"
ALWAYS = {"since": "0001-01-01T00:00:00+00:00", "until": "9999-01-01T00:00:00+00:00"}
WITHOUT_BANK = {"vector_index", "bank"}


def erase(service: Connection, bank: str, scope: str, selector: dict[str, Any], **named: Any) -> list[Any]:
    return steps.rows(
        service, "erase", bank=bank, erasure=uuid.uuid4(), scope=scope, selector=Jsonb(selector), actor="ann",
        at=datetime.now(UTC), **named,
    )  # fmt: skip


def test_a_bank_is_erased_from_every_table(service: Connection, admin: Admin) -> None:
    victim.fill(service, "b", NONCE)
    victim.fill(service, "other", "zqxother", key="other")
    before = rows_of(admin, "b")
    others = rows_of(admin, "other")
    assert len(before) > 40
    (planned,) = erase(service, "b", "bank", {}, dry_run=True)
    assert rows_of(admin, "b") == before
    (receipt,) = erase(service, "b", "bank", {})
    assert receipt[9] == planned[9] == before
    assert rows_of(admin, "b") == {}
    assert tables_with(admin, NONCE) == set()
    assert rows_of(admin, "other") == others
    (again,) = erase(service, "b", "bank", {})
    assert again[0] == receipt[0]
    assert receipt[10]
    assert not again[10]
    steps.create_bank(service, "b")
    (anew,) = erase(service, "b", "bank", {})
    assert anew[10]
    assert anew[0] != receipt[0]


def test_everything_of_a_period_is_erased(service: Connection, admin: Admin) -> None:
    filled = victim.fill(service, "b", NONCE)
    admin.execute(
        "update memory.idempotency_key set body = %s where bank_id = 'b'", [f"{filled.active} {NONCE}"]
    )
    victim.fill(service, "other", "zqxother", key="other")
    others = rows_of(admin, "other")
    held = tables_with(admin, NONCE)
    (planned,) = erase(service, "b", "period", ALWAYS, dry_run=True)
    assert tables_with(admin, NONCE) == held
    (receipt,) = erase(service, "b", "period", ALWAYS)
    assert receipt[9] == planned[9]
    assert tables_with(admin, NONCE) == {"session_part", "session_memory"} & held
    assert rows_of(admin, "other") == others


def test_an_unknown_bank_has_nothing_to_erase(service: Connection) -> None:
    assert erase(service, "nobody", "bank", {}) == []
    with pytest.raises(Exception, match="there is no bank"):
        erase(service, "nobody", "conversation", {"conversation_id": "c"})
