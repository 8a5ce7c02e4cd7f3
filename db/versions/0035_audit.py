"""Administrative acts, append-only for the service role."""

from alembic import op

revision = "0035"
down_revision = "0034"
branch_labels = None
depends_on = None

TABLES = """
-- Written by memory_internal.record_audit; the service role may read the rows of the bank that it has entered.
-- `key_id` is the API key of the request, null for a login with rights on the database, whose name is in `login`.
-- `subjects` are ids of memories or keys; `details` are figures and names of settings, no texts.
create table memory.audit_event (
    audit_id  bigint generated always as identity,
    at        timestamptz not null,
    action    text not null,
    actor     text not null,
    key_id    text,
    login     text not null default session_user,
    bank_ids  text[] not null,
    subjects  text[] not null,
    details   jsonb not null,
    constraint audit_event_pkey primary key (audit_id)
);
create index audit_event_newest_idx on memory.audit_event (at);
alter table memory.audit_event enable row level security;
create policy audit_event_of_named_bank on memory.audit_event
    using (bank_ids = array[nullif(current_setting('memory.bank_id', true), '')]);
"""


def upgrade() -> None:
    op.get_bind().connection.driver_connection.execute(TABLES)
