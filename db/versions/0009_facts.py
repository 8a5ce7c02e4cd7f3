"""Facts: what is true for a time, its evidence, versions and conflicts, and the questions that these raise.

A fact is what its evidence says. Confidence, times and status of a row are worked out from fact_evidence,
fact_judgement and fact_conflict in the order in which things happened, whenever one of these changes; so what arrives
late ends in the same state as what arrived in order (memory_api.settle_facts). fact_version keeps each state that a
fact was in, by when it was known.
"""

from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

TABLES = """
create table memory.semantic_memory (
    bank_id           text collate "C" not null,
    memory_id         uuid not null,
    idempotency_key   text collate "C",
    fact              text not null,
    subject           text,
    attribute         text collate "C",
    value             text,
    cardinality       text collate "C" not null default 'many',
    timeline          text collate "C" not null,
    said_key          bigint not null,
    status            text collate "C" not null default 'tentative',
    confidence        double precision not null default 0,
    importance        double precision not null default 0.5,
    occurred_at       timestamptz not null,
    recorded_at       timestamptz not null,
    first_observed    timestamptz not null,
    last_confirmed    timestamptz not null,
    valid_from        timestamptz not null,
    valid_to          timestamptz,
    evidence_count    integer not null default 0,
    superseded_by     uuid,
    merged_into_id    uuid,
    pinned            boolean not null default false,
    retracted_at      timestamptz,
    source            text not null,
    agent_id          text,
    extracted_by      text,
    tags              text[] not null default '{}',
    recipients        text[] not null default '{}',
    metadata          jsonb not null default '{}',
    given             jsonb not null default '{}',
    access_count      integer not null default 0,
    last_accessed_at  timestamptz,
    constraint semantic_memory_pkey primary key (bank_id, memory_id),
    constraint semantic_memory_idempotency_key unique (bank_id, idempotency_key),
    constraint semantic_memory_bank_fkey foreign key (bank_id) references memory.bank (bank_id),
    constraint semantic_memory_status_check check (status in ('tentative', 'stable', 'deprecated', 'merged_into')),
    constraint semantic_memory_cardinality_check check (cardinality in ('one', 'fixed', 'many')),
    constraint semantic_memory_source_check check (source in ('user', 'agent', 'tool', 'import')),
    constraint semantic_memory_confidence_check check (confidence between 0 and 1),
    constraint semantic_memory_importance_check check (importance between 0 and 1),
    constraint semantic_memory_valid_check check (valid_to >= valid_from),
    constraint semantic_memory_superseded_check check (superseded_by is null or valid_to is not null),
    constraint semantic_memory_merged_check check ((status = 'merged_into') = (merged_into_id is not null)),
    constraint semantic_memory_retracted_check check (retracted_at is null or status in ('deprecated', 'merged_into'))
) with (fillfactor = 85);
create index semantic_memory_newest_idx on memory.semantic_memory (bank_id, occurred_at desc, memory_id desc);
create index semantic_memory_importance_idx
    on memory.semantic_memory (bank_id, importance desc, occurred_at desc, memory_id desc);
create index semantic_memory_timeline_idx on memory.semantic_memory (bank_id, timeline);
create index semantic_memory_said_key_idx on memory.semantic_memory (bank_id, said_key);

-- What an episode says of a fact: that it holds, or that it holds no longer.
create table memory.fact_evidence (
    bank_id      text collate "C" not null,
    fact_id      uuid not null,
    episode_id   uuid not null,
    holds        boolean not null default true,
    stated       boolean not null default false,
    importance   double precision not null,
    occurred_at  timestamptz not null,
    recorded_at  timestamptz not null,
    constraint fact_evidence_pkey primary key (bank_id, fact_id, episode_id),
    constraint fact_evidence_fact_fkey foreign key (bank_id, fact_id)
        references memory.semantic_memory (bank_id, memory_id) deferrable
);
create index fact_evidence_episode_idx on memory.fact_evidence (bank_id, episode_id);

-- What somebody says of a fact as such, through a door or in an answer.
create table memory.fact_judgement (
    bank_id      text collate "C" not null,
    judgement_id bigint not null generated always as identity,
    fact_id      uuid not null,
    verdict      text collate "C" not null,
    occurred_at  timestamptz not null,
    recorded_at  timestamptz not null,
    actor        text not null,
    constraint fact_judgement_pkey primary key (bank_id, judgement_id),
    constraint fact_judgement_verdict_check check
        (verdict in ('committed', 'confirmed', 'disputed', 'retracted', 'pinned', 'unpinned', 'ended')),
    constraint fact_judgement_fact_fkey foreign key (bank_id, fact_id)
        references memory.semantic_memory (bank_id, memory_id) deferrable
);
create index fact_judgement_fact_idx on memory.fact_judgement (bank_id, fact_id);

create table memory.fact_version (
    bank_id         text collate "C" not null,
    fact_id         uuid not null,
    version         integer not null,
    fact            text not null,
    status          text collate "C" not null,
    confidence      double precision not null,
    importance      double precision not null,
    evidence_count  integer not null,
    first_observed  timestamptz not null,
    last_confirmed  timestamptz not null,
    valid_from      timestamptz not null,
    valid_to        timestamptz,
    superseded_by   uuid,
    merged_into_id  uuid,
    pinned          boolean not null,
    retracted_at    timestamptz,
    reason          text not null,
    actor           text not null,
    at              timestamptz not null,
    constraint fact_version_pkey primary key (bank_id, fact_id, version),
    constraint fact_version_fact_fkey foreign key (bank_id, fact_id)
        references memory.semantic_memory (bank_id, memory_id) deferrable
);

-- One row per pair, the smaller id first; handled once. Which of the two is the older follows from their times.
create table memory.fact_conflict (
    bank_id      text collate "C" not null,
    one_id       uuid not null,
    other_id     uuid not null,
    rule         text collate "C" not null,
    handling     text collate "C" not null,
    found_by     text collate "C" not null,
    similarity   double precision,
    recorded_at  timestamptz not null,
    resolution   text collate "C",
    kept_id      uuid,
    resolved_at  timestamptz,
    resolved_by  text,
    constraint fact_conflict_pkey primary key (bank_id, one_id, other_id),
    constraint fact_conflict_order_check check (one_id < other_id),
    constraint fact_conflict_handling_check check (handling in ('newer_wins', 'both_halved')),
    constraint fact_conflict_resolution_check check (resolution in ('kept', 'both', 'void')),
    constraint fact_conflict_kept_check check ((resolution = 'kept') = (kept_id is not null)),
    constraint fact_conflict_resolved_check check ((resolution is null) = (resolved_at is null)),
    constraint fact_conflict_one_fkey foreign key (bank_id, one_id)
        references memory.semantic_memory (bank_id, memory_id) deferrable,
    constraint fact_conflict_other_fkey foreign key (bank_id, other_id)
        references memory.semantic_memory (bank_id, memory_id) deferrable
);
create index fact_conflict_other_idx on memory.fact_conflict (bank_id, other_id);

-- Pairs that could contradict each other and that no rule judges, each judged once by the language model named. A pair
-- that replaced one the other (`successor`): the older ends where the newer begins, as their times are found to be.
create table memory.fact_pair (
    bank_id     text collate "C" not null,
    one_id      uuid not null,
    other_id    uuid not null,
    similarity  double precision not null,
    verdict     text collate "C" not null,
    judged_by   text not null,
    judged_at   timestamptz not null,
    constraint fact_pair_pkey primary key (bank_id, one_id, other_id),
    constraint fact_pair_order_check check (one_id < other_id),
    constraint fact_pair_verdict_check check (verdict in ('same', 'compatible', 'successor', 'conflict')),
    constraint fact_pair_one_fkey foreign key (bank_id, one_id)
        references memory.semantic_memory (bank_id, memory_id) deferrable,
    constraint fact_pair_other_fkey foreign key (bank_id, other_id)
        references memory.semantic_memory (bank_id, memory_id) deferrable
);
create index fact_pair_other_idx on memory.fact_pair (bank_id, other_id);

-- A question for the user about a conflict that matters.
create table memory.clarification (
    bank_id           text collate "C" not null,
    clarification_id  uuid not null,
    one_id            uuid not null,
    other_id          uuid not null,
    question          text not null,
    importance        double precision not null,
    status            text collate "C" not null default 'open',
    created_at        timestamptz not null,
    offered_at        timestamptz,
    answered_at       timestamptz,
    kept_id           uuid,
    answer            text,
    actor             text,
    constraint clarification_pkey primary key (bank_id, clarification_id),
    constraint clarification_pair_key unique (bank_id, one_id, other_id),
    constraint clarification_status_check check (status in ('open', 'answered', 'void')),
    constraint clarification_conflict_fkey foreign key (bank_id, one_id, other_id)
        references memory.fact_conflict (bank_id, one_id, other_id) deferrable
);
create index clarification_open_idx on memory.clarification (bank_id, importance desc, created_at)
    where status = 'open';

-- Doubtful facts, and those of a question, that a context of a conversation brought up: what the user says next may
-- settle them. Of the last day's contexts, because the next one is asked for before the answer to this one is read.
create table memory.fact_mention (
    bank_id           text collate "C" not null,
    conversation_id   text collate "C" not null,
    at                timestamptz not null,
    fact_id           uuid not null,
    constraint fact_mention_pkey primary key (bank_id, conversation_id, at, fact_id),
    constraint fact_mention_fact_fkey foreign key (bank_id, fact_id)
        references memory.semantic_memory (bank_id, memory_id) deferrable
);

alter table memory.work drop constraint work_kind_check;
alter table memory.work add constraint work_kind_check
    check (kind in ('cut', 'extract', 'annotate', 'embed', 'facts', 'judge'));
"""

