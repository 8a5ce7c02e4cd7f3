"""What the night does to facts: merges that can be undone, verdicts on what may be one fact, facts that faded.

A merge moves what was said of one fact to another; fact_merge keeps what moved, so that it can be moved back. What a
pass has looked at, and in which state, is in night_mark: the next night looks at what has changed since.
"""

from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

TABLES = """
-- As of when its confidence had faded too far (memory_api.fade_facts); null where it had not, or is known again.
alter table memory.semantic_memory add column faded_at timestamptz;

-- That two facts turned out to be one: what went from the loser to the winner, and what that added to the winner.
create table memory.fact_merge (
    bank_id      text collate "C" not null,
    merge_id     bigint not null generated always as identity,
    loser_id     uuid not null,
    winner_id    uuid not null,
    reason       text not null,
    actor        text not null,
    recorded_at  timestamptz not null,
    episodes     uuid[] not null default '{}',
    raised       uuid[] not null default '{}',
    judgements   bigint[] not null default '{}',
    tags         text[] not null default '{}',
    recipients   text[] not null default '{}',
    winner_was   jsonb,
    undone_at    timestamptz,
    undone_by    text,
    constraint fact_merge_pkey primary key (bank_id, merge_id),
    constraint fact_merge_two_check check (loser_id <> winner_id),
    constraint fact_merge_undone_check check ((undone_at is null) = (undone_by is null)),
    constraint fact_merge_loser_fkey foreign key (bank_id, loser_id)
        references memory.semantic_memory (bank_id, memory_id) deferrable,
    constraint fact_merge_winner_fkey foreign key (bank_id, winner_id)
        references memory.semantic_memory (bank_id, memory_id) deferrable
);
-- A fact is merged into one other at a time.
create unique index fact_merge_loser_key on memory.fact_merge (bank_id, loser_id) where undone_at is null;
create index fact_merge_pair_idx on memory.fact_merge (bank_id, loser_id, winner_id);
create index fact_merge_winner_idx on memory.fact_merge (bank_id, winner_id);

-- Whether two facts are one, as a model judged their texts; the smaller id first. Of other texts it says nothing.
create table memory.merge_verdict (
    bank_id      text collate "C" not null,
    one_id       uuid not null,
    other_id     uuid not null,
    texts        text collate "C" not null,
    same         boolean not null,
    decided_by   text not null,
    recorded_at  timestamptz not null,
    constraint merge_verdict_pkey primary key (bank_id, one_id, other_id),
    constraint merge_verdict_order_check check (one_id < other_id),
    constraint merge_verdict_one_fkey foreign key (bank_id, one_id)
        references memory.semantic_memory (bank_id, memory_id) deferrable,
    constraint merge_verdict_other_fkey foreign key (bank_id, other_id)
        references memory.semantic_memory (bank_id, memory_id) deferrable
);
create index merge_verdict_other_idx on memory.merge_verdict (bank_id, other_id);

-- What a pass has looked at, and in which state it was.
create table memory.night_mark (
    bank_id    text collate "C" not null,
    pass       text collate "C" not null,
    memory_id  uuid not null,
    state      text collate "C" not null,
    constraint night_mark_pkey primary key (bank_id, pass, memory_id),
    constraint night_mark_pass_check check (pass in ('merge', 'evidence', 'conflict', 'doubt'))
);
"""

SECURED = ("fact_merge", "merge_verdict", "night_mark")


def upgrade() -> None:
    execute = op.get_bind().connection.driver_connection.execute
    execute(TABLES)
    for table in SECURED:
        execute(f"alter table memory.{table} enable row level security")
        execute(
            f"create policy {table}_of_named_bank on memory.{table} "
            "using (bank_id = nullif(current_setting('memory.bank_id', true), ''))"
        )
