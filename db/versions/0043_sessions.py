"""Sessions: the working state of agents, their checkpoints, and the content-addressed parts of both."""

from alembic import op

from memory_service.db.bank_policies import secure_tables

revision = "0043"
down_revision = "0041"
branch_labels = None
depends_on = None

TABLES = """
-- The data of a session is a JSON object, stored as a tree of parts; `root` is the digest of the tree, `bytes` the
-- length of the JSON text. Sessions that were forked from one another have one `lineage` and share parts.
-- `unused_parts`: the lineage may have parts that no session and no checkpoint reaches.
create table memory.session_memory (
    bank_id       text collate "C" not null,
    session_id    text collate "C" not null,
    lineage       uuid not null,
    version       bigint not null,
    state         text not null,
    root          bytea not null,
    bytes         integer not null,
    created_at    timestamptz not null,
    updated_at    timestamptz not null,
    unused_parts  boolean not null default false,
    constraint session_memory_pkey primary key (bank_id, session_id),
    constraint session_memory_bank_fkey foreign key (bank_id) references memory.bank (bank_id),
    constraint session_memory_session_id_check check (session_id ~ '^[A-Za-z0-9][A-Za-z0-9_.:@-]{0,127}$'),
    constraint session_memory_version_check check (version > 0),
    constraint session_memory_root_check check (octet_length(root) = 32)
);
create index session_memory_newest_idx on memory.session_memory (bank_id, updated_at, session_id);
create index session_memory_lineage_idx on memory.session_memory (bank_id, lineage);
create index session_memory_unused_idx on memory.session_memory (bank_id) where unused_parts;

create table memory.session_checkpoint (
    bank_id        text collate "C" not null,
    session_id     text collate "C" not null,
    number         integer not null,
    checkpoint_id  uuid not null,
    version        bigint not null,
    state          text not null,
    root           bytea not null,
    bytes          integer not null,
    name           text,
    note           text,
    created_at     timestamptz not null,
    constraint session_checkpoint_pkey primary key (bank_id, session_id, number),
    constraint session_checkpoint_checkpoint_id_key unique (bank_id, session_id, checkpoint_id),
    constraint session_checkpoint_session_fkey foreign key (bank_id, session_id)
        references memory.session_memory (bank_id, session_id) on delete cascade,
    constraint session_checkpoint_root_check check (octet_length(root) = 32)
);

-- `digest` is the SHA-256 of children and content. `children` are digests of 32 bytes each. A part without content is
-- its children in order; in the content of another one, marks stand for the children.
create table memory.session_part (
    bank_id   text collate "C" not null,
    lineage   uuid not null,
    digest    bytea not null,
    content   text not null,
    children  bytea not null default '',
    constraint session_part_pkey primary key (bank_id, lineage, digest),
    constraint session_part_bank_fkey foreign key (bank_id) references memory.bank (bank_id),
    constraint session_part_digest_check check (octet_length(digest) = 32),
    constraint session_part_children_check check (octet_length(children) % 32 = 0)
);
"""

SECURED = ("session_memory", "session_checkpoint", "session_part")


def upgrade() -> None:
    execute = op.get_bind().connection.driver_connection.execute
    execute(TABLES)
    secure_tables(execute, SECURED)
