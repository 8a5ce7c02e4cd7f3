"""The foundation: banks, conversations, episodes, their vectors, the work queue and the record of decisions.

Every table with content carries `bank_id` first in its keys and a row security policy (default deny):
a connection that names no bank sees nothing, a transaction that names one sees only that one.
`memory.work` holds ids only and is reached through definer functions alone.
"""

from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

TABLES = """
create table memory.installation (
    only_row     boolean not null default true,
    api_version  integer not null,
    release      text not null,
    digest       text not null,
    migrated_at  timestamptz not null,
    constraint installation_pkey primary key (only_row),
    constraint installation_only_row_check check (only_row)
);

create table memory.embedding_model (
    name                 text collate "C" not null,
    dimensions           integer not null,
    duplicate_threshold  double precision not null,
    conflict_threshold   double precision not null,
    evidence_threshold   double precision not null,
    thresholds_from      text not null,
    constraint embedding_model_pkey primary key (name),
    constraint embedding_model_dimensions_check check (dimensions between 1 and 768)
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

create table memory.conversation (
    bank_id          text collate "C" not null,
    conversation_id  text collate "C" not null,
    agent_id         text,
    created_at       timestamptz not null default now(),
    cut_through      bigint not null default 0,
    import_ended_at  timestamptz,
    constraint conversation_pkey primary key (bank_id, conversation_id),
    constraint conversation_bank_fkey foreign key (bank_id) references memory.bank (bank_id)
);

-- Enumerated types, not check constraints: a check is parsed anew for each INSERT (5 microseconds, measured), and
-- acknowledging is the one path that a person waits for.
create type memory.message_role as enum ('user', 'assistant', 'system', 'tool');
create type memory.message_status as enum ('pending', 'stored', 'refused', 'failed');

-- No foreign key to the bank: checking it would lock the bank's row for each message. add_message looks
-- the bank up instead; erasing a bank has to outwait the calls that were under way when its row went.
create table memory.message (
    bank_id          text collate "C" not null,
    message_id       uuid not null,
    conversation_id  text collate "C" not null,
    client_id        text collate "C",
    position         bigint not null generated always as identity,
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
-- Acknowledging writes every index of this table, so there are few: message_id is a UUID that nobody looks up
-- without its conversation, and a message without a client id is not in this one.
create unique index message_client_id_key on memory.message (bank_id, conversation_id, client_id)
    where client_id is not null;
create index message_segment_idx on memory.message (bank_id, segment_id) where segment_id is not null;

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
    constraint episodic_memory_pkey primary key (bank_id, memory_id),
    constraint episodic_memory_segment_key unique (bank_id, segment_id),
    constraint episodic_memory_idempotency_key unique (bank_id, idempotency_key),
    constraint episodic_memory_bank_fkey foreign key (bank_id) references memory.bank (bank_id),
    constraint episodic_memory_status_check check (status in
        ('pending_embedding', 'active', 'archived', 'deprecated', 'merged_into', 'quarantined', 'failed')),
    constraint episodic_memory_source_check check (source in ('user', 'agent', 'tool', 'import')),
    constraint episodic_memory_importance_check check (importance between 0 and 1),
    constraint episodic_memory_valence_check check (emotional_valence between -1 and 1)
) with (fillfactor = 85);
create index episodic_memory_newest_idx on memory.episodic_memory (bank_id, occurred_at desc, memory_id desc);
create index episodic_memory_conversation_idx on memory.episodic_memory (bank_id, conversation_id)
    where status in ('pending_embedding', 'active');

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
    constraint memory_event_pkey primary key (bank_id, event_id),
    constraint memory_event_bank_fkey foreign key (bank_id) references memory.bank (bank_id)
);
create index memory_event_memory_idx on memory.memory_event (bank_id, memory_id, event_id);

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

create table memory.retrieval_trace (
    bank_id          text collate "C" not null,
    trace_id         uuid not null,
    kind             text not null,
    query            text,
    profile          text not null,
    mode             text not null,
    embedding_model  text collate "C",
    candidates       jsonb not null,
    returned         integer not null,
    degraded         boolean not null,
    figures          jsonb not null default '{}',
    at               timestamptz not null,
    constraint retrieval_trace_pkey primary key (bank_id, trace_id),
    constraint retrieval_trace_bank_fkey foreign key (bank_id) references memory.bank (bank_id),
    constraint retrieval_trace_kind_check check (kind in ('recall', 'context'))
);
create index retrieval_trace_newest_idx on memory.retrieval_trace (bank_id, at desc);

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

# The queue. Ids only: no content, no row security, no foreign keys, so that it can stay local on a cluster.
# not_before is when a row may be claimed; a lease moves it to the lease's end, so an abandoned row is
# ready again by itself and the claim needs one range condition.
WORK = """
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
    constraint work_pkey primary key (bank_id, kind, subject),
    constraint work_kind_check check (kind in ('cut', 'extract', 'annotate', 'embed')),
    constraint work_lane_check check (lane in (0, 1))
) with (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
create index work_ready_idx on memory.work (kind, lane, bank_id, not_before) where dead_at is null;
create index work_leased_idx on memory.work (bank_id, kind) where lease_token is not null;
"""

# Narrow on purpose and partitioned by bank: a vector in a wide row is moved out of line and fetched again
# at each comparison. Partitions are not granted to anybody: they are reached through the parent only.
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
do $$
declare
    partition text;
begin
    for i in 0..15 loop
        partition := 'memory.memory_vector_' || lpad(i::text, 2, '0');
        execute format('create table %s partition of memory.memory_vector '
                       'for values with (modulus 16, remainder %s)', partition, i);
        execute format('alter table %s alter column embedding set storage plain', partition);
        execute format('alter table %s enable row level security', partition);
    end loop;
end $$;
"""

SECURED = (
    "bank",
    "conversation",
    "message",
    "episodic_memory",
    "memory_event",
    "gate_decision",
    "retrieval_trace",
    "model_call",
    "memory_vector",
)

# Thresholds belong to the model. The seeds' values are Gemini's.
MODELS = """
insert into memory.embedding_model
    (name, dimensions, duplicate_threshold, conflict_threshold, evidence_threshold, thresholds_from)
values
    ('gemini-embedding-2', 768, 0.92, 0.85, 0.75, 'seeds'),
    ('gemini-embedding-001', 768, 0.92, 0.85, 0.75, 'seeds');
"""


def upgrade() -> None:
    # The driver's own cursor: SQLAlchemy would read :name in literals as a bind parameter.
    execute = op.get_bind().connection.driver_connection.execute
    execute(TABLES)
    execute(WORK)
    execute(VECTORS)
    for table in SECURED:
        execute(f"alter table memory.{table} enable row level security")
        execute(
            f"create policy {table}_of_named_bank on memory.{table} "
            "using (bank_id = nullif(current_setting('memory.bank_id', true), ''))"
        )
    execute(MODELS)
