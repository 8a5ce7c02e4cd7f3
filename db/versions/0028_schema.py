"""The tables of schema `memory`, as of migration 0028; migrations before it were folded into this one.

Every table with content has `bank_id` first in its keys and a row security policy with default deny: a transaction sees
the rows of the bank that it entered (memory_internal.enter_bank), and none without a bank. `work` and `upkeep` contain
ids only, have no row security, and are accessed through security definer functions.

The tables appear in the order of docs/design.md, section Tables; tests/db/tables.txt lists their columns.
"""

from alembic import op

revision = "0028"
down_revision = None
branch_labels = None
depends_on = None

BANKS = """
create table memory.installation (
    only_row     boolean not null default true,
    api_version  integer not null,
    release      text not null,
    digest       text not null,
    migrated_at  timestamptz not null,
    constraint installation_pkey primary key (only_row),
    constraint installation_only_row_check check (only_row)
);

-- Thresholds are cosines, chosen by `calibrate`. unrelated_mean and unrelated_spread: mean and deviation of the cosines
-- of unrelated texts, 0.05 and 0.1 for the built-in model, 0.77 and 0.03 for multilingual-e5-small; null: the former.
create table memory.embedding_model (
    name                 text collate "C" not null,
    dimensions           integer not null,
    duplicate_threshold  double precision not null,
    conflict_threshold   double precision not null,
    evidence_threshold   double precision not null,
    thresholds_source    text not null,
    calibration          jsonb not null default '{}',
    unrelated_mean       double precision,
    unrelated_spread     double precision,
    constraint embedding_model_pkey primary key (name),
    constraint embedding_model_dimensions_check check (dimensions between 1 and 768),
    constraint embedding_model_thresholds_check check (
        duplicate_threshold > 0 and duplicate_threshold <= 1 and conflict_threshold > 0 and conflict_threshold <= 1
        and evidence_threshold > 0 and evidence_threshold <= 1),
    constraint embedding_model_scale_check check (
        (unrelated_mean is null) = (unrelated_spread is null) and unrelated_mean >= -1 and unrelated_mean <= 1
        and unrelated_spread > 0 and unrelated_spread <= 1)
);

create table memory.bank (
    bank_id          text collate "C" not null,
    settings         jsonb not null default '{}',
    embedding_model  text collate "C" not null,
    created_at       timestamptz not null default now(),
    updated_at       timestamptz not null default now(),
    constraint bank_pkey primary key (bank_id),
    constraint bank_bank_id_check check (bank_id ~ '^[A-Za-z0-9][A-Za-z0-9_.:@-]{0,127}$'),
    constraint bank_embedding_model_fkey foreign key (embedding_model) references memory.embedding_model (name)
);
"""

MESSAGES = """
-- segmented_through: position of the last message that belongs to a segment.
create table memory.conversation (
    bank_id            text collate "C" not null,
    conversation_id    text collate "C" not null,
    agent_id           text,
    created_at         timestamptz not null default now(),
    segmented_through  bigint not null default 0,
    import_ended_at    timestamptz,
    constraint conversation_pkey primary key (bank_id, conversation_id),
    constraint conversation_bank_fkey foreign key (bank_id) references memory.bank (bank_id)
);

-- Enumerated types, not check constraints: a check is parsed again for each INSERT (5 microseconds, measured), and a
-- caller waits for the insert of a message.
create type memory.message_role as enum ('user', 'assistant', 'system', 'tool');
create type memory.message_status as enum ('pending', 'stored', 'refused', 'failed');

-- No foreign key to the bank: its check would lock the bank's row for each message. add_message reads the bank instead.
-- position is assigned by add_message, per conversation: a sequence would restart when a bank moves to another server.
create table memory.message (
    bank_id          text collate "C" not null,
    message_id       uuid not null,
    conversation_id  text collate "C" not null,
    client_id        text collate "C",
    position         bigint not null,
    role             memory.message_role not null,
    name             text,
    agent_id         text,
    content          text not null,
    metadata         jsonb not null default '{}',
    occurred_at      timestamptz not null,
    recorded_at      timestamptz not null,
    segment_id       uuid,
    status           memory.message_status not null default 'pending',
    memory_id        uuid,
    decided_at       timestamptz,
    expired_at       timestamptz,
    constraint message_pkey primary key (bank_id, conversation_id, position)
);
-- Few indexes, because inserting a message writes them. A message enters message_segment_idx when it is segmented and
-- message_unexpired_idx when it is decided.
create unique index message_client_id_key on memory.message (bank_id, conversation_id, client_id)
    where client_id is not null;
create index message_segment_idx on memory.message (bank_id, segment_id) where segment_id is not null;
-- For expire_messages.
create index message_unexpired_idx on memory.message (bank_id, recorded_at)
    where expired_at is null and status in ('stored', 'refused');
-- For bank_stats: counting 100,000 pending messages took 210 to 250 ms without it, of an empty bank 70 to 110.
create index message_status_idx on memory.message (bank_id, status, recorded_at);
"""

