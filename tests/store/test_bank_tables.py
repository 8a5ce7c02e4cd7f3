"""The list of a bank's tables is that of the catalog."""

from __future__ import annotations

import pytest

from memory_service.store.bank_tables import BANK_TABLES
from tests.conftest import Admin

WITH_BANK = """
select c.relname from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attname = 'bank_id' and not a.attisdropped
 where c.relnamespace = 'memory'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
"""
REFERENCES = """
select k.conrelid::regclass, k.confrelid::regclass from pg_constraint k
  join pg_class c on c.oid = k.conrelid and not c.relispartition
 where k.contype = 'f' and k.connamespace = 'memory'::regnamespace and k.conrelid <> k.confrelid
"""


@pytest.mark.changes_nothing
def test_bank_tables_are_the_tables_with_a_bank(admin: Admin) -> None:
    assert sorted(BANK_TABLES) == sorted(str(name) for (name,) in admin.execute(WITH_BANK))


@pytest.mark.changes_nothing
def test_a_bank_table_is_after_those_that_it_references(admin: Admin) -> None:
    admin.execute("set search_path = memory")
    pairs = [(str(one), str(other)) for one, other in admin.execute(REFERENCES)]
    place = {name: number for number, name in enumerate(BANK_TABLES)}
    assert any(one in place and other in place for one, other in pairs)
    assert [
        (one, other) for one, other in pairs if one in place and other in place and place[one] < place[other]
    ] == []
