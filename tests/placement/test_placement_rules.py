"""Rules that let a bank live on any server: calls name the bank first, and nothing else spans banks."""

from __future__ import annotations

import psycopg
import pytest

from memory_service.store.bank_tables import BANK_TABLES
from tests.conftest import Admin
from tests.db.steps import Connection
from tests.db.test_catalog import SHARED

WITHOUT_BANK = {
    "home": {
        "any_key_exists", "create_key", "installation", "limit_key", "list_keys", "read_key", "read_server_map",
        "read_thresholds", "record_key_uses", "reembedding_gauges",
        "revoke_key", "rotate_key", "server_map_version", "take_allowance",
        "text_difference", "add_metrics", "exported_columns", "export_query",
        "invalid_columns",
    },
    "all": {
        "banks_with_expired_keys", "banks_with_expired_sessions", "banks_with_expired_traces", "intake_delay",
        "list_audit", "list_banks", "list_dead_banks", "list_nights", "night_gauges", "queue_gauges", "read_metrics",
        "register_embedding_model", "set_thresholds",
    },
    "worker": {
        "claim_upkeep", "claim_work", "list_due_banks", "release_upkeep", "release_work", "renew_upkeep", "renew_work",
        "upkeep_remaining",
    },
}  # fmt: skip
"""The functions that are about no bank, by the server that answers: the home server, all, or that of the worker."""
NULL_BANKS = {"list_dead_work", "queue_stats"}
"""Functions that take null for all banks of a server."""
UNFENCED = {
    "complete_work": "parked items have no lease",
    "begin_upkeep": "a parked bank has no lease",
    "fail_upkeep": "a parked bank has no lease",
    "wake_work": "a bank that was moved has no work items",
    "queue_stats": "counts of a bank that was moved are 0; the caller has entered the bank",
    "lock_place": "is about the map",
    "add_messages": "calls add_message for each message",
}
"""Functions that answer for a bank that was moved, and why that is right."""
PUBLIC = (
    "select p.proname, p.proargnames, p.pronargs, p.pronargdefaults from pg_proc p "
    "where p.pronamespace = 'memory_api'::regnamespace"
)


def test_functions_about_a_bank_take_it_first(admin: Admin) -> None:
    found = admin.execute(PUBLIC.encode()).fetchall()
    first = {str(name) for name, names, _, _ in found if names and names[0] == "bank"}  # type: ignore[index]
    later = {str(name) for name, names, _, _ in found if "bank" in (names or ())[1:]}  # type: ignore[index]
    assert not later
    others = {str(name) for name, _, _, _ in found} - first
    assert others == set().union(*WITHOUT_BANK.values())
    assert first >= NULL_BANKS | UNFENCED.keys()


def test_a_table_has_a_bank_or_is_of_one_server(admin: Admin) -> None:
    tables = admin.execute(
        "select c.relname from pg_class c where c.relnamespace = 'memory'::regnamespace and c.relkind in ('r', 'p') "
        "and not c.relispartition"
    ).fetchall()
    assert {str(row[0]) for row in tables} == {*BANK_TABLES, *SHARED}


def test_each_function_refuses_a_bank_that_was_moved(admin: Admin, service: Connection) -> None:
    """Else a process with an old map would get an empty answer."""
    admin.execute("insert into memory.bank_fence (bank, target, moved) values ('anna', 's2', true)")
    answers: dict[str, str | None] = {}
    for name, names, count, defaults in admin.execute(PUBLIC.encode()).fetchall():
        if not names or names[0] != "bank":  # type: ignore[index]
            continue
        nulls = ", null" * (int(str(count)) - int(str(defaults)) - 1)
        try:
            with service.transaction(force_rollback=True):
                service.execute(f"select * from memory_api.{name}('anna'{nulls})".encode()).fetchall()
            answers[str(name)] = None
        except psycopg.Error as error:
            answers[str(name)] = error.sqlstate
    assert {name for name, state in answers.items() if state != "ME080"} == UNFENCED.keys()


@pytest.mark.parametrize("fenced", [False, True])
def test_a_fenced_bank_is_read_only(admin: Admin, service: Connection, fenced: bool) -> None:
    service.execute("select memory_api.register_embedding_model('m', 3)")
    service.execute("select memory_api.create_bank('anna', '{}', 'm')")
    if fenced:
        admin.execute("insert into memory.bank_fence (bank, target) values ('anna', 's2')")
    assert service.execute("select bank_id from memory_api.read_bank('anna')").fetchall() == [("anna",)]
    for write in (
        "select memory_api.update_bank('anna', '{}')",
        "select memory_api.add_message('anna', 'c', 'a', 0, gen_random_uuid(), null, 'user', null, 'hi', null, null)",
        "select memory_api.begin_model_call('anna', 'm', 'extract', 1, 1, 1)",
    ):
        try:
            service.execute(write.encode())
            assert not fenced
        except psycopg.errors.ReadOnlySqlTransaction:
            assert fenced
    assert service.execute("select memory_api.create_bank('berta', '{}', 'm')").fetchall()
