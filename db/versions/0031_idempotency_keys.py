"""Answers to requests with an idempotency key, so that a repeated request gets the first answer from any process."""

from alembic import op

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None

TABLES = """
-- `holder` is the id of the API key that sent the request, '' without keys. `subject` is the memory in the request's
-- path: its deletion deletes the answer, which may contain its text.
create table memory.idempotency_key (
    bank_id       text collate "C" not null,
    holder        text collate "C" not null,
    key           text collate "C" not null,
    request_hash  bytea not null,
    status        integer not null,
    body          text not null,
    subject       uuid,
    created_at    timestamptz not null,
    constraint idempotency_key_pkey primary key (bank_id, holder, key),
    constraint idempotency_key_bank_fkey foreign key (bank_id) references memory.bank (bank_id),
    constraint idempotency_key_request_hash_check check (octet_length(request_hash) = 32)
);
create index idempotency_key_created_idx on memory.idempotency_key (bank_id, created_at);
create index idempotency_key_subject_idx on memory.idempotency_key (bank_id, subject) where subject is not null;
alter table memory.idempotency_key enable row level security;
create policy idempotency_key_of_named_bank on memory.idempotency_key
    using (bank_id = nullif(current_setting('memory.bank_id', true), ''));
"""


def upgrade() -> None:
    op.get_bind().connection.driver_connection.execute(TABLES)