EPISODES = """
-- fingerprint: hash of content words, numbers and negation, filled when the episode becomes active; null in banks that
-- merge no duplicates. clustered_at: when clustering first processed the episode. cluster_id is committed before the
-- cluster is processed, so that a repeated run uses the same clusters. summarizes: 'cluster' for the summary of a
-- cluster, 'similar' for one that replaces nearly equal episodes. restored_at: restored from a summary, not compressed
-- again. reply: extract of the assistant's reply.
create table memory.episodic_memory (
    bank_id              text collate "C" not null,
    memory_id            uuid not null,
    segment_id           uuid,
    idempotency_key      text collate "C",
    conversation_id      text collate "C",
    agent_id             text,
    source               text not null,
    status               text not null,
    occurred_at          timestamptz not null,
    recorded_at          timestamptz not null,
    full_text            jsonb not null,
    summary              text not null,
    importance           double precision not null,
    importance_features  jsonb not null default '{}',
    emotional_valence    double precision,
    emotions             text[] not null default '{}',
    lesson               text,
    topics               text[] not null default '{}',
    entities             text[] not null default '{}',
    tags                 text[] not null default '{}',
    recipients           text[] not null default '{}',
    metadata             jsonb not null default '{}',
    candidate_facts      jsonb not null default '[]',
    given                jsonb not null default '{}',
    extracted_by         text,
    landmark             boolean not null default false,
    represents           integer not null default 1,
    merged_into_id       uuid,
    consolidated_at      timestamptz,
    access_count         integer not null default 0,
    last_accessed_at     timestamptz,
    released_at          timestamptz,
    fingerprint          bigint,
    cluster_id           uuid,
    clustered_at         timestamptz,
    summarizes           text collate "C",
    restored_at          timestamptz,
    reply                text,
    constraint episodic_memory_pkey primary key (bank_id, memory_id),
    constraint episodic_memory_segment_key unique (bank_id, segment_id),
    constraint episodic_memory_idempotency_key unique (bank_id, idempotency_key),
    constraint episodic_memory_bank_fkey foreign key (bank_id) references memory.bank (bank_id),
    constraint episodic_memory_status_check check (status in
        ('pending_embedding', 'active', 'archived', 'deprecated', 'merged_into', 'quarantined', 'failed')),
    constraint episodic_memory_source_check check (source in ('user', 'assistant', 'agent', 'tool', 'import')),
    constraint episodic_memory_importance_check check (importance between 0 and 1),
    constraint episodic_memory_valence_check check (emotional_valence between -1 and 1),
    constraint episodic_memory_summarizes_check check (summarizes in ('cluster', 'similar'))
) with (fillfactor = 85);
create index episodic_memory_newest_idx on memory.episodic_memory (bank_id, occurred_at desc, memory_id desc);
create index episodic_memory_importance_idx
    on memory.episodic_memory (bank_id, importance desc, occurred_at desc, memory_id desc);
-- The neighbours of a memory in its conversation.
create index episodic_memory_conversation_idx
    on memory.episodic_memory (bank_id, conversation_id, occurred_at, memory_id)
    where status in ('active', 'archived');
-- Both predicates name the key, so that the planner does not choose these for other queries about active episodes.
create index episodic_memory_fingerprint_idx on memory.episodic_memory (bank_id, fingerprint)
    where status = 'active' and fingerprint is not null;
create index episodic_memory_no_fingerprint_idx on memory.episodic_memory (bank_id)
    where status = 'active' and fingerprint is null;
-- Filters that few episodes of a large bank pass; episodes without tags, recipients or agent are not in them.
create index episodic_memory_tags_idx on memory.episodic_memory using gin (tags) where tags <> '{}';
create index episodic_memory_recipients_idx on memory.episodic_memory using gin (recipients) where recipients <> '{}';
create index episodic_memory_agent_idx on memory.episodic_memory (bank_id, agent_id) where agent_id is not null;
create index episodic_memory_unconsolidated_idx on memory.episodic_memory (bank_id, occurred_at)
    where consolidated_at is null and status in ('active', 'archived');
create index episodic_memory_cluster_idx on memory.episodic_memory (bank_id, cluster_id)
    where cluster_id is not null and status = 'active';

create table memory.memory_event (
    bank_id      text collate "C" not null,
    event_id     bigint not null generated always as identity,
    memory_id    uuid not null,
    memory_type  text not null,
    event        text not null,
    from_status  text,
    to_status    text,
    reason       text not null,
    actor        text not null,
    at           timestamptz not null,
    detail       jsonb not null default '{}',
    constraint memory_event_pkey primary key (bank_id, event_id),
    constraint memory_event_bank_fkey foreign key (bank_id) references memory.bank (bank_id)
);
create index memory_event_memory_idx on memory.memory_event (bank_id, memory_id, event_id);

create table memory.memory_link (
    bank_id    text collate "C" not null,
    memory_id  uuid not null,
    linked_id  uuid not null,
    reason     text not null,
    strength   double precision not null,
    linked_at  timestamptz not null,
    constraint memory_link_pkey primary key (bank_id, memory_id, linked_id),
    constraint memory_link_bank_fkey foreign key (bank_id) references memory.bank (bank_id),
    constraint memory_link_reason_check check (reason in ('entity', 'similarity', 'summary')),
    constraint memory_link_other_check check (memory_id <> linked_id)
);
create index memory_link_linked_idx on memory.memory_link (bank_id, linked_id);

-- Names in lower case, of active episodes.
create table memory.memory_entity (
    bank_id    text collate "C" not null,
    entity     text collate "C" not null,
    memory_id  uuid not null,
    constraint memory_entity_pkey primary key (bank_id, entity, memory_id),
    constraint memory_entity_bank_fkey foreign key (bank_id) references memory.bank (bank_id)
);

create table memory.gate_decision (
    bank_id          text collate "C" not null,
    decision_id      uuid not null,
    conversation_id  text collate "C",
    segment_id       uuid,
    memory_id        uuid,
    message_ids      uuid[] not null default '{}',
    outcome          text not null,
    reason           text not null,
    verdicts         jsonb not null,
    decided_by       text not null,
    decided_at       timestamptz not null,
    constraint gate_decision_pkey primary key (bank_id, decision_id),
    constraint gate_decision_segment_key unique (bank_id, segment_id),
    constraint gate_decision_bank_fkey foreign key (bank_id) references memory.bank (bank_id),
    constraint gate_decision_outcome_check check (outcome in ('stored', 'refused', 'quarantined', 'failed'))
);
create index gate_decision_newest_idx on memory.gate_decision (bank_id, decided_at desc, decision_id desc);
"""

