"""What a bank holds, read and put back by functions that row security does not bind, within any transaction."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from tests.conftest import Admin
from tests.db.steps import Connection

UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
TABLES = """
select c.relname, 'bank_ids' = any (array_agg(a.attname::text)),
       string_agg(quote_ident(a.attname), ', ' order by a.attnum) filter (where a.attgenerated = ''),
       string_agg(case when format_type(a.atttypid, null) ~ 'halfvec'
                       then format('md5(public.halfvec_send(t.%1$I)) as %1$I', a.attname)
                       else format('t.%I', a.attname) end, ', ' order by a.attnum)
  from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
 where c.relnamespace = 'memory'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
 group by c.relname
having array_agg(a.attname::text) && array['bank_id', 'bank_ids']
 order by c.relname
"""
KEY_COLUMNS = """
select c.relname, quote_ident(a.attname), format_type(a.atttypid, null)
  from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attname <> 'bank_id'
 where c.relnamespace = 'memory'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
   and exists (select from pg_attribute b where b.attrelid = c.oid and b.attname = 'bank_id')
   and (a.atttypid = 'uuid'::regtype
        or a.atttypid in ('text'::regtype, 'bigint'::regtype)
           and exists (select from pg_index i where i.indrelid = c.oid and i.indisunique and a.attnum = any (i.indkey)))
 order by 1, 2
"""
"""Ids, and what identifies a row within its bank."""
CLOSED = {"kind", "pass", "model_id", "tier", '"position"'}
"""Columns of keys whose values say nothing of a bank: names of a list, and places in an order."""
SEQUENCES = "select oid::regclass from pg_class where relnamespace = 'memory'::regnamespace and relkind = 'S'"
ANSWER = """
create function isolation.answer(
    query text, bank text, watched text, place bigint, out answer text, out content text, out digests text)
language plpgsql as $$
begin
    perform isolation.set_sequences(place);
    begin
        execute query into answer;
        content := (select string_agg(r.name || ' ' || r.content, e'\\n') from isolation.rows_of(bank) r);
        digests := (select jsonb_object_agg(d.name, d.digest) from isolation.digests_of(watched) d);
        raise exception using errcode = 'ZZ999';
    exception when others then
        if sqlstate <> 'ZZ999' then
            answer := sqlstate || ' ' || sqlerrm;
            content := null;
            digests := null;
        end if;
    end;
end $$
"""
"""Executes a query of one value as the caller and rolls it back. Returns the value or the error; without an error also
the rows of a bank and digests of another bank's rows afterwards."""
DEFINER = "security definer set search_path = pg_catalog, public, pg_temp"


@dataclass(frozen=True, slots=True)
class Id:
    """A value that identifies something of a bank."""

    column: str
    type: str
    value: object


@dataclass(frozen=True, slots=True)
class BankTable:
    """A table with rows of banks."""

    name: str
    several: bool
    """A row may be of several banks."""
    columns: str
    """Those that can be inserted."""
    shown: str
    """All columns, of vectors a digest."""

    def condition(self, bank: str = "bank") -> str:
        """Whether a row `t` is one of the bank that an expression names."""
        return f"{bank} = any (t.bank_ids)" if self.several else f"t.bank_id = {bank}"


def tables_of(admin: Admin) -> list[BankTable]:
    """All tables with rows of banks."""
    return [
        BankTable(str(table), bool(several), str(columns), str(shown))
        for table, several, columns, shown in admin.execute(TABLES.encode()).fetchall()
    ]


def install(admin: Admin) -> None:
    """Create the functions of schema `isolation` in the test's database."""
    tables = tables_of(admin)
    keys = [
        (table, column, type_)
        for table, column, type_ in admin.execute(KEY_COLUMNS.encode()).fetchall()
        if column not in CLOSED
    ]
    rows = " union all ".join(
        f"select '{t.name}' as name, to_jsonb(r) as content from (select {t.shown} from memory.{t.name} t "
        f"where {t.condition()}) r"
        for t in tables
    )
    ids = " union all ".join(
        f"select distinct '{table}.{column}', '{type_}', {column}::text from memory.{table} t "
        f"where t.bank_id = bank and {column} is not null"
        for table, column, type_ in keys
    )
    takes = "\n".join(
        f"insert into isolation.{t.name} ({t.columns}) select {t.columns} from memory.{t.name} t "
        f"where {t.condition()}; delete from memory.{t.name} t where {t.condition()};"
        for t in tables
    )
    puts = "\n".join(
        f"insert into memory.{t.name} ({t.columns}) overriding system value select {t.columns} from isolation.{t.name};"
        for t in tables
    )
    copies = "\n".join(
        f"insert into memory.{t.name} ({t.columns}) overriding system value "
        f"select {t.columns.replace('bank_id', 'twin', 1)} from memory.{t.name} t where {t.condition()};"
        for t in tables
        if not t.several  # ids are unique
    )
    places = "\n".join(
        f"perform setval('{row[0]}', place);" for row in admin.execute(SEQUENCES.encode()).fetchall()
    )
    functions = {
        "rows_of(bank text) returns table (name text, content text)":
            f"return query select r.name, r.content::text from ({rows}) r order by 1, 2;",
        "digests_of(bank text) returns table (name text, digest text)":
            "return query select r.name, md5(string_agg(r.content::text, ' ' order by r.content::text)) "
            f"from ({rows}) r group by r.name;",
        "ids_of(bank text) returns table (name text, type text, value text)": f"return query {ids} order by 1, 3;",
        "take_out(bank text) returns void": takes,
        "put_back() returns void": puts,
        "put_twin(bank text, twin text) returns void": copies,
        "set_sequences(place bigint) returns void": places,
    }  # fmt: skip
    admin.execute("create schema isolation")
    admin.execute(ANSWER.encode())
    admin.execute("grant usage on schema isolation to public")
    for t in tables:
        admin.execute(f"create table isolation.{t.name} (like memory.{t.name})".encode())
    for signature, body in functions.items():
        replica = " set session_replication_role = replica" if signature.startswith(("take", "put")) else ""
        admin.execute(
            f"create function isolation.{signature} language plpgsql {DEFINER}{replica} "
            f"as $$ #variable_conflict use_variable\nbegin {body} end $$".encode()
        )


def rows_of(connection: Connection | Admin, bank: str) -> list[tuple[str, str]]:
    """Table and content of each row of a bank as JSON."""
    found = connection.execute("select name, content from isolation.rows_of(%s)", (bank,)).fetchall()
    return [(str(name), str(content)) for name, content in found]


def digests_of(connection: Connection | Admin, bank: str) -> dict[str, str]:
    """A digest of all rows of a bank, by table."""
    found = connection.execute("select name, digest from isolation.digests_of(%s)", (bank,)).fetchall()
    return {str(name): str(digest) for name, digest in found}


def ids_of(connection: Connection | Admin, bank: str) -> list[Id]:
    """Each value that identifies something of a bank, once."""
    found: dict[str, Id] = {}
    for column, type_, value in connection.execute(
        "select name, type, value from isolation.ids_of(%s)", (bank,)
    ).fetchall():
        value = str(value)
        found.setdefault(value, Id(str(column), str(type_), int(value) if type_ == "bigint" else value))
    return [*found.values()]


def one_of_each(ids: Iterable[Id]) -> list[Id]:
    """The last id of each column."""
    return [*{one.column: one for one in ids}.values()]
