"""What a bank holds, read and put back by functions that row security does not bind, within any transaction."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from graphlib import TopologicalSorter

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
REFERENCES = """
select distinct child.relname, parent.relname
  from pg_constraint k
  join pg_class child on child.oid = k.conrelid
  join pg_class parent on parent.oid = k.confrelid
 where k.contype = 'f' and child.relnamespace = 'memory'::regnamespace and k.conrelid <> k.confrelid
"""
"""Tables with a foreign key, and those that they refer to."""
SEQUENCES = "select oid::regclass from pg_class where relnamespace = 'memory'::regnamespace and relkind = 'S'"
UNLOGGED = """
select c.oid::regclass from pg_class c
 where c.relnamespace = 'memory'::regnamespace and c.relkind in ('r', 'S') and c.relpersistence <> 'p'
   and (c.relkind = 'S' or exists (select from pg_attribute a where a.attrelid = c.oid and a.attname like 'bank_id%'))
"""
COUNTERS = """
create table isolation.leaf as
select c.oid as leaf, r.relname as root
  from pg_class c
  join pg_class r on r.oid = coalesce(pg_partition_root(c.oid), c.oid)
 where c.relnamespace = 'memory'::regnamespace and c.relkind = 'r';
grant select on isolation.leaf to public;
create function isolation.counters() returns text[]
language sql as $$
    select array_agg(t.root || format(' %s %s %s %s',
               pg_relation_filenode(t.leaf), pg_stat_get_xact_tuples_inserted(t.leaf),
               pg_stat_get_xact_tuples_updated(t.leaf), pg_stat_get_xact_tuples_deleted(t.leaf)) order by t.leaf)
      from isolation.leaf t
$$;
create function isolation.written(before text[]) returns text[]
language sql as $$
    select coalesce(array_agg(distinct split_part(b.after, ' ', 1)), '{}')
      from unnest(before, isolation.counters()) b (before, after) where b.before is distinct from b.after
$$
"""
"""The counters of all tables in this transaction, and the tables that it has written to since: only their rows are read
after a call, which most calls leave at none."""
ANSWERS = """
create function isolation.answers(queries text[], bank text, watched text, place bigint)
returns table (answer text, tables text[], content text, digests text)
language plpgsql as $$
declare
    query text;
    before text[] := isolation.counters();
    log_end pg_lsn;
begin
    perform isolation.set_sequences(place);
    foreach query in array queries loop
        tables := null;
        content := null;
        digests := null;
        log_end := pg_current_wal_insert_lsn();
        begin
            execute query into answer;
            if pg_current_wal_insert_lsn() <> log_end then
                tables := isolation.written(before);
                content := (select string_agg(r.name || ' ' || r.content, e'\\n')
                              from isolation.rows_of(bank, tables) r);
                digests := (select jsonb_object_agg(d.name, d.digest) from isolation.digests_of(watched, tables) d);
            end if;
            raise exception using errcode = 'ZZ999';
        exception when others then
            if sqlstate <> 'ZZ999' then
                answer := sqlstate || ' ' || sqlerrm;
                tables := null;
                content := null;
                digests := null;
            end if;
        end;
        if pg_current_wal_insert_lsn() <> log_end then
            perform isolation.set_sequences(place);
        end if;
        return next;
    end loop;
end $$
"""
"""Executes queries of one value as the caller and rolls each back. Returns the value or the error; without an error
also the rows of a bank and digests of another bank's rows afterwards, both in the tables that the query, or one before
it, wrote to: each change of a logged table or of a sequence after `setval` extends the server's write-ahead log, so
where the log ends as before, nothing was written."""
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


def parents_first(admin: Admin, tables: Iterable[BankTable]) -> list[BankTable]:
    """The tables in an order in which the rows of a bank can be inserted."""
    by_name = {t.name: t for t in tables}
    order = TopologicalSorter[str](dict.fromkeys(by_name, ()))
    for child, parent in admin.execute(REFERENCES.encode()).fetchall():
        order.add(str(child), str(parent))
    return [by_name[name] for name in order.static_order() if name in by_name]


def of_each(tables: Iterable[BankTable], columns: str, rest: str) -> str:
    """Statements that return these columns of the rows `r` of the bank in each of `tables`, by default all."""
    return "\n".join(
        f"if tables is null or '{t.name}' = any (tables) then return query select {columns.format(name=t.name)} "
        f"from (select {t.shown} from memory.{t.name} t where {t.condition()}) r {rest}; end if;"
        for t in tables
    )


def install(admin: Admin) -> None:
    """Create the functions of schema `isolation` in the test's database.

    They insert and delete in the order of the foreign keys: session_replication_role, which turns these off, makes the
    server plan all statements of the session again, those of memory_api too.
    """
    assert admin.execute("show track_counts").fetchone() == ("on",), "isolation.written reads the counters"
    assert admin.execute("show wal_level").fetchone() != ("minimal",), (
        "isolation.answers compares ends of the log"
    )
    assert admin.execute(UNLOGGED.encode()).fetchall() == [], "isolation.answers compares ends of the log"
    tables = tables_of(admin)
    keys = [
        (table, column, type_)
        for table, column, type_ in admin.execute(KEY_COLUMNS.encode()).fetchall()
        if column not in CLOSED
    ]
    ids = " union all ".join(
        f"select distinct '{table}.{column}', '{type_}', {column}::text from memory.{table} t "
        f"where t.bank_id = bank and {column} is not null"
        for table, column, type_ in keys
    )
    ordered = parents_first(admin, tables)
    takes = "\n".join(
        f"insert into isolation.{t.name} ({t.columns}) select {t.columns} from memory.{t.name} t "
        f"where {t.condition()}; delete from memory.{t.name} t where {t.condition()};"
        for t in reversed(ordered)
    )
    puts = "\n".join(
        f"insert into memory.{t.name} ({t.columns}) overriding system value select {t.columns} from isolation.{t.name};"
        for t in ordered
    )
    copies = "\n".join(
        f"insert into memory.{t.name} ({t.columns}) overriding system value "
        f"select {t.columns.replace('bank_id', 'twin', 1)} from memory.{t.name} t where {t.condition()};"
        for t in ordered
        if not t.several  # ids are unique
    )
    places = "\n".join(
        f"perform setval('{row[0]}', place);" for row in admin.execute(SEQUENCES.encode()).fetchall()
    )
    functions = {
        "rows_of(bank text, tables text[] default null) returns table (name text, content text)":
            of_each(tables, "'{name}'::text, to_jsonb(r)::text", "order by 2"),
        "digests_of(bank text, tables text[] default null) returns table (name text, digest text)":
            of_each(tables, "'{name}'::text, md5(string_agg(to_jsonb(r)::text, ' ' order by to_jsonb(r)::text))",
                    "having count(*) > 0"),
        "ids_of(bank text) returns table (name text, type text, value text)": f"return query {ids} order by 1, 3;",
        "take_out(bank text) returns void": takes,
        "put_back() returns void": puts,
        "put_twin(bank text, twin text) returns void": copies,
        "set_sequences(place bigint) returns void": places,
    }  # fmt: skip
    admin.execute("create schema isolation")
    admin.execute(COUNTERS.encode())
    admin.execute(ANSWERS.encode())
    admin.execute("grant usage on schema isolation to public")
    for t in tables:
        admin.execute(f"create table isolation.{t.name} (like memory.{t.name})".encode())
    for signature, body in functions.items():
        admin.execute(
            f"create function isolation.{signature} language plpgsql {DEFINER} "
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