FACTS = """
-- Confidence, times and status are computed from fact_evidence, fact_judgement and fact_conflict whenever one of them
-- changes (memory_internal.rebuild_timeline). dropped_at: deprecated above the cap. faded_at: transaction time at which
-- the confidence had decayed too far. Both are null again when new evidence raises the fact.
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
    fingerprint       bigint not null,
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
    dropped_at        timestamptz,
    faded_at          timestamptz,
    contradicted_at   timestamptz,
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
    constraint semantic_memory_retracted_check check (retracted_at is null or status in ('deprecated', 'merged_into')),
    constraint semantic_memory_dropped_check check (dropped_at is null or status in ('deprecated', 'merged_into'))
) with (fillfactor = 85);
create index semantic_memory_newest_idx on memory.semantic_memory (bank_id, occurred_at desc, memory_id desc);
create index semantic_memory_importance_idx
    on memory.semantic_memory (bank_id, importance desc, occurred_at desc, memory_id desc);
create index semantic_memory_timeline_idx on memory.semantic_memory (bank_id, timeline);
create index semantic_memory_fingerprint_idx on memory.semantic_memory (bank_id, fingerprint);
-- Whether a bank has superseded facts at all.
create index semantic_memory_ended_idx on memory.semantic_memory (bank_id) where valid_to is not null;

-- An episode that states a fact (holds), or its end. stated: the fact was committed, or the episode asserts it as such.
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

create table memory.fact_judgement (
    bank_id       text collate "C" not null,
    judgement_id  bigint not null generated always as identity,
    fact_id       uuid not null,
    judgement     text collate "C" not null,
    occurred_at   timestamptz not null,
    recorded_at   timestamptz not null,
    actor         text not null,
    constraint fact_judgement_pkey primary key (bank_id, judgement_id),
    constraint fact_judgement_judgement_check check
        (judgement in ('committed', 'confirmed', 'disputed', 'retracted', 'pinned', 'unpinned', 'ended')),
    constraint fact_judgement_fact_fkey foreign key (bank_id, fact_id)
        references memory.semantic_memory (bank_id, memory_id) deferrable
);
create index fact_judgement_fact_idx on memory.fact_judgement (bank_id, fact_id);

-- at: transaction time.
create table memory.fact_version (
    bank_id          text collate "C" not null,
    fact_id          uuid not null,
    version          integer not null,
    fact             text not null,
    status           text collate "C" not null,
    confidence       double precision not null,
    importance       double precision not null,
    evidence_count   integer not null,
    first_observed   timestamptz not null,
    last_confirmed   timestamptz not null,
    valid_from       timestamptz not null,
    valid_to         timestamptz,
    superseded_by    uuid,
    merged_into_id   uuid,
    pinned           boolean not null,
    retracted_at     timestamptz,
    reason           text not null,
    actor            text not null,
    at               timestamptz not null,
    contradicted_at  timestamptz,
    constraint fact_version_pkey primary key (bank_id, fact_id, version),
    constraint fact_version_fact_fkey foreign key (bank_id, fact_id)
        references memory.semantic_memory (bank_id, memory_id) deferrable
);
"""

