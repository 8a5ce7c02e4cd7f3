"""Several servers: which server has a bank, on the home server; banks that are being moved or were moved away."""

from alembic import op

revision = "0048"
down_revision = "0047"
branch_labels = None
depends_on = None

TABLES = """
-- The servers that banks live on, on the home server. `home` is the server of this table. The URLs are those of an
-- administrator, without a password.
create table memory.server (
    server_id   text collate "C" not null,
    url         text,
    direct_url  text,
    read_url    text,
    added_at    timestamptz not null default now(),
    constraint server_pkey primary key (server_id),
    constraint server_server_id_check check (server_id ~ '^[a-z][a-z0-9_-]{0,39}$'),
    constraint server_url_check check ((server_id = 'home') = (url is null))
);
insert into memory.server (server_id) values ('home');

-- The slots of banks (server_slot_of) that are not on the home server.
create table memory.server_slot (
    slot       integer not null,
    server_id  text collate "C" not null,
    constraint server_slot_pkey primary key (slot),
    constraint server_slot_slot_check check (slot between 0 and 1023),
    constraint server_slot_server_fkey foreign key (server_id) references memory.server (server_id)
);

-- The banks that are not on the server of their slot.
create table memory.bank_place (
    bank       text collate "C" not null,
    server_id  text collate "C" not null,
    constraint bank_place_pkey primary key (bank),
    constraint bank_place_server_fkey foreign key (server_id) references memory.server (server_id)
);

-- One row; each change of the three tables above increments `version`.
create table memory.server_map (
    only_row  boolean not null default true,
    version   bigint not null default 1,
    constraint server_map_pkey primary key (only_row),
    constraint server_map_only_row_check check (only_row)
);
insert into memory.server_map default values;

-- On each server: the banks that are being moved to another one and may only be read, or that were moved (`moved`);
-- their deleted rows were overwritten at `scrubbed_at`.
create table memory.bank_fence (
    bank         text collate "C" not null,
    target       text collate "C" not null,
    moved        boolean not null default false,
    fenced_at    timestamptz not null default now(),
    scrubbed_at  timestamptz,
    constraint bank_fence_pkey primary key (bank)
);
alter table memory.bank_fence enable row level security;
create policy bank_fence_of_entered_bank on memory.bank_fence to memory_service
    using (bank = nullif(current_setting('memory.bank_id', true), ''));
"""


def upgrade() -> None:
    op.get_bind().connection.driver_connection.execute(TABLES)
