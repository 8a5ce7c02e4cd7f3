"""An HNSW index for large banks.

`indexed_vector` holds a copy of the vectors of banks beyond about 20,000, under an HNSW index; `vector_index` names
those banks. An insert into HNSW costs 3 to 5 ms, so small banks are not in it and are searched exactly. Tags,
recipients and agents have indexes too, for filters that few episodes of a large bank pass; episodes without any are not
in them.
"""

from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None

TABLES = """
create table memory.vector_index (
    bank_id        text collate "C" not null,
    model_id       text collate "C" not null,
    state          text collate "C" not null default 'building',
    copied_through uuid,
    started_at     timestamptz not null default now(),
    ready_at       timestamptz,
    constraint vector_index_pkey primary key (bank_id, model_id),
    constraint vector_index_bank_fkey foreign key (bank_id) references memory.bank on delete cascade,
    constraint vector_index_state_check check (state in ('building', 'ready', 'removing'))
);
create table memory.indexed_vector (
    bank_id    text collate "C" not null,
    memory_id  uuid not null,
    model_id   text collate "C" not null,
    part       smallint not null default 0,
    embedding  public.halfvec(768) not null,
    constraint indexed_vector_pkey primary key (bank_id, model_id, memory_id, part)
) partition by hash (bank_id);
do $$
declare
    partition text;
begin
    for i in 0..15 loop
        partition := 'memory.indexed_vector_' || lpad(i::text, 2, '0');
        execute format('create table %s partition of memory.indexed_vector '
                       'for values with (modulus 16, remainder %s)', partition, i);
        execute format('alter table %s alter column embedding set storage plain', partition);
        execute format('alter table %s enable row level security', partition);
    end loop;
end $$;
create index indexed_vector_embedding_idx on memory.indexed_vector using hnsw (embedding public.halfvec_cosine_ops);
"""

FILTERS = """
create index episodic_memory_tags_idx on memory.episodic_memory using gin (tags) where tags <> '{}';
create index episodic_memory_recipients_idx on memory.episodic_memory using gin (recipients) where recipients <> '{}';
create index episodic_memory_agent_idx on memory.episodic_memory (bank_id, agent_id) where agent_id is not null;
"""


def upgrade() -> None:
    execute = op.get_bind().connection.driver_connection.execute
    execute(TABLES)
    for table in ("vector_index", "indexed_vector"):
        execute(f"alter table memory.{table} enable row level security")
        execute(
            f"create policy {table}_of_named_bank on memory.{table} "
            "using (bank_id = nullif(current_setting('memory.bank_id', true), ''))"
        )
    execute(FILTERS)