CONFLICTS = """
-- One row per pair, the smaller id first. Their periods say which of the two is the older.
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

-- Decisions of pair judging, the smaller id first. `successor`: the older fact ends where the newer begins.
create table memory.fact_pair (
    bank_id     text collate "C" not null,
    one_id      uuid not null,
    other_id    uuid not null,
    similarity  double precision not null,
    decision    text collate "C" not null,
    judged_by   text not null,
    judged_at   timestamptz not null,
    constraint fact_pair_pkey primary key (bank_id, one_id, other_id),
    constraint fact_pair_order_check check (one_id < other_id),
    constraint fact_pair_decision_check check (decision in ('same', 'compatible', 'successor', 'conflict')),
    constraint fact_pair_one_fkey foreign key (bank_id, one_id)
        references memory.semantic_memory (bank_id, memory_id) deferrable,
    constraint fact_pair_other_fkey foreign key (bank_id, other_id)
        references memory.semantic_memory (bank_id, memory_id) deferrable
);
create index fact_pair_other_idx on memory.fact_pair (bank_id, other_id);

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

-- Doubtful facts, and facts of a clarification, that a context showed in a conversation: the user's next message may
-- confirm them. Kept for a day.
create table memory.fact_mention (
    bank_id           text collate "C" not null,
    conversation_id   text collate "C" not null,
    at                timestamptz not null,
    fact_id           uuid not null,
    constraint fact_mention_pkey primary key (bank_id, conversation_id, at, fact_id),
    constraint fact_mention_fact_fkey foreign key (bank_id, fact_id)
        references memory.semantic_memory (bank_id, memory_id) deferrable
);
"""

