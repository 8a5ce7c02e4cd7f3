"""The emotional thread: threads, the episodes with a mood that they are made of, and acts on them."""

from alembic import op

from memory_service.db.bank_policies import secure_tables

revision = "0040"
down_revision = "0039"
branch_labels = None
depends_on = None

TABLES = """
-- A mood that is carried on over several episodes. Computed from emotional_thread_episode and emotional_thread_act
-- (rebuild_threads). `valence`: as of `last_update`; its decay is applied on reading. The last thread of a bank has no
-- `ended_at`, also once it has faded.
create table memory.emotional_thread (
    bank_id        text collate "C" not null,
    thread_id      uuid not null,
    current_state  text not null,
    emotion        text,
    topic          text,
    valence        double precision not null,
    half_life_days double precision not null,
    thread_length  integer not null,
    started_at     timestamptz not null,
    last_update    timestamptz not null,
    ended_at       timestamptz,
    end_reason     text,
    ended_by       text,
    constraint emotional_thread_pkey primary key (bank_id, thread_id),
    constraint emotional_thread_bank_fkey foreign key (bank_id) references memory.bank (bank_id),
    constraint emotional_thread_valence_check check (valence between -1 and 1),
    constraint emotional_thread_end_reason_check check (end_reason in ('broken', 'faded', 'ended', 'switched_off')),
    constraint emotional_thread_end_check check ((ended_at is null) = (end_reason is null))
);
create unique index emotional_thread_open_key on memory.emotional_thread (bank_id) where ended_at is null;
create index emotional_thread_newest_idx on memory.emotional_thread (bank_id, started_at desc, thread_id desc);

-- An episode with a clear mood. `mood`: sign and strength of the episode. The other columns are the state of its thread
-- after it, so that the past can be read; null where the episode belongs to none.
create table memory.emotional_thread_episode (
    bank_id        text collate "C" not null,
    episode_id     uuid not null,
    occurred_at    timestamptz not null,
    valence        double precision,
    emotions       text[] not null,
    mood           double precision not null,
    emotion        text,
    family         text,
    topic          text,
    thread_id      uuid,
    position       integer,
    thread_valence double precision,
    half_life_days double precision,
    peak           double precision,
    state_emotion  text,
    state_topic    text,
    constraint emotional_thread_episode_pkey primary key (bank_id, episode_id),
    constraint emotional_thread_episode_episode_fkey foreign key (bank_id, episode_id)
        references memory.episodic_memory (bank_id, memory_id) on delete cascade,
    constraint emotional_thread_episode_thread_fkey foreign key (bank_id, thread_id)
        references memory.emotional_thread (bank_id, thread_id) deferrable initially deferred
);
create index emotional_thread_episode_order_idx
    on memory.emotional_thread_episode (bank_id, occurred_at, episode_id);
create index emotional_thread_episode_thread_idx
    on memory.emotional_thread_episode (bank_id, thread_id, position) where thread_id is not null;

-- Acts on the thread of their time: a context acknowledged it, a person ended it, the bank switched threads off.
-- `valence` and `emotion`: the thread's at that time, as of its last update. Append-only.
create table memory.emotional_thread_act (
    bank_id   text collate "C" not null,
    at        timestamptz not null,
    act       text not null,
    thread_id uuid not null,
    valence   double precision not null,
    emotion   text,
    actor     text not null,
    constraint emotional_thread_act_pkey primary key (bank_id, at, act),
    constraint emotional_thread_act_bank_fkey foreign key (bank_id) references memory.bank (bank_id),
    constraint emotional_thread_act_act_check check (act in ('acknowledged', 'ended', 'switched_off'))
);
"""

SECURED = ("emotional_thread", "emotional_thread_episode", "emotional_thread_act")


def upgrade() -> None:
    execute = op.get_bind().connection.driver_connection.execute
    execute(TABLES)
    secure_tables(execute, SECURED)
