"""Keys of role read write nothing: every writing route refuses them, and Postgres does where a route does not."""

from __future__ import annotations

import pytest

from memory_service.keys import Grant
from memory_service.memory import Memory
from tests.conftest import Admin
from tests.db.steps import Connection
from tests.isolation.http_bank import BODIES, fill_bank, filled, names_for, routes
from tests.isolation.rows import install, rows_of
from tests.server.test_api_keys import KEYLESS, role_of
from tests.support.shared_app import bearer, own_client

pytestmark = [
    pytest.mark.one_server("its schema and its two banks are in one database"),
    pytest.mark.own_database,
]

BANK = "ownbank"
OF_NO_BANK = ("api_key", "analyst_grant", "embedding_model")


def everything(admin: Admin) -> list[object]:
    """The rows of the bank, the names of all banks, and what the operator administers."""
    tables = [
        admin.execute(f"select t::text from memory.{table} t order by 1".encode()).fetchall()
        for table in OF_NO_BANK
    ]
    return [rows_of(admin, BANK), admin.execute("select bank_id from memory.bank").fetchall(), *tables]


@pytest.mark.parametrize("headers", [{}, {"Idempotency-Key": "once"}])
@pytest.mark.parametrize("checked", [True, False])
async def test_a_read_key_writes_through_no_route(
    memory: Memory,
    service: Connection,
    admin: Admin,
    monkeypatch: pytest.MonkeyPatch,
    subtests: pytest.Subtests,
    headers: dict[str, str],
    checked: bool,
) -> None:
    """`checked`: whether the routes compare roles."""
    install(admin)
    own = await fill_bank(memory, service, admin, BANK, "sparrow")
    key = await memory.create_key("read", ["*"])
    if not checked:
        monkeypatch.setattr(Grant, "allows", allows)
        monkeypatch.setattr(Grant, "can_erase", True)
    monkeypatch.setattr(memory.trace_writer, "record", ignore)  # reads are traced whatever the key
    await memory.trace_writer.flush()
    before = everything(admin)
    async with own_client(memory) as http:
        for method, path, _ in await routes(http):
            if path in KEYLESS:
                continue
            with subtests.test(f"{method} {path}"):
                names = names_for(path, own.names)
                body = filled(BODIES.get((method, path)), names)
                if path == "/v1/banks" and method == "POST":
                    body = {"bank_id": "another"}
                answer = await http.request(
                    method, path.format(**names), json=body, headers={**bearer(key), **headers}
                )
                if role_of(method, path) == "read" or (not checked and method == "GET"):
                    assert answer.status_code < 400, answer.text
                else:
                    reason = (
                        "this needs a key of role"
                        if checked
                        else "this call writes; the API key may only read"
                    )
                    assert (answer.status_code, reason in answer.text) == (403, True), answer.text
                assert everything(admin) == before


def allows(grant: Grant, role: str) -> bool:
    """Of a service that compares no roles."""
    return True


def ignore(bank_id: str, trace: object) -> None:
    """Records no trace."""