MERGES = """
-- What moved from the loser to the winner, for unmerge_fact.
create table memory.fact_merge (
    bank_id          text collate "C" not null,
    merge_id         bigint not null generated always as identity,
    loser_id         uuid not null,
    winner_id        uuid not null,
    reason           text not null,
    actor            text not null,
    recorded_at      timestamptz not null,
    episodes         uuid[] not null default '{}',
    stated_episodes  uuid[] not null default '{}',
    judgements       bigint[] not null default '{}',
    tags             text[] not null default '{}',
    recipients       text[] not null default '{}',
    winner_before    jsonb,
    undone_at        timestamptz,
    undone_by        text,
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

-- A model's decision whether two wordings have the same meaning, the smaller id first; valid for these texts only.
create table memory.merge_decision (
    bank_id      text collate "C" not null,
    one_id       uuid not null,
    other_id     uuid not null,
    texts_hash   text collate "C" not null,
    same         boolean not null,
    decided_by   text not null,
    recorded_at  timestamptz not null,
    constraint merge_decision_pkey primary key (bank_id, one_id, other_id),
    constraint merge_decision_order_check check (one_id < other_id),
    constraint merge_decision_one_fkey foreign key (bank_id, one_id)
        references memory.semantic_memory (bank_id, memory_id) deferrable,
    constraint merge_decision_other_fkey foreign key (bank_id, other_id)
        references memory.semantic_memory (bank_id, memory_id) deferrable
);
create index merge_decision_other_idx on memory.merge_decision (bank_id, other_id);
"""

# Narrow tables: Postgres stores a vector of a wide row out of line and fetches it again for each comparison, hence also
# the storage `plain`. Partitions have row security of their own and no grants: they are accessed through their parent.
VECTORS = """
create table memory.memory_vector (
    bank_id    text collate "C" not null,
    memory_id  uuid not null,
    model_id   text collate "C" not null,
    part       smallint not null default 0,
    tier       text collate "C" not null,
    embedding  public.halfvec(768) not null,
    constraint memory_vector_pkey primary key (bank_id, model_id, memory_id, part),
    constraint memory_vector_tier_check check (tier in ('episodic', 'semantic', 'procedural'))
) partition by hash (bank_id);
-- A bank has many more episodes than facts: finding similar facts among 500 facts and 6,000 episodes read 2,600 pages
-- without this index, 500 with it.
create index memory_vector_facts_idx on memory.memory_vector (bank_id, model_id, memory_id) where tier = 'semantic';

-- Large banks (above about 20,000 vectors) and the state of their HNSW index.
create table memory.vector_index (
    bank_id         text collate "C" not null,
    model_id        text collate "C" not null,
    state           text collate "C" not null default 'building',
    copied_through  uuid,
    started_at      timestamptz not null default now(),
    ready_at        timestamptz,
    constraint vector_index_pkey primary key (bank_id, model_id),
    constraint vector_index_bank_fkey foreign key (bank_id) references memory.bank on delete cascade,
    constraint vector_index_state_check check (state in ('building', 'ready', 'removing'))
);

-- Copies of the vectors of those banks. An insert into HNSW takes 3 to 5 ms, so small banks are searched exactly.
create table memory.indexed_vector (
    bank_id    text collate "C" not null,
    memory_id  uuid not null,
    model_id   text collate "C" not null,
    part       smallint not null default 0,
    embedding  public.halfvec(768) not null,
    constraint indexed_vector_pkey primary key (bank_id, model_id, memory_id, part)
) partition by hash (bank_id);
create index indexed_vector_embedding_idx on memory.indexed_vector using hnsw (embedding public.halfvec_cosine_ops);
"""

