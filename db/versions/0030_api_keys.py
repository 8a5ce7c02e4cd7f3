"""API keys. The service role has no rights on the table: it is accessed through security definer functions."""

from alembic import op

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None

TABLES = """
-- A key has the form mem_<key_id>_<secret>_<checksum>; only the SHA-256 of the whole is stored. `banks` are bank ids,
-- or prefixes that end in `*`. Rows are never deleted: once a key existed, the service does not run without keys again.
create table memory.api_key (
    key_id        text collate "C" not null,
    hash          bytea not null,
    role          text not null,
    banks         text[] not null,
    may_erase     boolean not null default false,
    agent_id      text,
    note          text not null default '',
    created_at    timestamptz not null,
    created_by    text not null,
    expires_at    timestamptz,
    revoked_at    timestamptz,
    revoked_by    text,
    rotated_from  text collate "C",
    last_used_at  timestamptz,
    constraint api_key_pkey primary key (key_id),
    constraint api_key_key_id_check check (key_id ~ '^[0-9A-Za-z]{12}$'),
    constraint api_key_hash_check check (octet_length(hash) = 32),
    constraint api_key_role_check check (role in ('read', 'write', 'admin')),
    constraint api_key_banks_check check (cardinality(banks) between 1 and 100),
    constraint api_key_rotated_from_key unique (rotated_from),
    constraint api_key_rotated_from_fkey foreign key (rotated_from) references memory.api_key (key_id)
);
"""


def upgrade() -> None:
    op.get_bind().connection.driver_connection.execute(TABLES)
