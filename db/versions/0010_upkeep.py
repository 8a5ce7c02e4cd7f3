"""Upkeep: which banks have something to be done, who is at it, and what each pass of the night came to.

`memory.upkeep` is to the night what memory.work is to intake: one row per bank, ids and times only, no row security and
no foreign keys, reached through definer functions. A bank that changes is due from then on; after its passes it is due
again when something changes by time alone, or never. So a night costs what has changed: an unchanged bank is not even
read. `memory.job_run` holds a row per pass and batch of banks: ids and figures.
"""

from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

TABLES = """
-- due_at is compared with the night's own time: -infinity since the bank changed, infinity where nothing is to be done.
-- not_before is by the database's clock: the end of a lease, or of the rest after a failure.
create table memory.upkeep (
    bank_id             text collate "C" not null,
    due_at              timestamptz not null default '-infinity',
    changed_at          timestamptz not null,
    generation          bigint not null default 1,
    activations         integer not null default 0,
    not_before          timestamptz not null default '-infinity',
    lease_token         uuid,
    claimed_generation  bigint,
    attempts            integer not null default 0,
    last_error          text,
    ran_at              timestamptz,
    constraint upkeep_pkey primary key (bank_id)
) with (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
create index upkeep_due_idx on memory.upkeep (due_at, bank_id);
insert into memory.upkeep (bank_id, changed_at) select b.bank_id, b.updated_at from memory.bank b;

create table memory.job_run (
    job_run_id         uuid not null,
    night_id           uuid not null,
    pass               text collate "C" not null,
    bank_ids           text[] not null,
    as_of              timestamptz not null,
    started_at         timestamptz not null,
    ended_at           timestamptz not null,
    seconds            double precision not null,
    outcome            text collate "C" not null,
    failed             integer not null default 0,
    counts             jsonb not null default '{}',
    model_calls        integer not null default 0,
    tokens             bigint not null default 0,
    compression_ratio  double precision,
    error              text,
    worker             text not null,
    constraint job_run_pkey primary key (job_run_id),
    constraint job_run_outcome_check check (outcome in ('done', 'failed'))
);
create index job_run_newest_idx on memory.job_run (started_at);

-- When a fact was given up to make room; null again as soon as more is known of it, or somebody wants it back.
alter table memory.semantic_memory
    add column dropped_at timestamptz,
    add constraint semantic_memory_dropped_check check (dropped_at is null or status in ('deprecated', 'merged_into'));

-- What expires next. A message enters it when it is decided about, so acknowledging does not write it.
create index message_kept_idx on memory.message (bank_id, recorded_at)
    where expired_at is null and status in ('stored', 'refused');
"""


def upgrade() -> None:
    execute = op.get_bind().connection.driver_connection.execute
    execute(TABLES)
    execute("alter table memory.job_run enable row level security")
    execute(
        "create policy job_run_of_named_bank on memory.job_run "
        "using (bank_ids = array[nullif(current_setting('memory.bank_id', true), '')])"
    )
    # Its columns change with what it counts: consolidation.
    execute("drop view if exists analytics.compression_ratio")
