"""Erasure: receipts, and a ledger of the ids of erased rows as keyed hashes."""

from alembic import op

from memory_service.db.bank_policies import secure_tables

revision = "0044"
down_revision = "0043"
branch_labels = None
depends_on = None

TABLES = """
-- A receipt. It outlives its bank: no foreign key. `bank_id` is in clear, because row security compares it, and because
-- an operator must be able to show the receipt of a bank by the bank's name; job_run and audit_event hold it as well.
-- A bank of the same name that is created later shows the receipts of the former one: ids, times and counts.
-- `selector` is what the request named (ids and times, no text); `row_counts` is {table: rows deleted or changed}.
create table memory.erasure (
    bank_id         text collate "C" not null,
    erasure_id      uuid not null,
    scope           text not null,
    selector        jsonb not null,
    status          text not null default 'pending',
    actor           text not null,
    key_id          text,
    reason          text,
    requested_at    timestamptz not null,
    unreachable_at  timestamptz,
    scrubbed_at     timestamptz,
    row_counts      jsonb not null default '{}',
    constraint erasure_pkey primary key (bank_id, erasure_id),
    constraint erasure_bank_id_check check (bank_id ~ '^[A-Za-z0-9][A-Za-z0-9_.:@-]{0,127}$'),
    constraint erasure_scope_check
        check (scope in ('memory', 'conversation', 'period', 'agent', 'search', 'bank')),
    constraint erasure_status_check check (status in ('pending', 'unreachable', 'scrubbed')),
    constraint erasure_times_check check (
        (status = 'pending' or unreachable_at is not null) and (status = 'scrubbed') = (scrubbed_at is not null))
);
create index erasure_newest_idx on memory.erasure (bank_id, requested_at, erasure_id);

-- `id_hash` is the HMAC-SHA256 of `kind:id` under the secret of this installation. Ids that callers choose (bank,
-- conversation, session) may be used again: they stand for rows recorded until `unreachable_at` of the erasure.
create table memory.erased_item (
    bank_id     text collate "C" not null,
    erasure_id  uuid not null,
    kind        text not null,
    id_hash     bytea not null,
    constraint erased_item_pkey primary key (bank_id, erasure_id, kind, id_hash),
    constraint erased_item_erasure_fkey foreign key (bank_id, erasure_id)
        references memory.erasure (bank_id, erasure_id),
    constraint erased_item_kind_check
        check (kind in ('bank', 'conversation', 'message', 'memory', 'norm', 'session')),
    constraint erased_item_id_hash_check check (octet_length(id_hash) = 32)
);
create index erased_item_hash_idx on memory.erased_item (bank_id, kind, id_hash);

-- The key of the hashes. Only the owner reads it: a table of its own, because all of installation may be read by the
-- service.
create table memory.erasure_secret (
    only_row  boolean not null default true,
    secret    bytea not null,
    constraint erasure_secret_pkey primary key (only_row),
    constraint erasure_secret_only_row_check check (only_row),
    constraint erasure_secret_secret_check check (octet_length(secret) = 32)
);
insert into memory.erasure_secret (secret)
select sha256(convert_to(string_agg(gen_random_uuid()::text, ''), 'UTF8')) from generate_series(1, 4);
"""

SECURED = ("erasure", "erased_item")


def upgrade() -> None:
    execute = op.get_bind().connection.driver_connection.execute
    execute(TABLES)
    secure_tables(execute, SECURED)
