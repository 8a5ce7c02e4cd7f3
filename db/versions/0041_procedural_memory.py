"""Procedural memory: habits, routines, patterns, skills and lessons, with evidence, outcomes and versions."""

from alembic import op

from memory_service.db.bank_policies import secure_tables

revision = "0041"
down_revision = "0040"
branch_labels = None
depends_on = None

TABLES = """
-- A procedure: what to do (`content`, `steps`), when (`situation`, empty: not known), and `why`. In force: active and
-- within valid_from and valid_to. `given` is the request of a commit, as of the other memory types; `words` are the
-- stems of content, situation and steps.
create table memory.procedural_memory (
    bank_id          text collate "C" not null,
    memory_id        uuid not null,
    kind             text not null,
    content          text not null,
    situation        text not null default '',
    steps            text[] not null default '{}',
    why              text,
    status           text not null,
    confidence       double precision not null,
    importance       double precision not null,
    evidence_count   integer not null default 0,
    worked           integer not null default 0,
    failed           integer not null default 0,
    pinned           boolean not null default false,
    occurred_at      timestamptz not null,
    recorded_at      timestamptz not null,
    valid_from       timestamptz not null,
    valid_to         timestamptz,
    replaces         uuid,
    superseded_by    uuid,
    merged_into_id   uuid,
    retracted_at     timestamptz,
    dropped_at       timestamptz,
    released_at      timestamptz,
    access_count     integer not null default 0,
    last_accessed_at timestamptz,
    tags             text[] not null default '{}',
    recipients       text[] not null default '{}',
    metadata         jsonb not null default '{}',
    source           text not null,
    agent_id         text,
    extracted_by     text,
    idempotency_key  text collate "C",
    given            jsonb not null default '{}',
    fingerprint      bigint not null,
    words            tsvector not null default '',
    version          integer not null default 0,
    constraint procedural_memory_pkey primary key (bank_id, memory_id),
    constraint procedural_memory_bank_fkey foreign key (bank_id) references memory.bank (bank_id),
    constraint procedural_memory_idempotency_key unique (bank_id, idempotency_key),
    constraint procedural_memory_kind_check check (kind in ('habit', 'routine', 'pattern', 'skill', 'lesson')),
    constraint procedural_memory_status_check check (
        status in ('pending_embedding', 'tentative', 'active', 'superseded', 'deprecated', 'merged_into',
                   'quarantined', 'failed')),
    constraint procedural_memory_confidence_check check (confidence between 0 and 1),
    constraint procedural_memory_importance_check check (importance between 0 and 1),
    constraint procedural_memory_outcomes_check check (worked >= 0 and failed >= 0)
);

create index procedural_memory_newest_idx on memory.procedural_memory (bank_id, occurred_at desc, memory_id desc);
create index procedural_memory_importance_idx
    on memory.procedural_memory (bank_id, importance desc, occurred_at desc, memory_id desc);

-- `evidence_id`: the episode that states or teaches the procedure, or the committed procedure (its own id, or that of
-- one merged into it).
create table memory.procedure_evidence (
    bank_id      text collate "C" not null,
    procedure_id uuid not null,
    evidence_id  uuid not null,
    stated       boolean not null,
    importance   double precision not null,
    occurred_at  timestamptz not null,
    recorded_at  timestamptz not null,
    constraint procedure_evidence_pkey primary key (bank_id, procedure_id, evidence_id),
    constraint procedure_evidence_procedure_fkey foreign key (bank_id, procedure_id)
        references memory.procedural_memory (bank_id, memory_id) on delete cascade
);
create index procedure_evidence_evidence_idx on memory.procedure_evidence (bank_id, evidence_id);

create table memory.procedure_version (
    bank_id        text collate "C" not null,
    procedure_id   uuid not null,
    version        integer not null,
    content        text not null,
    situation      text not null,
    steps          text[] not null,
    why            text,
    status         text not null,
    confidence     double precision not null,
    importance     double precision not null,
    evidence_count integer not null,
    worked         integer not null,
    failed         integer not null,
    pinned         boolean not null,
    valid_from     timestamptz not null,
    valid_to       timestamptz,
    superseded_by  uuid,
    reason         text not null,
    actor          text not null,
    at             timestamptz not null,
    constraint procedure_version_pkey primary key (bank_id, procedure_id, version),
    constraint procedure_version_procedure_fkey foreign key (bank_id, procedure_id)
        references memory.procedural_memory (bank_id, memory_id) on delete cascade
);

-- Part 0 is the content, part 1 the situation. Apart from memory_vector, whose rows every recall compares.
create table memory.procedural_vector (
    bank_id      text collate "C" not null,
    procedure_id uuid not null,
    model_id     text collate "C" not null,
    part         smallint not null,
    embedding    public.halfvec(768) not null,
    constraint procedural_vector_pkey primary key (bank_id, model_id, procedure_id, part),
    constraint procedural_vector_procedure_fkey foreign key (bank_id, procedure_id)
        references memory.procedural_memory (bank_id, memory_id) on delete cascade
);

-- The vector of an episode's lesson. `lesson_hash`: of the text that was embedded. `compared_at`: when the nightly run
-- compared it with the other lessons; null: not yet.
create table memory.lesson_vector (
    bank_id     text collate "C" not null,
    episode_id  uuid not null,
    model_id    text collate "C" not null,
    lesson_hash text not null,
    embedding   public.halfvec(768) not null,
    compared_at timestamptz,
    constraint lesson_vector_pkey primary key (bank_id, model_id, episode_id),
    constraint lesson_vector_episode_fkey foreign key (bank_id, episode_id)
        references memory.episodic_memory (bank_id, memory_id) on delete cascade
);

create index episodic_memory_lesson_idx on memory.episodic_memory (bank_id, memory_id)
    where lesson is not null and status in ('active', 'archived');

alter table memory.work drop constraint work_kind_check;
alter table memory.work add constraint work_kind_check
    check (kind in ('segment', 'extract', 'annotate', 'embed', 'facts', 'judge', 'relational', 'procedures'));
"""

SECURED = (
    "procedural_memory", "procedure_evidence", "procedure_version", "procedural_vector", "lesson_vector",
)  # fmt: skip


def upgrade() -> None:
    execute = op.get_bind().connection.driver_connection.execute
    execute(TABLES)
    secure_tables(execute, SECURED)