TEXT = """
-- search: the memory's own words and one lexeme that names the bank (memory_internal.bank_lexeme), so that one GIN
-- probe finds a word within a bank without btree_gin. neighbour_words: those of the neighbouring memories, in no index,
-- so that a new neighbour costs a HOT update only. mentions: bit mask of the kinds of things that the memory mentions.
create table memory.memory_text (
    bank_id          text collate "C" not null,
    memory_id        uuid not null,
    tier             text collate "C" not null,
    search           tsvector not null,
    neighbour_words  tsvector not null default '',
    is_question      boolean not null default false,
    speakers         text[] not null default '{}',
    before_id        uuid,
    after_id         uuid,
    question_id      uuid,
    mentions         smallint not null default 0,
    constraint memory_text_pkey primary key (bank_id, memory_id),
    constraint memory_text_tier_check check (tier in ('episodic', 'semantic', 'procedural'))
) partition by hash (bank_id);
-- No pending list: every recall would read it.
create index memory_text_search_idx on memory.memory_text using gin (search) with (fastupdate = off);

-- How many memories of a bank contain a word; the bank's lexeme counts all. Counting in the index took a sixth of a
-- recall for each word of the query, in a bank of 1,000.
create table memory.word_count (
    bank_id   text collate "C" not null,
    word      text collate "C" not null,
    memories  integer not null,
    constraint word_count_pkey primary key (bank_id, word)
) with (fillfactor = 70);
-- For similar_words: words with the same ending as a misspelt one.
create index word_count_reverse_idx on memory.word_count (bank_id, reverse(word));

-- The words of the speakers' names, in lower case.
create table memory.person (
    bank_id  text collate "C" not null,
    name     text collate "C" not null,
    constraint person_pkey primary key (bank_id, name),
    constraint person_bank_fkey foreign key (bank_id) references memory.bank (bank_id)
);
"""

# Ids only, without foreign keys. not_before is the time from which a row may be claimed; a claim moves it to the end of
# the lease, so that an expired lease needs no cleanup and a claim needs one range condition.
QUEUE = """
-- alone: claimed as a batch of one, because an earlier claim failed or crashed. A column, because the planner does not
-- match an index to an expression of attempts and last_error.
create table memory.work (
    bank_id             text collate "C" not null,
    kind                text collate "C" not null,
    subject             text collate "C" not null,
    lane                smallint not null default 0,
    generation          bigint not null default 1,
    not_before          timestamptz not null,
    lease_token         uuid,
    claimed_generation  bigint,
    attempts            integer not null default 0,
    enqueued_at         timestamptz not null,
    last_error          text,
    dead_at             timestamptz,
    alone               boolean not null default false,
    constraint work_pkey primary key (bank_id, kind, subject),
    constraint work_kind_check check (kind in ('segment', 'extract', 'annotate', 'embed', 'facts', 'judge')),
    constraint work_lane_check check (lane in (0, 1))
) with (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
create index work_ready_idx on memory.work (kind, lane, alone, bank_id, not_before) where dead_at is null;
create index work_newest_idx on memory.work (kind, lane, alone, not_before) where dead_at is null;
create index work_leased_idx on memory.work (bank_id, kind) where lease_token is not null;
create index work_dead_idx on memory.work (dead_at, bank_id, kind, subject) where dead_at is not null;

-- due_at is compared with the time of the nightly run (--as-of): -infinity after a change of the bank, infinity if
-- nothing is due. not_before is compared with the server's clock: the end of a lease, or of the delay after a failure.
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

-- The state in which a pass last processed a memory; a row of `consolidate` counts attempts without an answer.
create table memory.watermark (
    bank_id    text collate "C" not null,
    pass       text collate "C" not null,
    memory_id  uuid not null,
    state      text collate "C" not null,
    constraint watermark_pkey primary key (bank_id, pass, memory_id),
    constraint watermark_pass_check check (pass in ('merge', 'evidence', 'conflict', 'doubt', 'consolidate'))
);
"""

