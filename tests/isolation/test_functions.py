"""Every function of memory_api, called for one bank with ids of another: as with ids that do not exist."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.conftest import Admin
from tests.db import steps
from tests.db.test_definers import OVER_ALL_BANKS
from tests.db.test_smoke import BANK, SMOKE
from tests.isolation.function_walk import EMPTY, FULL, Walk, WalkingConnection
from tests.isolation.rows import Id, ids_of, install, one_of_each
from tests.isolation.victim import SECRET, fill

pytestmark = [
    pytest.mark.one_server("its schema and its two banks are in one database"),
    pytest.mark.own_database,
]

PARAMETERS = """
select p.proname, a.name, format_type(a.type, null)
  from pg_proc p
  cross join unnest(p.proargnames, coalesce(p.proallargtypes, p.proargtypes::oid[]),
                    coalesce(p.proargmodes, array_fill('i'::"char", array[p.pronargs])))
       with ordinality as a (name, type, mode, place)
 where p.pronamespace = 'memory_api'::regnamespace and a.mode = 'i'
 order by p.proname, a.place
"""
OPERATOR = "of the operator: API keys and models are of no bank"
TABLES = "names and types of columns, without banks"
NOT_OF_A_BANK = OVER_ALL_BANKS | {
    "installation": "the release of the database",
    "text_difference": "compares two texts",
    "exported_columns": TABLES, "export_query": TABLES, "invalid_columns": TABLES,
    "add_metrics": "counts of processes, without banks",
    "read_metrics": "counts of processes, without banks",
    "night_gauges": "times of passes, without banks",
    "list_nights": "sums over banks, for keys of role admin and all banks",
    "list_audit": "acts on all banks, for keys of role admin and all banks",
    "any_key_exists": OPERATOR, "create_key": OPERATOR, "limit_key": OPERATOR, "list_keys": OPERATOR,
    "read_key": OPERATOR, "record_key_uses": OPERATOR, "revoke_key": OPERATOR, "rotate_key": OPERATOR,
    "take_allowance": OPERATOR, "register_embedding_model": OPERATOR, "read_thresholds": OPERATOR,
    "set_thresholds": OPERATOR,
}  # fmt: skip
"""Functions that take ids of no bank, and why."""
PLACE = 777_000
"""Of the sequences while FULL is filled: numbers that occur in no other bank by chance."""
PARTS = 4


@pytest.fixture
def walking(admin: Admin, login: str) -> Iterator[WalkingConnection]:
    """A connection with BANK; the other banks of the walk are taken out of the tables."""
    install(admin)
    with WalkingConnection.connect(login, autocommit=True) as connection:
        admin.execute("select isolation.set_sequences(%s)", (PLACE,))
        fill(connection, FULL, conversation="zqxtalk", client_id="zqxclient", key="zqxkey")
        steps.create_bank(connection, EMPTY)
        foreign = one_of_each(one for one in ids_of(admin, FULL) if is_distinct(one))
        for bank in (FULL, EMPTY):
            admin.execute("select isolation.take_out(%s)", (bank,))
        parameters: dict[str, dict[str, str]] = {}
        for function, name, type_ in admin.execute(PARAMETERS.encode()).fetchall():
            if function not in NOT_OF_A_BANK:
                parameters.setdefault(str(function), {})[str(name)] = str(type_)
        steps.create_bank(connection, BANK)
        connection.walk = Walk(foreign, parameters)
        yield connection


def is_distinct(one: Id) -> bool:
    """Whether it occurs in no other bank by chance."""
    return (
        one.type == "uuid" or (isinstance(one.value, int) and one.value >= PLACE) or "zqx" in str(one.value)
    )


@pytest.mark.parametrize("part", range(PARTS))
def test_ids_of_another_bank_are_as_ids_that_do_not_exist(
    walking: WalkingConnection, subtests: pytest.Subtests, part: int
) -> None:
    walk = walking.walk
    assert walk is not None
    assert {"uuid", "text", "bigint"} == {one.type for one in walk.foreign}
    assert SECRET in {one.value for one in walk.foreign}
    for name in sorted(SMOKE)[part::PARTS]:
        with subtests.test(name):
            walk.smoke = name
            with walking.transaction(force_rollback=True):
                SMOKE[name](walking)
            leaks, walk.leaks = walk.leaks, []
            assert leaks == []
            assert name not in walk.parameters or walk.compared[name] > 3


def test_every_function_takes_a_bank_or_is_listed(walking: WalkingConnection) -> None:
    walk = walking.walk
    assert walk is not None
    assert {name for name, types in walk.parameters.items() if not types.keys() & {"bank", "banks"}} == set()
    assert {name for name in NOT_OF_A_BANK if name not in SMOKE} == set()
