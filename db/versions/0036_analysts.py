"""Roles that read several banks: grants of analysts, and row security policies for them and for `memory-service sql`.

The policies of one bank applied to every role; an analyst could choose any bank by memory.bank_id. They are limited to
memory_service. `banks` are bank ids, or prefixes that end in `*`, as those of API keys.
"""

from alembic import op

revision = "0036"
down_revision = "0035"
branch_labels = None
depends_on = None

TABLES = """
create table memory.analyst_grant (
    role_name   text collate "C" not null,
    banks       text collate "C" not null,
    granted_at  timestamptz not null,
    constraint analyst_grant_pkey primary key (role_name, banks),
    constraint analyst_grant_banks_check check (banks ~ '^[0-9A-Za-z_.:@-]{0,128}[*]?$' and banks <> '')
);
alter table memory.analyst_grant enable row level security;
create policy analyst_grant_of_role on memory.analyst_grant for select to memory_analyst
    using (role_name = current_user);
"""

BANKED = """
select c.relname
  from pg_policy p
  join pg_class c on c.oid = p.polrelid
 where c.relnamespace = 'memory'::regnamespace and not c.relispartition and p.polname = c.relname || '_of_named_bank'
 order by c.relname
"""

SOURCES = {
    "analyst": "(select g.banks from memory.analyst_grant g where g.role_name = current_user)",
    "reader": "(select unnest(nullif(current_setting('memory.banks', true), '')::text[]))",
}
"""Where each role's banks and prefixes come from. Uncorrelated: evaluated once per query."""


def condition(source: str, bank: str) -> str:
    """Whether `bank` is among the banks and prefixes of `source`."""
    prefixes = f"select left(s.banks, -1) from {source} as s (banks) where right(s.banks, 1) = '*'"  # noqa: S608
    return f"({bank} = any (array{source}) or {bank} ^@ any (array({prefixes})))"


def upgrade() -> None:
    execute = op.get_bind().connection.driver_connection.execute
    execute(TABLES)
    for (table,) in execute(BANKED).fetchall():
        execute(f"alter policy {table}_of_named_bank on memory.{table} to memory_service")
        if table == "idempotency_key":  # answers of the HTTP interface
            continue
        for role, source in SOURCES.items():
            admitted = condition(source, "bank_id")
            if table in (
                "job_run",
                "audit_event",
            ):  # a row about several banks is visible to a reader of all of them
                outside = (
                    f"select from unnest(bank_ids) as b (bank_id) where not {condition(source, 'b.bank_id')}"
                )
                admitted = f"cardinality(bank_ids) > 0 and not exists ({outside})"
            execute(f"drop policy if exists {table}_of_{role} on memory.{table}")
            execute(
                f"create policy {table}_of_{role} on memory.{table} for select to memory_{role} using ({admitted})"
            )