TRACES = """
-- query and parameters expire earlier than the row (expire_traces). candidates is json, stored uncompressed: traces are
-- written far more often than read, and as compressed jsonb they took most of the time of a write.
create table memory.retrieval_trace (
    bank_id          text collate "C" not null,
    trace_id         uuid not null,
    kind             text not null,
    query            text,
    profile          text not null,
    mode             text not null,
    embedding_model  text collate "C",
    candidates       json not null,
    returned         integer not null,
    degraded         boolean not null,
    figures          jsonb not null default '{}',
    at               timestamptz not null,
    parameters       jsonb not null default '{}',
    weights          jsonb not null default '{}',
    as_of            timestamptz,
    constraint retrieval_trace_pkey primary key (bank_id, trace_id),
    constraint retrieval_trace_bank_fkey foreign key (bank_id) references memory.bank (bank_id),
    constraint retrieval_trace_kind_check check (kind in ('recall', 'context', 'compact'))
);
alter table memory.retrieval_trace alter column candidates set storage external;
create index retrieval_trace_newest_idx on memory.retrieval_trace (bank_id, at desc);
create index retrieval_trace_query_idx on memory.retrieval_trace (bank_id, at) where query is not null;

create table memory.model_call (
    bank_id        text collate "C" not null,
    call_id        bigint not null generated always as identity,
    model          text not null,
    purpose        text not null,
    items          integer not null,
    input_tokens   integer not null,
    output_tokens  integer not null,
    seconds        double precision not null,
    outcome        text not null,
    at             timestamptz not null,
    constraint model_call_pkey primary key (bank_id, call_id),
    constraint model_call_bank_fkey foreign key (bank_id) references memory.bank (bank_id)
);
create index model_call_newest_idx on memory.model_call (bank_id, at);
"""

PARTITIONS = 16

SECURED = (
    "bank",
    "conversation",
    "message",
    "episodic_memory",
    "memory_event",
    "memory_link",
    "memory_entity",
    "gate_decision",
    "semantic_memory",
    "fact_evidence",
    "fact_judgement",
    "fact_version",
    "fact_conflict",
    "fact_pair",
    "clarification",
    "fact_mention",
    "fact_merge",
    "merge_decision",
    "memory_vector",
    "vector_index",
    "indexed_vector",
    "memory_text",
    "word_count",
    "person",
    "watermark",
    "retrieval_trace",
    "model_call",
)

