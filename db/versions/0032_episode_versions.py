"""Former contents of episodes, for changes of a memory."""

from alembic import op

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None

TABLES = """
-- `version` is incremented by each change of an episode's content. A row of episode_version is a former content, with
-- the time and the actor of the change that replaced it.
alter table memory.episodic_memory add column version integer not null default 1;
create table memory.episode_version (
    bank_id      text collate "C" not null,
    memory_id    uuid not null,
    version      integer not null,
    content      text not null,
    full_text    jsonb not null,
    reply        text,
    replaced_at  timestamptz not null,
    replaced_by  text not null,
    constraint episode_version_pkey primary key (bank_id, memory_id, version),
    constraint episode_version_memory_fkey foreign key (bank_id, memory_id)
        references memory.episodic_memory (bank_id, memory_id) on delete cascade
);
alter table memory.episode_version enable row level security;
create policy episode_version_of_named_bank on memory.episode_version
    using (bank_id = nullif(current_setting('memory.bank_id', true), ''));
"""


def upgrade() -> None:
    op.get_bind().connection.driver_connection.execute(TABLES)
