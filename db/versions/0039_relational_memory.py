"""Relational memory: norms with evidence and versions, signals of episodes, and the course of the relationship."""

from alembic import op

from memory_service.db.bank_policies import secure_tables

revision = "0039"
down_revision = "0038"
branch_labels = None
depends_on = None

TABLES = """
-- What the extraction observed about the relationship: norms, style, sensitive areas, damage. `observed_at`: when the
-- relational update counted the episode.
alter table memory.episodic_memory
    add column signals jsonb not null default '{}',
    add column observed_at timestamptz;
create index episodic_memory_unobserved_idx on memory.episodic_memory (bank_id, occurred_at, memory_id)
    where observed_at is null and signals ? 'style' and status in ('active', 'archived', 'merged_into');

-- A norm: how to behave with this person, where (`situation`, empty: always), and in which period. `slot` identifies
-- what it is about: a new norm of a slot replaces the present one. `level`: of a sensitivity, 0 to 1.
create table memory.relational_memory (
    bank_id        text collate "C" not null,
    memory_id      uuid not null,
    kind           text not null,
    slot           text collate "C" not null,
    situation      text not null default '',
    norm           text not null,
    value          text,
    level          double precision,
    confidence     double precision not null,
    evidence_count integer not null default 0,
    status         text not null,
    pinned         boolean not null default false,
    first_observed timestamptz not null,
    last_confirmed timestamptz not null,
    valid_from     timestamptz not null,
    valid_to       timestamptz,
    superseded_by  uuid,
    removed_at     timestamptz,
    source         text not null,
    agent_id       text,
    extracted_by   text not null,
    recorded_at    timestamptz not null,
    version        integer not null default 1,
    constraint relational_memory_pkey primary key (bank_id, memory_id),
    constraint relational_memory_bank_fkey foreign key (bank_id) references memory.bank (bank_id),
    constraint relational_memory_kind_check check (
        kind in ('communication_style', 'preference', 'instruction', 'sensitivity', 'relationship_phase')),
    constraint relational_memory_status_check check (status in ('tentative', 'stable', 'deprecated')),
    constraint relational_memory_confidence_check check (confidence between 0 and 1),
    constraint relational_memory_level_check check (level between 0 and 1)
);
create unique index relational_memory_slot_key on memory.relational_memory (bank_id, kind, slot)
    where valid_to is null and status <> 'deprecated';

create table memory.relational_evidence (
    bank_id     text collate "C" not null,
    norm_id     uuid not null,
    episode_id  uuid not null,
    stated      boolean not null,
    occurred_at timestamptz not null,
    recorded_at timestamptz not null,
    constraint relational_evidence_pkey primary key (bank_id, norm_id, episode_id),
    constraint relational_evidence_norm_fkey foreign key (bank_id, norm_id)
        references memory.relational_memory (bank_id, memory_id) on delete cascade
);
create index relational_evidence_episode_idx on memory.relational_evidence (bank_id, episode_id);

create table memory.relational_version (
    bank_id        text collate "C" not null,
    norm_id        uuid not null,
    version        integer not null,
    situation      text not null,
    norm           text not null,
    level          double precision,
    confidence     double precision not null,
    evidence_count integer not null,
    status         text not null,
    pinned         boolean not null,
    valid_from     timestamptz not null,
    valid_to       timestamptz,
    superseded_by  uuid,
    reason         text not null,
    actor          text not null,
    at             timestamptz not null,
    constraint relational_version_pkey primary key (bank_id, norm_id, version),
    constraint relational_version_norm_fkey foreign key (bank_id, norm_id)
        references memory.relational_memory (bank_id, memory_id) on delete cascade
);

-- Part 0 is the norm, part 1 its situation. Apart from memory_vector, whose rows every recall searches.
create table memory.relational_vector (
    bank_id   text collate "C" not null,
    norm_id   uuid not null,
    model_id  text collate "C" not null,
    part      smallint not null,
    embedding public.halfvec(768) not null,
    constraint relational_vector_pkey primary key (bank_id, model_id, norm_id, part),
    constraint relational_vector_norm_fkey foreign key (bank_id, norm_id)
        references memory.relational_memory (bank_id, memory_id) on delete cascade
);

-- The course of the relationship: the counts that phase, style and sensitivity are derived from.
create table memory.relationship (
    bank_id      text collate "C" not null,
    exchanges    integer not null default 0,
    days         integer not null default 0,
    first_at     timestamptz,
    last_at      timestamptz,
    disclosures  integer not null default 0,
    damages      timestamptz[] not null default '{}',
    observations jsonb not null default '{}',
    updated_at   timestamptz not null,
    constraint relationship_pkey primary key (bank_id),
    constraint relationship_bank_fkey foreign key (bank_id) references memory.bank (bank_id)
);

-- The queue's new kind: updates of relational memory, one row per bank.
alter table memory.work drop constraint work_kind_check;
alter table memory.work add constraint work_kind_check
    check (kind in ('segment', 'extract', 'annotate', 'embed', 'facts', 'judge', 'relational'));
"""

SECURED = (
    "relational_memory", "relational_evidence", "relational_version", "relational_vector", "relationship",
)  # fmt: skip


def upgrade() -> None:
    execute = op.get_bind().connection.driver_connection.execute
    execute(TABLES)
    secure_tables(execute, SECURED)
