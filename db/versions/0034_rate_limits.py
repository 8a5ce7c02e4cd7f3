"""Rate limits of API keys, in buckets that all processes share."""

from alembic import op

revision = "0034"
down_revision = "0033"
branch_labels = None
depends_on = None

TABLES = """
alter table memory.api_key
    add column requests_per_minute integer,
    add column messages_per_minute integer,
    add constraint api_key_requests_per_minute_check check (requests_per_minute > 0),
    add constraint api_key_messages_per_minute_check check (messages_per_minute > 0);
-- A token bucket of a key. Unlogged: after a crash of the server all buckets are full.
create unlogged table memory.rate_limit (
    key_id       text collate "C" not null,
    resource     text not null,
    available    double precision not null,
    refilled_at  timestamptz not null,
    constraint rate_limit_pkey primary key (key_id, resource),
    constraint rate_limit_resource_check check (resource in ('requests', 'messages')),
    constraint rate_limit_key_fkey foreign key (key_id) references memory.api_key (key_id)
);
"""


def upgrade() -> None:
    op.get_bind().connection.driver_connection.execute(TABLES)