# They take other arguments or answer other columns now, which `create or replace` refuses.
GONE = """
-- Its columns are others now; the functions that answer it go with it and come again.
drop view if exists memory_api.memory_item cascade;
drop function if exists memory_api.recall_candidates(
    text, text, public.halfvec, text, text[], integer, integer, text[], text[], text[], double precision, timestamptz,
    timestamptz, text, text, boolean, timestamptz);
drop function if exists memory_api.candidate_figures(
    text, uuid[], text, public.halfvec, tsquery[], double precision[], text[], real[], boolean, timestamptz);
drop function if exists memory_api.salient_memories(text, integer, text[], uuid[], boolean, timestamptz);
drop function if exists memory_api.compaction_candidates(
    text, text, text, text[], integer, double precision, double precision, double precision, double precision,
    double precision, boolean, timestamptz);
drop function if exists memory_api.recent_memory(
    text, text, integer, integer, integer, boolean, timestamptz);
drop function if exists memory_api.list_memories(
    text, integer, timestamptz, uuid, text[], double precision, text[], timestamptz, timestamptz, text, text, boolean,
    double precision);
"""

SECURED = (
    "semantic_memory",
    "fact_evidence",
    "fact_judgement",
    "fact_version",
    "fact_conflict",
    "fact_pair",
    "clarification",
    "fact_mention",
)


def upgrade() -> None:
    execute = op.get_bind().connection.driver_connection.execute
    execute(TABLES)
    # Its columns change with what it counts: conflicts that were judged.
    execute("drop view if exists analytics.contradiction_frequency")
    for table in SECURED:
        execute(f"alter table memory.{table} enable row level security")
        execute(
            f"create policy {table}_of_named_bank on memory.{table} "
            "using (bank_id = nullif(current_setting('memory.bank_id', true), ''))"
        )
    execute(GONE)
    # What was remembered before states something, too. Behind what is new, as imports are.
    execute(
        "insert into memory.work (bank_id, kind, subject, lane, not_before, enqueued_at) "
        "select e.bank_id, 'facts', e.memory_id::text, 1, now(), now() "
        "from memory.episodic_memory e join memory.bank b on b.bank_id = e.bank_id "
        "where e.status in ('active', 'archived', 'merged_into') and e.candidate_facts <> '[]' "
        "and b.settings ->> 'intake' is distinct from 'verbatim' "
        "on conflict on constraint work_pkey do nothing"
    )