# Thresholds of the built-in model were chosen by `memory-service calibrate` on 10,778 pairs of question and news
# paraphrases, captions, inference pairs and facts of one person; `calibration` has its table. The duplicate threshold
# has the highest lower bound of the precision on 8,576 pairs of questions and news: 0.97 accepts 210 pairs with a
# precision of 0.962 (0.929 in the worst of 60 halves), 0.96 accepts 242 with 0.955 (0.922).
MODELS = """
insert into memory.embedding_model
    (name, dimensions, duplicate_threshold, conflict_threshold, evidence_threshold, thresholds_source, calibration)
values
    ('gemini-embedding-2', 768, 0.92, 0.85, 0.75, 'seeds', '{}'),
    ('gemini-embedding-001', 768, 0.92, 0.85, 0.75, 'seeds', '{}'),
    ('all-MiniLM-L6-v2', 384, 0.97, 0.395, 0.73, 'calibrated', $calibration$
{
  "at": "2026-11-22T00:00:00+00:00",
  "pairs": {"same": 3025, "supports": 1538, "contradicts": 1344, "different": 4871},
  "mismatched": {"same": 2697, "supports": 1519, "contradicts": 1342, "different": 4848},
  "precision": 0.95, "evidence_precision": 0.8, "conflict_recall": 0.9,
  "columns": ["threshold", "taken", "right", "precision", "recall"],
  "duplicate": {
    "chosen": 0.97, "note": "of all thresholds the one with the highest lower bound of the precision",
    "rows": [
      [0.9, 343, 317, 0.9242, 0.1048],
      [0.92, 334, 312, 0.9341, 0.1031],
      [0.93, 328, 307, 0.936, 0.1015],
      [0.94, 315, 297, 0.9429, 0.0982],
      [0.95, 302, 287, 0.9503, 0.0949],
      [0.96, 281, 270, 0.9609, 0.0893],
      [0.97, 261, 251, 0.9617, 0.083],
      [0.98, 209, 203, 0.9713, 0.0671],
      [0.99, 121, 118, 0.9752, 0.039]
    ],
    "without_guard": [
      [0.9, 1859, 1415, 0.7612, 0.4678],
      [0.95, 853, 722, 0.8464, 0.2387],
      [0.96, 651, 567, 0.871, 0.1874],
      [0.97, 482, 436, 0.9046, 0.1441],
      [0.98, 307, 286, 0.9316, 0.0945],
      [0.99, 141, 134, 0.9504, 0.0443]
    ]
  },
  "evidence": {
    "chosen": 0.73, "note": null,
    "rows": [
      [0.6, 3330, 2448, 0.7351, 0.5365],
      [0.65, 3137, 2379, 0.7584, 0.5214],
      [0.7, 2915, 2298, 0.7883, 0.5036],
      [0.71, 2856, 2265, 0.7931, 0.4964],
      [0.72, 2821, 2246, 0.7962, 0.4922],
      [0.73, 2770, 2225, 0.8032, 0.4876],
      [0.74, 2706, 2191, 0.8097, 0.4802],
      [0.75, 2647, 2159, 0.8156, 0.4732],
      [0.8, 2310, 1969, 0.8524, 0.4315],
      [0.85, 1862, 1638, 0.8797, 0.359],
      [0.9, 1311, 1204, 0.9184, 0.2639],
      [0.95, 659, 622, 0.9439, 0.1363]
    ]
  },
  "conflict": {
    "chosen": 0.395, "note": null,
    "rows": [
      [0.3, 9249, 1283, 0.1387, 0.9546],
      [0.35, 8965, 1260, 0.1405, 0.9375],
      [0.38, 8771, 1230, 0.1402, 0.9152],
      [0.39, 8696, 1214, 0.1396, 0.9033],
      [0.395, 8672, 1210, 0.1395, 0.9003],
      [0.4, 8643, 1207, 0.1397, 0.8981],
      [0.41, 8585, 1198, 0.1395, 0.8914],
      [0.42, 8521, 1192, 0.1399, 0.8869],
      [0.45, 8301, 1151, 0.1387, 0.8564],
      [0.5, 7886, 1094, 0.1387, 0.814],
      [0.55, 7432, 1013, 0.1363, 0.7537],
      [0.6, 6918, 917, 0.1326, 0.6823],
      [0.65, 6319, 805, 0.1274, 0.599],
      [0.7, 5637, 673, 0.1194, 0.5007],
      [0.75, 4850, 524, 0.108, 0.3899],
      [0.8, 3928, 356, 0.0906, 0.2649],
      [0.85, 2928, 175, 0.0598, 0.1302]
    ]
  }
}
$calibration$);
"""


def upgrade() -> None:
    # The driver's own cursor: SQLAlchemy would read :name in literals as a bind parameter.
    execute = op.get_bind().connection.driver_connection.execute
    for tables in (BANKS, MESSAGES, EPISODES, FACTS, CONFLICTS, MERGES, VECTORS, TEXT, QUEUE, TRACES):
        execute(tables)
    create_partitions(execute, "memory_vector", vectors=True)
    create_partitions(execute, "indexed_vector", vectors=True)
    create_partitions(execute, "memory_text", options="with (fillfactor = 85)")
    for table in SECURED:
        create_policy(execute, table, "bank_id = nullif(current_setting('memory.bank_id', true), '')")
    create_policy(execute, "job_run", "bank_ids = array[nullif(current_setting('memory.bank_id', true), '')]")
    execute(MODELS)


def create_partitions(execute, table: str, options: str = "", *, vectors: bool = False) -> None:
    for number in range(PARTITIONS):
        partition = f"memory.{table}_{number:02}"
        execute(
            f"create table {partition} partition of memory.{table} "
            f"for values with (modulus {PARTITIONS}, remainder {number}) {options}"
        )
        execute(f"alter table {partition} enable row level security")
        if vectors:
            execute(f"alter table {partition} alter column embedding set storage plain")


def create_policy(execute, table: str, condition: str) -> None:
    execute(f"alter table memory.{table} enable row level security")
    execute(f"create policy {table}_of_named_bank on memory.{table} using ({condition})")
