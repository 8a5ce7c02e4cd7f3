"""SQLAlchemy definitions of the tables of schema `memory`, used only by the drift test.

tests/db/test_drift.py compares them with the result of the numbered migrations, so that a migration's effect is visible
in review. Row security, partitions and storage parameters are checked by the catalog tests instead.
"""

from __future__ import annotations

from typing import cast

from pgvector.sqlalchemy import HALFVEC
from sqlalchemy import (
    ARRAY,
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Double,
    ForeignKeyConstraint,
    Identity,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    SmallInteger,
    Table,
    Text,
    UniqueConstraint,
    text,
)
from sqlalchemy.dialects.postgresql import ENUM, JSON, JSONB, TIMESTAMP, TSVECTOR, UUID
from sqlalchemy.types import TypeEngine

metadata = MetaData(schema="memory")

TIME = TIMESTAMP(timezone=True)
KEY = Text(collation="C")
NOW = text("now()")
OBJECT = text("'{}'::jsonb")
LIST = text("'[]'::jsonb")
NONE = text("'{}'::text[]")
ROLE = cast(
    "TypeEngine[str]", ENUM("user", "assistant", "system", "tool", name="message_role", schema="memory")
)
STATUS = cast(
    "TypeEngine[str]", ENUM("pending", "stored", "refused", "failed", name="message_status", schema="memory")
)
BANK = ["memory.bank.bank_id"]

installation = Table(
    "installation",
    metadata,
    Column("only_row", Boolean, nullable=False, server_default=text("true")),
    Column("api_version", Integer, nullable=False),
    Column("release", Text, nullable=False),
    Column("digest", Text, nullable=False),
    Column("migrated_at", TIME, nullable=False),
    Column("cluster", Text),
    PrimaryKeyConstraint("only_row", name="installation_pkey"),
    CheckConstraint("only_row", name="installation_only_row_check"),
)

embedding_model = Table(
    "embedding_model",
    metadata,
    Column("name", KEY, nullable=False),
    Column("dimensions", Integer, nullable=False),
    Column("duplicate_threshold", Double, nullable=False),
    Column("conflict_threshold", Double, nullable=False),
    Column("evidence_threshold", Double, nullable=False),
    Column("thresholds_source", Text, nullable=False),
    Column("calibration", JSONB, nullable=False, server_default=OBJECT),
    Column("unrelated_mean", Double),
    Column("unrelated_spread", Double),
    PrimaryKeyConstraint("name", name="embedding_model_pkey"),
    CheckConstraint("dimensions between 1 and 768", name="embedding_model_dimensions_check"),
    CheckConstraint(
        "duplicate_threshold > 0 and duplicate_threshold <= 1 and conflict_threshold > 0 and conflict_threshold <= 1 "
        "and evidence_threshold > 0 and evidence_threshold <= 1",
        name="embedding_model_thresholds_check",
    ),
    CheckConstraint(
        "(unrelated_mean is null) = (unrelated_spread is null) and unrelated_mean >= -1 and unrelated_mean <= 1 "
        "and unrelated_spread > 0 and unrelated_spread <= 1",
        name="embedding_model_scale_check",
    ),
)

api_key = Table(
    "api_key",
    metadata,
    Column("key_id", KEY, nullable=False),
    Column("hash", LargeBinary, nullable=False),
    Column("role", Text, nullable=False),
    Column("banks", ARRAY(Text), nullable=False),
    Column("may_erase", Boolean, nullable=False, server_default=text("false")),
    Column("agent_id", Text),
    Column("note", Text, nullable=False, server_default=text("''")),
    Column("created_at", TIME, nullable=False),
    Column("created_by", Text, nullable=False),
    Column("expires_at", TIME),
    Column("revoked_at", TIME),
    Column("revoked_by", Text),
    Column("rotated_from", KEY),
    Column("last_used_at", TIME),
    Column("requests_per_minute", Integer),
    Column("messages_per_minute", Integer),
    Column("model_tokens_per_minute", Integer),
    Column("token_public_key", LargeBinary),
    PrimaryKeyConstraint("key_id", name="api_key_pkey"),
    UniqueConstraint("rotated_from", name="api_key_rotated_from_key"),
    ForeignKeyConstraint(["rotated_from"], ["memory.api_key.key_id"], name="api_key_rotated_from_fkey"),
    CheckConstraint("key_id ~ '^[0-9A-Za-z]{12}$'", name="api_key_key_id_check"),
    CheckConstraint("octet_length(hash) = 32", name="api_key_hash_check"),
    CheckConstraint("role in ('read', 'write', 'admin')", name="api_key_role_check"),
    CheckConstraint("cardinality(banks) between 1 and 100", name="api_key_banks_check"),
    CheckConstraint("requests_per_minute > 0", name="api_key_requests_per_minute_check"),
    CheckConstraint("messages_per_minute > 0", name="api_key_messages_per_minute_check"),
    CheckConstraint("model_tokens_per_minute > 0", name="api_key_model_tokens_per_minute_check"),
    CheckConstraint("octet_length(token_public_key) = 32", name="api_key_token_public_key_check"),
)

analyst_grant = Table(
    "analyst_grant",
    metadata,
    Column("role_name", KEY, nullable=False),
    Column("banks", KEY, nullable=False),
    Column("granted_at", TIME, nullable=False),
    PrimaryKeyConstraint("role_name", "banks", name="analyst_grant_pkey"),
    CheckConstraint(
        "banks ~ '^[0-9A-Za-z_.:@-]{0,128}[*]?$' and banks <> ''", name="analyst_grant_banks_check"
    ),
)

rate_limit = Table(
    "rate_limit",
    metadata,
    Column("key_id", KEY, nullable=False),
    Column("resource", Text, nullable=False),
    Column("available", Double, nullable=False),
    Column("refilled_at", TIME, nullable=False),
    PrimaryKeyConstraint("key_id", "resource", name="rate_limit_pkey"),
    ForeignKeyConstraint(["key_id"], ["memory.api_key.key_id"], name="rate_limit_key_fkey"),
    CheckConstraint("resource in ('requests', 'messages', 'model_tokens')", name="rate_limit_resource_check"),
)

metric = Table(
    "metric",
    metadata,
    Column("name", KEY, nullable=False),
    Column("labels", ARRAY(Text), nullable=False),
    Column("amounts", ARRAY(Double), nullable=False),
    PrimaryKeyConstraint("name", "labels", name="metric_pkey"),
)

audit_event = Table(
    "audit_event",
    metadata,
    Column("audit_id", BigInteger, Identity(always=True), nullable=False),
    Column("at", TIME, nullable=False),
    Column("action", Text, nullable=False),
    Column("actor", Text, nullable=False),
    Column("key_id", Text),
    Column("login", Text, nullable=False, server_default=text("SESSION_USER")),
    Column("bank_ids", ARRAY(Text), nullable=False),
    Column("subjects", ARRAY(Text), nullable=False),
    Column("details", JSONB, nullable=False),
    PrimaryKeyConstraint("audit_id", name="audit_event_pkey"),
    Index("audit_event_newest_idx", "at"),
)

bank = Table(
    "bank",
    metadata,
    Column("bank_id", KEY, nullable=False),
    Column("settings", JSONB, nullable=False, server_default=OBJECT),
    Column("embedding_model", KEY, nullable=False),
    Column("created_at", TIME, nullable=False, server_default=NOW),
    Column("updated_at", TIME, nullable=False, server_default=NOW),
    PrimaryKeyConstraint("bank_id", name="bank_pkey"),
    CheckConstraint(r"bank_id ~ '^[A-Za-z0-9][A-Za-z0-9_.\:@-]{0,127}$'", name="bank_bank_id_check"),
    ForeignKeyConstraint(
        ["embedding_model"], ["memory.embedding_model.name"], name="bank_embedding_model_fkey"
    ),
)

idempotency_key = Table(
    "idempotency_key",
    metadata,
    Column("bank_id", KEY, nullable=False),
    Column("holder", KEY, nullable=False),
    Column("key", KEY, nullable=False),
    Column("request_hash", LargeBinary, nullable=False),
    Column("status", Integer, nullable=False),
    Column("body", Text, nullable=False),
    Column("subject", UUID),
    Column("created_at", TIME, nullable=False),
    PrimaryKeyConstraint("bank_id", "holder", "key", name="idempotency_key_pkey"),
    ForeignKeyConstraint(["bank_id"], BANK, name="idempotency_key_bank_fkey"),
    CheckConstraint("octet_length(request_hash) = 32", name="idempotency_key_request_hash_check"),
    Index("idempotency_key_created_idx", "bank_id", "created_at"),
    Index(
        "idempotency_key_subject_idx",
        "bank_id",
        "subject",
        postgresql_where=text("subject is not null"),
    ),
)

conversation = Table(
    "conversation",
    metadata,
    Column("bank_id", KEY, nullable=False),
    Column("conversation_id", KEY, nullable=False),
    Column("agent_id", Text),
    Column("created_at", TIME, nullable=False, server_default=NOW),
    Column("segmented_through", BigInteger, nullable=False, server_default=text("0")),
    Column("import_ended_at", TIME),
    PrimaryKeyConstraint("bank_id", "conversation_id", name="conversation_pkey"),
    ForeignKeyConstraint(["bank_id"], BANK, name="conversation_bank_fkey"),
)

message = Table(
    "message",
    metadata,
    Column("bank_id", KEY, nullable=False),
    Column("message_id", UUID, nullable=False),
    Column("conversation_id", KEY, nullable=False),
    Column("client_id", KEY),
    Column("position", BigInteger, nullable=False),
    Column("role", ROLE, nullable=False),
    Column("name", Text),
    Column("agent_id", Text),
    Column("content", Text, nullable=False),
    Column("metadata", JSONB, nullable=False, server_default=OBJECT),
    Column("occurred_at", TIME, nullable=False),
    Column("recorded_at", TIME, nullable=False),
    Column("segment_id", UUID),
    Column("status", STATUS, nullable=False, server_default=text("'pending'::memory.message_status")),
    Column("memory_id", UUID),
    Column("decided_at", TIME),
    Column("expired_at", TIME),
    PrimaryKeyConstraint("bank_id", "conversation_id", "position", name="message_pkey"),
    Index(
        "message_client_id_key",
        "bank_id",
        "conversation_id",
        "client_id",
        unique=True,
        postgresql_where=text("client_id is not null"),
    ),
    Index("message_status_idx", "bank_id", "status", "recorded_at"),
    Index("message_segment_idx", "bank_id", "segment_id", postgresql_where=text("segment_id is not null")),
    Index(
        "message_unexpired_idx",
        "bank_id",
        "recorded_at",
        postgresql_where=text("expired_at is null and status in ('stored', 'refused')"),
    ),
)

episodic_memory = Table(
    "episodic_memory",
    metadata,
    Column("bank_id", KEY, nullable=False),
    Column("memory_id", UUID, nullable=False),
    Column("segment_id", UUID),
    Column("idempotency_key", KEY),
    Column("conversation_id", KEY),
    Column("agent_id", Text),
    Column("source", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("occurred_at", TIME, nullable=False),
    Column("recorded_at", TIME, nullable=False),
    Column("full_text", JSONB, nullable=False),
    Column("summary", Text, nullable=False),
    Column("importance", Double, nullable=False),
    Column("importance_features", JSONB, nullable=False, server_default=OBJECT),
    Column("emotional_valence", Double),
    Column("emotions", ARRAY(Text), nullable=False, server_default=NONE),
    Column("lesson", Text),
    Column("topics", ARRAY(Text), nullable=False, server_default=NONE),
    Column("entities", ARRAY(Text), nullable=False, server_default=NONE),
    Column("tags", ARRAY(Text), nullable=False, server_default=NONE),
    Column("recipients", ARRAY(Text), nullable=False, server_default=NONE),
    Column("metadata", JSONB, nullable=False, server_default=OBJECT),
    Column("candidate_facts", JSONB, nullable=False, server_default=LIST),
    Column("given", JSONB, nullable=False, server_default=OBJECT),
    Column("extracted_by", Text),
    Column("landmark", Boolean, nullable=False, server_default=text("false")),
    Column("represents", Integer, nullable=False, server_default=text("1")),
    Column("merged_into_id", UUID),
    Column("consolidated_at", TIME),
    Column("access_count", Integer, nullable=False, server_default=text("0")),
    Column("last_accessed_at", TIME),
    Column("released_at", TIME),
    Column("fingerprint", BigInteger),
    Column("cluster_id", UUID),
    Column("clustered_at", TIME),
    Column("summarizes", KEY),
    Column("restored_at", TIME),
    Column("reply", Text),
    Column("version", Integer, nullable=False, server_default=text("1")),
    Column("signals", JSONB, nullable=False, server_default=OBJECT),
    Column("observed_at", TIME),
    PrimaryKeyConstraint("bank_id", "memory_id", name="episodic_memory_pkey"),
    UniqueConstraint("bank_id", "segment_id", name="episodic_memory_segment_key"),
    UniqueConstraint("bank_id", "idempotency_key", name="episodic_memory_idempotency_key"),
    ForeignKeyConstraint(["bank_id"], BANK, name="episodic_memory_bank_fkey"),
    CheckConstraint(
        "status in ('pending_embedding', 'active', 'archived', 'deprecated', 'merged_into', 'quarantined', "
        "'failed')",
        name="episodic_memory_status_check",
    ),
    CheckConstraint(
        "source in ('user', 'assistant', 'agent', 'tool', 'import')", name="episodic_memory_source_check"
    ),
    CheckConstraint("importance between 0 and 1", name="episodic_memory_importance_check"),
    CheckConstraint("emotional_valence between -1 and 1", name="episodic_memory_valence_check"),
    CheckConstraint("summarizes in ('cluster', 'similar')", name="episodic_memory_summarizes_check"),
    Index(
        "episodic_memory_unconsolidated_idx",
        "bank_id",
        "occurred_at",
        postgresql_where=text("consolidated_at is null and status in ('active', 'archived')"),
    ),
    Index(
        "episodic_memory_cluster_idx",
        "bank_id",
        "cluster_id",
        postgresql_where=text("cluster_id is not null and status = 'active'"),
    ),
    Index(
        "episodic_memory_fingerprint_idx",
        "bank_id",
        "fingerprint",
        postgresql_where=text("status = 'active' and fingerprint is not null"),
    ),
    Index(
        "episodic_memory_no_fingerprint_idx",
        "bank_id",
        postgresql_where=text("status = 'active' and fingerprint is null"),
    ),
    Index(
        "episodic_memory_unobserved_idx",
        "bank_id",
        "occurred_at",
        "memory_id",
        postgresql_where=text(
            "observed_at is null and signals ? 'style' and status in ('active', 'archived', 'merged_into')"
        ),
    ),
    Index(
        "episodic_memory_lesson_idx",
        "bank_id",
        "memory_id",
        postgresql_where=text("lesson is not null and status in ('active', 'archived')"),
    ),
    Index("episodic_memory_newest_idx", "bank_id", text("occurred_at desc"), text("memory_id desc")),
    Index(
        "episodic_memory_importance_idx",
        "bank_id",
        text("importance desc"),
        text("occurred_at desc"),
        text("memory_id desc"),
    ),
    Index(
        "episodic_memory_tags_idx",
        "tags",
        postgresql_using="gin",
        postgresql_where=text("tags <> '{}'"),
    ),
    Index(
        "episodic_memory_recipients_idx",
        "recipients",
        postgresql_using="gin",
        postgresql_where=text("recipients <> '{}'"),
    ),
    Index(
        "episodic_memory_agent_idx",
        "bank_id",
        "agent_id",
        postgresql_where=text("agent_id is not null"),
    ),
    Index(
        "episodic_memory_conversation_idx",
        "bank_id",
        "conversation_id",
        "occurred_at",
        "memory_id",
        postgresql_where=text("status in ('active', 'archived')"),
    ),
    postgresql_with={"fillfactor": 85},
)

episode_version = Table(
    "episode_version",
    metadata,
    Column("bank_id", KEY, nullable=False),
    Column("memory_id", UUID, nullable=False),
    Column("version", Integer, nullable=False),
    Column("content", Text, nullable=False),
    Column("full_text", JSONB, nullable=False),
    Column("reply", Text),
    Column("replaced_at", TIME, nullable=False),
    Column("replaced_by", Text, nullable=False),
    PrimaryKeyConstraint("bank_id", "memory_id", "version", name="episode_version_pkey"),
    ForeignKeyConstraint(
        ["bank_id", "memory_id"],
        ["memory.episodic_memory.bank_id", "memory.episodic_memory.memory_id"],
        name="episode_version_memory_fkey",
        ondelete="CASCADE",
    ),
)

memory_event = Table(
    "memory_event",
    metadata,
    Column("bank_id", KEY, nullable=False),
    Column("event_id", BigInteger, Identity(always=True), nullable=False),
    Column("memory_id", UUID, nullable=False),
    Column("memory_type", Text, nullable=False),
    Column("event", Text, nullable=False),
    Column("from_status", Text),
    Column("to_status", Text),
    Column("reason", Text, nullable=False),
    Column("actor", Text, nullable=False),
    Column("at", TIME, nullable=False),
    Column("detail", JSONB, nullable=False, server_default=OBJECT),
    Column("xid", BigInteger, nullable=False, server_default=text("((pg_current_xact_id())::text)::bigint")),
    PrimaryKeyConstraint("bank_id", "event_id", name="memory_event_pkey"),
    ForeignKeyConstraint(["bank_id"], BANK, name="memory_event_bank_fkey"),
    Index("memory_event_memory_idx", "bank_id", "memory_id", "event_id"),
    Index("memory_event_order_idx", "bank_id", "xid", "event_id"),
)

memory_link = Table(
    "memory_link",
    metadata,
    Column("bank_id", KEY, nullable=False),
    Column("memory_id", UUID, nullable=False),
    Column("linked_id", UUID, nullable=False),
    Column("reason", Text, nullable=False),
    Column("strength", Double, nullable=False),
    Column("linked_at", TIME, nullable=False),
    PrimaryKeyConstraint("bank_id", "memory_id", "linked_id", name="memory_link_pkey"),
    ForeignKeyConstraint(["bank_id"], BANK, name="memory_link_bank_fkey"),
    CheckConstraint("reason in ('entity', 'similarity', 'summary')", name="memory_link_reason_check"),
    CheckConstraint("memory_id <> linked_id", name="memory_link_other_check"),
    Index("memory_link_linked_idx", "bank_id", "linked_id"),
)

memory_entity = Table(
    "memory_entity",
    metadata,
    Column("bank_id", KEY, nullable=False),
    Column("entity", KEY, nullable=False),
    Column("memory_id", UUID, nullable=False),
    PrimaryKeyConstraint("bank_id", "entity", "memory_id", name="memory_entity_pkey"),
    ForeignKeyConstraint(["bank_id"], BANK, name="memory_entity_bank_fkey"),
)

gate_decision = Table(
    "gate_decision",
    metadata,
    Column("bank_id", KEY, nullable=False),
    Column("decision_id", UUID, nullable=False),
    Column("conversation_id", KEY),
    Column("segment_id", UUID),
    Column("memory_id", UUID),
    Column("message_ids", ARRAY(UUID), nullable=False, server_default=text("'{}'::uuid[]")),
    Column("outcome", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("verdicts", JSONB, nullable=False),
    Column("decided_by", Text, nullable=False),
    Column("decided_at", TIME, nullable=False),
    PrimaryKeyConstraint("bank_id", "decision_id", name="gate_decision_pkey"),
    UniqueConstraint("bank_id", "segment_id", name="gate_decision_segment_key"),
    ForeignKeyConstraint(["bank_id"], BANK, name="gate_decision_bank_fkey"),
    CheckConstraint(
        "outcome in ('stored', 'refused', 'quarantined', 'failed')", name="gate_decision_outcome_check"
    ),
    Index("gate_decision_newest_idx", "bank_id", text("decided_at desc"), text("decision_id desc")),
    Index(
        "gate_decision_outcome_idx",
        "bank_id",
        "outcome",
        text("decided_at desc"),
        text("decision_id desc"),
        postgresql_where=text("outcome <> 'stored'"),
    ),
)

retrieval_trace = Table(
    "retrieval_trace",
    metadata,
    Column("bank_id", KEY, nullable=False),
    Column("trace_id", UUID, nullable=False),
    Column("kind", Text, nullable=False),
    Column("query", Text),
    Column("profile", Text, nullable=False),
    Column("mode", Text, nullable=False),
    Column("embedding_model", KEY),
    Column("candidates", JSON, nullable=False),
    Column("returned", Integer, nullable=False),
    Column("degraded", Boolean, nullable=False),
    Column("figures", JSONB, nullable=False, server_default=OBJECT),
    Column("at", TIME, nullable=False),
    Column("parameters", JSONB, nullable=False, server_default=OBJECT),
    Column("weights", JSONB, nullable=False, server_default=OBJECT),
    Column("as_of", TIME),
    PrimaryKeyConstraint("bank_id", "trace_id", name="retrieval_trace_pkey"),
    ForeignKeyConstraint(["bank_id"], BANK, name="retrieval_trace_bank_fkey"),
    CheckConstraint("kind in ('recall', 'context', 'compact')", name="retrieval_trace_kind_check"),
    Index("retrieval_trace_newest_idx", "bank_id", text("at desc")),
    Index("retrieval_trace_query_idx", "bank_id", "at", postgresql_where=text("query is not null")),
)

model_call = Table(
    "model_call",
    metadata,
    Column("bank_id", KEY, nullable=False),
    Column("call_id", BigInteger, Identity(always=True), nullable=False),
    Column("model", Text, nullable=False),
    Column("purpose", Text, nullable=False),
    Column("items", Integer, nullable=False),
    Column("input_tokens", Integer, nullable=False),
    Column("output_tokens", Integer, nullable=False),
    Column("seconds", Double, nullable=False),
    Column("outcome", Text, nullable=False),
    Column("at", TIME, nullable=False),
    PrimaryKeyConstraint("bank_id", "call_id", name="model_call_pkey"),
    ForeignKeyConstraint(["bank_id"], BANK, name="model_call_bank_fkey"),
    Index("model_call_newest_idx", "bank_id", "at"),
)

work = Table(
    "work",
    metadata,
    Column("bank_id", KEY, nullable=False),
    Column("kind", KEY, nullable=False),
    Column("subject", KEY, nullable=False),
    Column("lane", SmallInteger, nullable=False, server_default=text("0")),
    Column("generation", BigInteger, nullable=False, server_default=text("1")),
    Column("not_before", TIME, nullable=False),
    Column("lease_token", UUID),
    Column("claimed_generation", BigInteger),
    Column("attempts", Integer, nullable=False, server_default=text("0")),
    Column("enqueued_at", TIME, nullable=False),
    Column("last_error", Text),
    Column("dead_at", TIME),
    Column("alone", Boolean, nullable=False, server_default=text("false")),
    PrimaryKeyConstraint("bank_id", "kind", "subject", name="work_pkey"),
    CheckConstraint(
        "kind in ('segment', 'extract', 'annotate', 'embed', 'facts', 'judge', 'relational', 'procedures')",
        name="work_kind_check",
    ),
    CheckConstraint("lane in (0, 1)", name="work_lane_check"),
    Index(
        "work_ready_idx",
        "kind",
        "lane",
        "alone",
        "bank_id",
        "not_before",
        postgresql_where=text("dead_at is null"),
    ),
    Index(
        "work_newest_idx",
        "kind",
        "lane",
        "alone",
        "not_before",
        postgresql_where=text("dead_at is null"),
    ),
    Index("work_leased_idx", "bank_id", "kind", postgresql_where=text("lease_token is not null")),
    Index(
        "work_dead_idx", "dead_at", "bank_id", "kind", "subject", postgresql_where=text("dead_at is not null")
    ),
    postgresql_with={
        "fillfactor": 60,
        "autovacuum_vacuum_scale_factor": 0.02,
        "autovacuum_vacuum_threshold": 1000,
    },
)

relational_memory = Table(
    "relational_memory",
    metadata,
    Column("bank_id", KEY, nullable=False),
    Column("memory_id", UUID, nullable=False),
    Column("kind", Text, nullable=False),
    Column("slot", KEY, nullable=False),
    Column("situation", Text, nullable=False, server_default=text("''")),
    Column("norm", Text, nullable=False),
    Column("value", Text),
    Column("level", Double),
    Column("confidence", Double, nullable=False),
    Column("evidence_count", Integer, nullable=False, server_default=text("0")),
    Column("status", Text, nullable=False),
    Column("pinned", Boolean, nullable=False, server_default=text("false")),
    Column("first_observed", TIME, nullable=False),
    Column("last_confirmed", TIME, nullable=False),
    Column("valid_from", TIME, nullable=False),
    Column("valid_to", TIME),
    Column("superseded_by", UUID),
    Column("removed_at", TIME),
    Column("source", Text, nullable=False),
    Column("agent_id", Text),
    Column("extracted_by", Text, nullable=False),
    Column("recorded_at", TIME, nullable=False),
    Column("version", Integer, nullable=False, server_default=text("1")),
    PrimaryKeyConstraint("bank_id", "memory_id", name="relational_memory_pkey"),
    ForeignKeyConstraint(["bank_id"], BANK, name="relational_memory_bank_fkey"),
    CheckConstraint(
        "kind in ('communication_style', 'preference', 'instruction', 'sensitivity', 'relationship_phase')",
        name="relational_memory_kind_check",
    ),
    CheckConstraint("status in ('tentative', 'stable', 'deprecated')", name="relational_memory_status_check"),
    CheckConstraint("confidence between 0 and 1", name="relational_memory_confidence_check"),
    CheckConstraint("level between 0 and 1", name="relational_memory_level_check"),
    Index(
        "relational_memory_slot_key",
        "bank_id",
        "kind",
        "slot",
        unique=True,
        postgresql_where=text("valid_to is null and status <> 'deprecated'"),
    ),
)

NORM = ["memory.relational_memory.bank_id", "memory.relational_memory.memory_id"]

relational_evidence = Table(
    "relational_evidence",
    metadata,
    Column("bank_id", KEY, nullable=False),
    Column("norm_id", UUID, nullable=False),
    Column("episode_id", UUID, nullable=False),
    Column("stated", Boolean, nullable=False),
    Column("occurred_at", TIME, nullable=False),
    Column("recorded_at", TIME, nullable=False),
    PrimaryKeyConstraint("bank_id", "norm_id", "episode_id", name="relational_evidence_pkey"),
    ForeignKeyConstraint(
        ["bank_id", "norm_id"], NORM, name="relational_evidence_norm_fkey", ondelete="CASCADE"
    ),
    Index("relational_evidence_episode_idx", "bank_id", "episode_id"),
)

relational_version = Table(
    "relational_version",
    metadata,
    Column("bank_id", KEY, nullable=False),
    Column("norm_id", UUID, nullable=False),
    Column("version", Integer, nullable=False),
    Column("situation", Text, nullable=False),
    Column("norm", Text, nullable=False),
    Column("level", Double),
    Column("confidence", Double, nullable=False),
    Column("evidence_count", Integer, nullable=False),
    Column("status", Text, nullable=False),
    Column("pinned", Boolean, nullable=False),
    Column("valid_from", TIME, nullable=False),
    Column("valid_to", TIME),
    Column("superseded_by", UUID),
    Column("reason", Text, nullable=False),
    Column("actor", Text, nullable=False),
    Column("at", TIME, nullable=False),
    PrimaryKeyConstraint("bank_id", "norm_id", "version", name="relational_version_pkey"),
    ForeignKeyConstraint(
        ["bank_id", "norm_id"], NORM, name="relational_version_norm_fkey", ondelete="CASCADE"
    ),
)

relational_vector = Table(
    "relational_vector",
    metadata,
    Column("bank_id", KEY, nullable=False),
    Column("norm_id", UUID, nullable=False),
    Column("model_id", KEY, nullable=False),
    Column("part", SmallInteger, nullable=False),
    Column("embedding", HALFVEC(768), nullable=False),
    PrimaryKeyConstraint("bank_id", "model_id", "norm_id", "part", name="relational_vector_pkey"),
    ForeignKeyConstraint(
        ["bank_id", "norm_id"], NORM, name="relational_vector_norm_fkey", ondelete="CASCADE"
    ),
)

relationship = Table(
    "relationship",
    metadata,
    Column("bank_id", KEY, nullable=False),
    Column("exchanges", Integer, nullable=False, server_default=text("0")),
    Column("days", Integer, nullable=False, server_default=text("0")),
    Column("first_at", TIME),
    Column("last_at", TIME),
    Column("disclosures", Integer, nullable=False, server_default=text("0")),
    Column("damages", ARRAY(TIME), nullable=False, server_default=text("'{}'::timestamptz[]")),
    Column("observations", JSONB, nullable=False, server_default=OBJECT),
    Column("updated_at", TIME, nullable=False),
    PrimaryKeyConstraint("bank_id", name="relationship_pkey"),
    ForeignKeyConstraint(["bank_id"], BANK, name="relationship_bank_fkey"),
)

emotional_thread = Table(
    "emotional_thread",
    metadata,
    Column("bank_id", KEY, nullable=False),
    Column("thread_id", UUID, nullable=False),
    Column("current_state", Text, nullable=False),
    Column("emotion", Text),
    Column("topic", Text),
    Column("valence", Double, nullable=False),
    Column("half_life_days", Double, nullable=False),
    Column("thread_length", Integer, nullable=False),
    Column("started_at", TIME, nullable=False),
    Column("last_update", TIME, nullable=False),
    Column("ended_at", TIME),
    Column("end_reason", Text),
    Column("ended_by", Text),
    PrimaryKeyConstraint("bank_id", "thread_id", name="emotional_thread_pkey"),
    ForeignKeyConstraint(["bank_id"], BANK, name="emotional_thread_bank_fkey"),
    CheckConstraint("valence between -1 and 1", name="emotional_thread_valence_check"),
    CheckConstraint(
        "end_reason in ('broken', 'faded', 'ended', 'switched_off')", name="emotional_thread_end_reason_check"
    ),
    CheckConstraint("(ended_at is null) = (end_reason is null)", name="emotional_thread_end_check"),
    Index("emotional_thread_open_key", "bank_id", unique=True, postgresql_where=text("ended_at is null")),
    Index("emotional_thread_newest_idx", "bank_id", text("started_at desc"), text("thread_id desc")),
)

emotional_thread_episode = Table(
    "emotional_thread_episode",
    metadata,
    Column("bank_id", KEY, nullable=False),
    Column("episode_id", UUID, nullable=False),
    Column("occurred_at", TIME, nullable=False),
    Column("valence", Double),
    Column("emotions", ARRAY(Text), nullable=False),
    Column("mood", Double, nullable=False),
    Column("emotion", Text),
    Column("family", Text),
    Column("topic", Text),
    Column("thread_id", UUID),
    Column("position", Integer),
    Column("thread_valence", Double),
    Column("half_life_days", Double),
    Column("peak", Double),
    Column("state_emotion", Text),
    Column("state_topic", Text),
    PrimaryKeyConstraint("bank_id", "episode_id", name="emotional_thread_episode_pkey"),
    ForeignKeyConstraint(
        ["bank_id", "episode_id"],
        ["memory.episodic_memory.bank_id", "memory.episodic_memory.memory_id"],
        name="emotional_thread_episode_episode_fkey",
        ondelete="CASCADE",
    ),
    ForeignKeyConstraint(
        ["bank_id", "thread_id"],
        ["memory.emotional_thread.bank_id", "memory.emotional_thread.thread_id"],
        name="emotional_thread_episode_thread_fkey",
        deferrable=True,
        initially="DEFERRED",
    ),
    Index("emotional_thread_episode_order_idx", "bank_id", "occurred_at", "episode_id"),
    Index(
        "emotional_thread_episode_thread_idx",
        "bank_id",
        "thread_id",
        "position",
        postgresql_where=text("thread_id is not null"),
    ),
)

emotional_thread_act = Table(
    "emotional_thread_act",
    metadata,
    Column("bank_id", KEY, nullable=False),
    Column("at", TIME, nullable=False),
    Column("act", Text, nullable=False),
    Column("thread_id", UUID, nullable=False),
    Column("valence", Double, nullable=False),
    Column("emotion", Text),
    Column("actor", Text, nullable=False),
    PrimaryKeyConstraint("bank_id", "at", "act", name="emotional_thread_act_pkey"),
    ForeignKeyConstraint(["bank_id"], BANK, name="emotional_thread_act_bank_fkey"),
    CheckConstraint(
        "act in ('acknowledged', 'ended', 'switched_off')", name="emotional_thread_act_act_check"
    ),
)

procedural_memory = Table(
    "procedural_memory",
    metadata,
    Column("bank_id", KEY, nullable=False),
    Column("memory_id", UUID, nullable=False),
    Column("kind", Text, nullable=False),
    Column("content", Text, nullable=False),
    Column("situation", Text, nullable=False, server_default=text("''")),
    Column("steps", ARRAY(Text), nullable=False, server_default=NONE),
    Column("why", Text),
    Column("status", Text, nullable=False),
    Column("confidence", Double, nullable=False),
    Column("importance", Double, nullable=False),
    Column("evidence_count", Integer, nullable=False, server_default=text("0")),
    Column("worked", Integer, nullable=False, server_default=text("0")),
    Column("failed", Integer, nullable=False, server_default=text("0")),
    Column("pinned", Boolean, nullable=False, server_default=text("false")),
    Column("occurred_at", TIME, nullable=False),
    Column("recorded_at", TIME, nullable=False),
    Column("valid_from", TIME, nullable=False),
    Column("valid_to", TIME),
    Column("replaces", UUID),
    Column("superseded_by", UUID),
    Column("merged_into_id", UUID),
    Column("retracted_at", TIME),
    Column("dropped_at", TIME),
    Column("released_at", TIME),
    Column("access_count", Integer, nullable=False, server_default=text("0")),
    Column("last_accessed_at", TIME),
    Column("tags", ARRAY(Text), nullable=False, server_default=NONE),
    Column("recipients", ARRAY(Text), nullable=False, server_default=NONE),
    Column("metadata", JSONB, nullable=False, server_default=OBJECT),
    Column("source", Text, nullable=False),
    Column("agent_id", Text),
    Column("extracted_by", Text),
    Column("idempotency_key", KEY),
    Column("given", JSONB, nullable=False, server_default=OBJECT),
    Column("fingerprint", BigInteger, nullable=False),
    Column("words", TSVECTOR, nullable=False, server_default=text("''::tsvector")),
    Column("version", Integer, nullable=False, server_default=text("0")),
    PrimaryKeyConstraint("bank_id", "memory_id", name="procedural_memory_pkey"),
    ForeignKeyConstraint(["bank_id"], BANK, name="procedural_memory_bank_fkey"),
    UniqueConstraint("bank_id", "idempotency_key", name="procedural_memory_idempotency_key"),
    CheckConstraint(
        "kind in ('habit', 'routine', 'pattern', 'skill', 'lesson')", name="procedural_memory_kind_check"
    ),
    CheckConstraint(
        "status in ('pending_embedding', 'tentative', 'active', 'superseded', 'deprecated', 'merged_into', "
        "'quarantined', 'failed')",
        name="procedural_memory_status_check",
    ),
    CheckConstraint("confidence between 0 and 1", name="procedural_memory_confidence_check"),
    CheckConstraint("importance between 0 and 1", name="procedural_memory_importance_check"),
    CheckConstraint("worked >= 0 and failed >= 0", name="procedural_memory_outcomes_check"),
    Index("procedural_memory_newest_idx", "bank_id", text("occurred_at desc"), text("memory_id desc")),
    Index(
        "procedural_memory_importance_idx",
        "bank_id",
        text("importance desc"),
        text("occurred_at desc"),
        text("memory_id desc"),
    ),
)

PROCEDURE = ["memory.procedural_memory.bank_id", "memory.procedural_memory.memory_id"]

procedure_evidence = Table(
    "procedure_evidence",
    metadata,
    Column("bank_id", KEY, nullable=False),
    Column("procedure_id", UUID, nullable=False),
    Column("evidence_id", UUID, nullable=False),
    Column("stated", Boolean, nullable=False),
    Column("importance", Double, nullable=False),
    Column("occurred_at", TIME, nullable=False),
    Column("recorded_at", TIME, nullable=False),
    PrimaryKeyConstraint("bank_id", "procedure_id", "evidence_id", name="procedure_evidence_pkey"),
    ForeignKeyConstraint(
        ["bank_id", "procedure_id"], PROCEDURE, name="procedure_evidence_procedure_fkey", ondelete="CASCADE"
    ),
    Index("procedure_evidence_evidence_idx", "bank_id", "evidence_id"),
)

procedure_version = Table(
    "procedure_version",
    metadata,
    Column("bank_id", KEY, nullable=False),
    Column("procedure_id", UUID, nullable=False),
    Column("version", Integer, nullable=False),
    Column("content", Text, nullable=False),
    Column("situation", Text, nullable=False),
    Column("steps", ARRAY(Text), nullable=False),
    Column("why", Text),
    Column("status", Text, nullable=False),
    Column("confidence", Double, nullable=False),
    Column("importance", Double, nullable=False),
    Column("evidence_count", Integer, nullable=False),
    Column("worked", Integer, nullable=False),
    Column("failed", Integer, nullable=False),
    Column("pinned", Boolean, nullable=False),
    Column("valid_from", TIME, nullable=False),
    Column("valid_to", TIME),
    Column("superseded_by", UUID),
    Column("reason", Text, nullable=False),
    Column("actor", Text, nullable=False),
    Column("at", TIME, nullable=False),
    PrimaryKeyConstraint("bank_id", "procedure_id", "version", name="procedure_version_pkey"),
    ForeignKeyConstraint(
        ["bank_id", "procedure_id"], PROCEDURE, name="procedure_version_procedure_fkey", ondelete="CASCADE"
    ),
)

procedural_vector = Table(
    "procedural_vector",
    metadata,
    Column("bank_id", KEY, nullable=False),
    Column("procedure_id", UUID, nullable=False),
    Column("model_id", KEY, nullable=False),
    Column("part", SmallInteger, nullable=False),
    Column("embedding", HALFVEC(768), nullable=False),
    PrimaryKeyConstraint("bank_id", "model_id", "procedure_id", "part", name="procedural_vector_pkey"),
    ForeignKeyConstraint(
        ["bank_id", "procedure_id"], PROCEDURE, name="procedural_vector_procedure_fkey", ondelete="CASCADE"
    ),
)

lesson_vector = Table(
    "lesson_vector",
    metadata,
    Column("bank_id", KEY, nullable=False),
    Column("episode_id", UUID, nullable=False),
    Column("model_id", KEY, nullable=False),
    Column("lesson_hash", Text, nullable=False),
    Column("embedding", HALFVEC(768), nullable=False),
    Column("compared_at", TIME),
    PrimaryKeyConstraint("bank_id", "model_id", "episode_id", name="lesson_vector_pkey"),
    ForeignKeyConstraint(
        ["bank_id", "episode_id"],
        ["memory.episodic_memory.bank_id", "memory.episodic_memory.memory_id"],
        name="lesson_vector_episode_fkey",
        ondelete="CASCADE",
    ),
)

memory_vector = Table(
    "memory_vector",
    metadata,
    Column("bank_id", KEY, nullable=False),
    Column("memory_id", UUID, nullable=False),
    Column("model_id", KEY, nullable=False),
    Column("part", SmallInteger, nullable=False, server_default=text("0")),
    Column("tier", KEY, nullable=False),
    Column("embedding", HALFVEC(768), nullable=False),
    PrimaryKeyConstraint("bank_id", "model_id", "memory_id", "part", name="memory_vector_pkey"),
    CheckConstraint("tier in ('episodic', 'semantic', 'procedural')", name="memory_vector_tier_check"),
    Index(
        "memory_vector_facts_idx",
        "bank_id",
        "model_id",
        "memory_id",
        postgresql_where=text("tier = 'semantic'"),
    ),
    postgresql_partition_by="hash (bank_id)",
)

vector_index = Table(
    "vector_index",
    metadata,
    Column("bank_id", KEY, nullable=False),
    Column("model_id", KEY, nullable=False),
    Column("state", KEY, nullable=False, server_default=text("'building'::text")),
    Column("copied_through", UUID),
    Column("started_at", TIME, nullable=False, server_default=NOW),
    Column("ready_at", TIME),
    PrimaryKeyConstraint("bank_id", "model_id", name="vector_index_pkey"),
    ForeignKeyConstraint(["bank_id"], BANK, name="vector_index_bank_fkey", ondelete="CASCADE"),
    CheckConstraint("state in ('building', 'ready', 'removing')", name="vector_index_state_check"),
)

reembedding = Table(
    "reembedding",
    metadata,
    Column("bank_id", KEY, nullable=False),
    Column("other_model", KEY, nullable=False),
    Column("status", KEY, nullable=False, server_default=text("'copying'::text")),
    Column("keep_days", Integer, nullable=False),
    Column("verify_queries", Integer, nullable=False, server_default=text("0")),
    Column("verified", JSONB),
    Column("requested_at", TIME, nullable=False),
    Column("switched_at", TIME),
    Column("keep_until", TIME),
    PrimaryKeyConstraint("bank_id", name="reembedding_pkey"),
    ForeignKeyConstraint(["bank_id"], BANK, name="reembedding_bank_fkey"),
    ForeignKeyConstraint(
        ["other_model"], ["memory.embedding_model.name"], name="reembedding_other_model_fkey"
    ),
    CheckConstraint("status in ('copying', 'kept')", name="reembedding_status_check"),
    CheckConstraint("(status = 'kept') = (keep_until is not null)", name="reembedding_keep_until_check"),
    CheckConstraint("keep_days between 1 and 3650", name="reembedding_keep_days_check"),
    CheckConstraint("verify_queries between 0 and 1000", name="reembedding_verify_queries_check"),
)

indexed_vector = Table(
    "indexed_vector",
    metadata,
    Column("bank_id", KEY, nullable=False),
    Column("memory_id", UUID, nullable=False),
    Column("model_id", KEY, nullable=False),
    Column("part", SmallInteger, nullable=False, server_default=text("0")),
    Column("embedding", HALFVEC(768), nullable=False),
    PrimaryKeyConstraint("bank_id", "model_id", "memory_id", "part", name="indexed_vector_pkey"),
    Index(
        "indexed_vector_embedding_idx",
        "embedding",
        postgresql_using="hnsw",
        postgresql_ops={"embedding": "halfvec_cosine_ops"},
    ),
    postgresql_partition_by="hash (bank_id)",
)

memory_text = Table(
    "memory_text",
    metadata,
    Column("bank_id", KEY, nullable=False),
    Column("memory_id", UUID, nullable=False),
    Column("tier", KEY, nullable=False),
    Column("search", TSVECTOR, nullable=False),
    Column("neighbour_words", TSVECTOR, nullable=False, server_default=text("''::tsvector")),
    Column("mentions", SmallInteger, nullable=False, server_default=text("0")),
    Column("is_question", Boolean, nullable=False, server_default=text("false")),
    Column("speakers", ARRAY(Text), nullable=False, server_default=NONE),
    Column("before_id", UUID),
    Column("after_id", UUID),
    PrimaryKeyConstraint("bank_id", "memory_id", name="memory_text_pkey"),
    CheckConstraint("tier in ('episodic', 'semantic', 'procedural')", name="memory_text_tier_check"),
    Index("memory_text_search_idx", "search", postgresql_using="gin", postgresql_with={"fastupdate": "off"}),
    postgresql_partition_by="hash (bank_id)",
)

word_count = Table(
    "word_count",
    metadata,
    Column("bank_id", KEY, nullable=False),
    Column("word", KEY, nullable=False),
    Column("memories", Integer, nullable=False),
    PrimaryKeyConstraint("bank_id", "word", name="word_count_pkey"),
    Index("word_count_reverse_idx", "bank_id", text("reverse(word)")),
    postgresql_with={"fillfactor": 70},
)

person = Table(
    "person",
    metadata,
    Column("bank_id", KEY, nullable=False),
    Column("name", KEY, nullable=False),
    PrimaryKeyConstraint("bank_id", "name", name="person_pkey"),
    ForeignKeyConstraint(["bank_id"], BANK, name="person_bank_fkey"),
)

semantic_memory = Table(
    "semantic_memory",
    metadata,
    Column("bank_id", KEY, nullable=False),
    Column("memory_id", UUID, nullable=False),
    Column("idempotency_key", KEY),
    Column("fact", Text, nullable=False),
    Column("subject", Text),
    Column("attribute", KEY),
    Column("value", Text),
    Column("cardinality", KEY, nullable=False, server_default=text("'many'")),
    Column("timeline", KEY, nullable=False),
    Column("fingerprint", BigInteger, nullable=False),
    Column("status", KEY, nullable=False, server_default=text("'tentative'")),
    Column("confidence", Double, nullable=False, server_default=text("0")),
    Column("importance", Double, nullable=False, server_default=text("0.5")),
    Column("occurred_at", TIME, nullable=False),
    Column("recorded_at", TIME, nullable=False),
    Column("first_observed", TIME, nullable=False),
    Column("last_confirmed", TIME, nullable=False),
    Column("valid_from", TIME, nullable=False),
    Column("valid_to", TIME),
    Column("evidence_count", Integer, nullable=False, server_default=text("0")),
    Column("superseded_by", UUID),
    Column("merged_into_id", UUID),
    Column("pinned", Boolean, nullable=False, server_default=text("false")),
    Column("retracted_at", TIME),
    Column("contradicted_at", TIME),
    Column("source", Text, nullable=False),
    Column("agent_id", Text),
    Column("extracted_by", Text),
    Column("tags", ARRAY(Text), nullable=False, server_default=NONE),
    Column("recipients", ARRAY(Text), nullable=False, server_default=NONE),
    Column("metadata", JSONB, nullable=False, server_default=OBJECT),
    Column("given", JSONB, nullable=False, server_default=OBJECT),
    Column("access_count", Integer, nullable=False, server_default=text("0")),
    Column("last_accessed_at", TIME),
    Column("dropped_at", TIME),
    Column("faded_at", TIME),
    PrimaryKeyConstraint("bank_id", "memory_id", name="semantic_memory_pkey"),
    UniqueConstraint("bank_id", "idempotency_key", name="semantic_memory_idempotency_key"),
    ForeignKeyConstraint(["bank_id"], BANK, name="semantic_memory_bank_fkey"),
    CheckConstraint(
        "status in ('tentative', 'stable', 'deprecated', 'merged_into')",
        name="semantic_memory_status_check",
    ),
    CheckConstraint("cardinality in ('one', 'fixed', 'many')", name="semantic_memory_cardinality_check"),
    CheckConstraint("source in ('user', 'agent', 'tool', 'import')", name="semantic_memory_source_check"),
    CheckConstraint("confidence between 0 and 1", name="semantic_memory_confidence_check"),
    CheckConstraint("importance between 0 and 1", name="semantic_memory_importance_check"),
    CheckConstraint("valid_to >= valid_from", name="semantic_memory_valid_check"),
    CheckConstraint("superseded_by is null or valid_to is not null", name="semantic_memory_superseded_check"),
    CheckConstraint(
        "(status = 'merged_into') = (merged_into_id is not null)", name="semantic_memory_merged_check"
    ),
    CheckConstraint(
        "retracted_at is null or status in ('deprecated', 'merged_into')",
        name="semantic_memory_retracted_check",
    ),
    CheckConstraint(
        "dropped_at is null or status in ('deprecated', 'merged_into')", name="semantic_memory_dropped_check"
    ),
    Index("semantic_memory_newest_idx", "bank_id", text("occurred_at desc"), text("memory_id desc")),
    Index(
        "semantic_memory_importance_idx",
        "bank_id",
        text("importance desc"),
        text("occurred_at desc"),
        text("memory_id desc"),
    ),
    Index("semantic_memory_timeline_idx", "bank_id", "timeline"),
    Index("semantic_memory_fingerprint_idx", "bank_id", "fingerprint"),
    Index("semantic_memory_ended_idx", "bank_id", postgresql_where=text("valid_to is not null")),
    postgresql_with={"fillfactor": 85},
)

fact_evidence = Table(
    "fact_evidence",
    metadata,
    Column("bank_id", KEY, nullable=False),
    Column("fact_id", UUID, nullable=False),
    Column("episode_id", UUID, nullable=False),
    Column("holds", Boolean, nullable=False, server_default=text("true")),
    Column("stated", Boolean, nullable=False, server_default=text("false")),
    Column("importance", Double, nullable=False),
    Column("occurred_at", TIME, nullable=False),
    Column("recorded_at", TIME, nullable=False),
    PrimaryKeyConstraint("bank_id", "fact_id", "episode_id", name="fact_evidence_pkey"),
    ForeignKeyConstraint(
        ["bank_id", "fact_id"],
        ["memory.semantic_memory.bank_id", "memory.semantic_memory.memory_id"],
        name="fact_evidence_fact_fkey",
        deferrable=True,
    ),
    Index("fact_evidence_episode_idx", "bank_id", "episode_id"),
)

fact_judgement = Table(
    "fact_judgement",
    metadata,
    Column("bank_id", KEY, nullable=False),
    Column("judgement_id", BigInteger, Identity(always=True), nullable=False),
    Column("fact_id", UUID, nullable=False),
    Column("judgement", KEY, nullable=False),
    Column("occurred_at", TIME, nullable=False),
    Column("recorded_at", TIME, nullable=False),
    Column("actor", Text, nullable=False),
    Column("rival_id", UUID),
    Column("segment_id", UUID),
    PrimaryKeyConstraint("bank_id", "judgement_id", name="fact_judgement_pkey"),
    CheckConstraint(
        "judgement in ('committed', 'confirmed', 'disputed', 'retracted', 'pinned', 'unpinned', 'ended')",
        name="fact_judgement_judgement_check",
    ),
    ForeignKeyConstraint(
        ["bank_id", "fact_id"],
        ["memory.semantic_memory.bank_id", "memory.semantic_memory.memory_id"],
        name="fact_judgement_fact_fkey",
        deferrable=True,
    ),
    Index("fact_judgement_fact_idx", "bank_id", "fact_id"),
    Index("fact_judgement_rival_idx", "bank_id", "rival_id", postgresql_where=text("rival_id is not null")),
)

fact_version = Table(
    "fact_version",
    metadata,
    Column("bank_id", KEY, nullable=False),
    Column("fact_id", UUID, nullable=False),
    Column("version", Integer, nullable=False),
    Column("fact", Text, nullable=False),
    Column("status", KEY, nullable=False),
    Column("confidence", Double, nullable=False),
    Column("importance", Double, nullable=False),
    Column("evidence_count", Integer, nullable=False),
    Column("first_observed", TIME, nullable=False),
    Column("last_confirmed", TIME, nullable=False),
    Column("valid_from", TIME, nullable=False),
    Column("valid_to", TIME),
    Column("superseded_by", UUID),
    Column("merged_into_id", UUID),
    Column("pinned", Boolean, nullable=False),
    Column("retracted_at", TIME),
    Column("contradicted_at", TIME),
    Column("reason", Text, nullable=False),
    Column("actor", Text, nullable=False),
    Column("at", TIME, nullable=False),
    PrimaryKeyConstraint("bank_id", "fact_id", "version", name="fact_version_pkey"),
    ForeignKeyConstraint(
        ["bank_id", "fact_id"],
        ["memory.semantic_memory.bank_id", "memory.semantic_memory.memory_id"],
        name="fact_version_fact_fkey",
        deferrable=True,
    ),
)

fact_conflict = Table(
    "fact_conflict",
    metadata,
    Column("bank_id", KEY, nullable=False),
    Column("one_id", UUID, nullable=False),
    Column("other_id", UUID, nullable=False),
    Column("rule", KEY, nullable=False),
    Column("handling", KEY, nullable=False),
    Column("found_by", KEY, nullable=False),
    Column("similarity", Double),
    Column("recorded_at", TIME, nullable=False),
    Column("resolution", KEY),
    Column("kept_id", UUID),
    Column("resolved_at", TIME),
    Column("resolved_by", Text),
    Column("segment_id", UUID),
    PrimaryKeyConstraint("bank_id", "one_id", "other_id", name="fact_conflict_pkey"),
    CheckConstraint("one_id < other_id", name="fact_conflict_order_check"),
    CheckConstraint("handling in ('newer_wins', 'both_halved')", name="fact_conflict_handling_check"),
    CheckConstraint("resolution in ('kept', 'both', 'void')", name="fact_conflict_resolution_check"),
    CheckConstraint("(resolution = 'kept') = (kept_id is not null)", name="fact_conflict_kept_check"),
    CheckConstraint("(resolution is null) = (resolved_at is null)", name="fact_conflict_resolved_check"),
    ForeignKeyConstraint(
        ["bank_id", "one_id"],
        ["memory.semantic_memory.bank_id", "memory.semantic_memory.memory_id"],
        name="fact_conflict_one_fkey",
        deferrable=True,
    ),
    ForeignKeyConstraint(
        ["bank_id", "other_id"],
        ["memory.semantic_memory.bank_id", "memory.semantic_memory.memory_id"],
        name="fact_conflict_other_fkey",
        deferrable=True,
    ),
    Index("fact_conflict_other_idx", "bank_id", "other_id"),
)

fact_pair = Table(
    "fact_pair",
    metadata,
    Column("bank_id", KEY, nullable=False),
    Column("one_id", UUID, nullable=False),
    Column("other_id", UUID, nullable=False),
    Column("similarity", Double, nullable=False),
    Column("decision", KEY, nullable=False),
    Column("judged_by", Text, nullable=False),
    Column("judged_at", TIME, nullable=False),
    PrimaryKeyConstraint("bank_id", "one_id", "other_id", name="fact_pair_pkey"),
    CheckConstraint("one_id < other_id", name="fact_pair_order_check"),
    CheckConstraint(
        "decision in ('same', 'compatible', 'successor', 'conflict')", name="fact_pair_decision_check"
    ),
    ForeignKeyConstraint(
        ["bank_id", "one_id"],
        ["memory.semantic_memory.bank_id", "memory.semantic_memory.memory_id"],
        name="fact_pair_one_fkey",
        deferrable=True,
    ),
    ForeignKeyConstraint(
        ["bank_id", "other_id"],
        ["memory.semantic_memory.bank_id", "memory.semantic_memory.memory_id"],
        name="fact_pair_other_fkey",
        deferrable=True,
    ),
    Index("fact_pair_other_idx", "bank_id", "other_id"),
)

clarification = Table(
    "clarification",
    metadata,
    Column("bank_id", KEY, nullable=False),
    Column("clarification_id", UUID, nullable=False),
    Column("one_id", UUID, nullable=False),
    Column("other_id", UUID, nullable=False),
    Column("question", Text, nullable=False),
    Column("importance", Double, nullable=False),
    Column("status", KEY, nullable=False, server_default=text("'open'")),
    Column("created_at", TIME, nullable=False),
    Column("offered_at", TIME),
    Column("answered_at", TIME),
    Column("kept_id", UUID),
    Column("answer", Text),
    Column("actor", Text),
    PrimaryKeyConstraint("bank_id", "clarification_id", name="clarification_pkey"),
    UniqueConstraint("bank_id", "one_id", "other_id", name="clarification_pair_key"),
    CheckConstraint("status in ('open', 'answered', 'void')", name="clarification_status_check"),
    ForeignKeyConstraint(
        ["bank_id", "one_id", "other_id"],
        ["memory.fact_conflict.bank_id", "memory.fact_conflict.one_id", "memory.fact_conflict.other_id"],
        name="clarification_conflict_fkey",
        deferrable=True,
    ),
    Index(
        "clarification_open_idx",
        "bank_id",
        text("importance desc"),
        "created_at",
        postgresql_where=text("status = 'open'"),
    ),
)

fact_mention = Table(
    "fact_mention",
    metadata,
    Column("bank_id", KEY, nullable=False),
    Column("conversation_id", KEY, nullable=False),
    Column("at", TIME, nullable=False),
    Column("fact_id", UUID, nullable=False),
    PrimaryKeyConstraint("bank_id", "conversation_id", "at", "fact_id", name="fact_mention_pkey"),
    ForeignKeyConstraint(
        ["bank_id", "fact_id"],
        ["memory.semantic_memory.bank_id", "memory.semantic_memory.memory_id"],
        name="fact_mention_fact_fkey",
        deferrable=True,
    ),
)

upkeep = Table(
    "upkeep",
    metadata,
    Column("bank_id", KEY, nullable=False),
    Column("due_at", TIME, nullable=False, server_default=text("'-infinity'::timestamptz")),
    Column("changed_at", TIME, nullable=False),
    Column("generation", BigInteger, nullable=False, server_default=text("1")),
    Column("activations", Integer, nullable=False, server_default=text("0")),
    Column("not_before", TIME, nullable=False, server_default=text("'-infinity'::timestamptz")),
    Column("lease_token", UUID),
    Column("claimed_generation", BigInteger),
    Column("attempts", Integer, nullable=False, server_default=text("0")),
    Column("last_error", Text),
    Column("ran_at", TIME),
    PrimaryKeyConstraint("bank_id", name="upkeep_pkey"),
    Index("upkeep_due_idx", "due_at", "bank_id"),
    postgresql_with={
        "fillfactor": 60,
        "autovacuum_vacuum_scale_factor": 0.02,
        "autovacuum_vacuum_threshold": 1000,
    },
)

job_run = Table(
    "job_run",
    metadata,
    Column("job_run_id", UUID, nullable=False),
    Column("night_id", UUID, nullable=False),
    Column("pass", KEY, nullable=False),
    Column("bank_ids", ARRAY(Text), nullable=False),
    Column("as_of", TIME, nullable=False),
    Column("started_at", TIME, nullable=False),
    Column("ended_at", TIME, nullable=False),
    Column("seconds", Double, nullable=False),
    Column("outcome", KEY, nullable=False),
    Column("failed", Integer, nullable=False, server_default=text("0")),
    Column("counts", JSONB, nullable=False, server_default=OBJECT),
    Column("model_calls", Integer, nullable=False, server_default=text("0")),
    Column("tokens", BigInteger, nullable=False, server_default=text("0")),
    Column("compression_ratio", Double),
    Column("error", Text),
    Column("worker", Text, nullable=False),
    PrimaryKeyConstraint("job_run_id", name="job_run_pkey"),
    CheckConstraint("outcome in ('done', 'failed')", name="job_run_outcome_check"),
    Index("job_run_newest_idx", "started_at"),
)

fact_merge = Table(
    "fact_merge",
    metadata,
    Column("bank_id", KEY, nullable=False),
    Column("merge_id", BigInteger, Identity(always=True), nullable=False),
    Column("loser_id", UUID, nullable=False),
    Column("winner_id", UUID, nullable=False),
    Column("reason", Text, nullable=False),
    Column("actor", Text, nullable=False),
    Column("recorded_at", TIME, nullable=False),
    Column("episodes", ARRAY(UUID), nullable=False, server_default=text("'{}'::uuid[]")),
    Column("stated_episodes", ARRAY(UUID), nullable=False, server_default=text("'{}'::uuid[]")),
    Column("judgements", ARRAY(BigInteger), nullable=False, server_default=text("'{}'::bigint[]")),
    Column("tags", ARRAY(Text), nullable=False, server_default=NONE),
    Column("recipients", ARRAY(Text), nullable=False, server_default=NONE),
    Column("winner_before", JSONB),
    Column("undone_at", TIME),
    Column("undone_by", Text),
    PrimaryKeyConstraint("bank_id", "merge_id", name="fact_merge_pkey"),
    CheckConstraint("loser_id <> winner_id", name="fact_merge_two_check"),
    CheckConstraint("(undone_at is null) = (undone_by is null)", name="fact_merge_undone_check"),
    ForeignKeyConstraint(
        ["bank_id", "loser_id"],
        ["memory.semantic_memory.bank_id", "memory.semantic_memory.memory_id"],
        name="fact_merge_loser_fkey",
        deferrable=True,
    ),
    ForeignKeyConstraint(
        ["bank_id", "winner_id"],
        ["memory.semantic_memory.bank_id", "memory.semantic_memory.memory_id"],
        name="fact_merge_winner_fkey",
        deferrable=True,
    ),
    Index(
        "fact_merge_loser_key",
        "bank_id",
        "loser_id",
        unique=True,
        postgresql_where=text("undone_at is null"),
    ),
    Index("fact_merge_pair_idx", "bank_id", "loser_id", "winner_id"),
    Index("fact_merge_winner_idx", "bank_id", "winner_id"),
)

merge_decision = Table(
    "merge_decision",
    metadata,
    Column("bank_id", KEY, nullable=False),
    Column("one_id", UUID, nullable=False),
    Column("other_id", UUID, nullable=False),
    Column("texts_hash", KEY, nullable=False),
    Column("same", Boolean, nullable=False),
    Column("decided_by", Text, nullable=False),
    Column("recorded_at", TIME, nullable=False),
    PrimaryKeyConstraint("bank_id", "one_id", "other_id", name="merge_decision_pkey"),
    CheckConstraint("one_id < other_id", name="merge_decision_order_check"),
    ForeignKeyConstraint(
        ["bank_id", "one_id"],
        ["memory.semantic_memory.bank_id", "memory.semantic_memory.memory_id"],
        name="merge_decision_one_fkey",
        deferrable=True,
    ),
    ForeignKeyConstraint(
        ["bank_id", "other_id"],
        ["memory.semantic_memory.bank_id", "memory.semantic_memory.memory_id"],
        name="merge_decision_other_fkey",
        deferrable=True,
    ),
    Index("merge_decision_other_idx", "bank_id", "other_id"),
)

watermark = Table(
    "watermark",
    metadata,
    Column("bank_id", KEY, nullable=False),
    Column("pass", KEY, nullable=False),
    Column("memory_id", UUID, nullable=False),
    Column("state", KEY, nullable=False),
    PrimaryKeyConstraint("bank_id", "pass", "memory_id", name="watermark_pkey"),
    CheckConstraint(
        "pass in ('merge', 'evidence', 'conflict', 'doubt', 'consolidate')", name="watermark_pass_check"
    ),
)

session_memory = Table(
    "session_memory",
    metadata,
    Column("bank_id", KEY, nullable=False),
    Column("session_id", KEY, nullable=False),
    Column("lineage", UUID, nullable=False),
    Column("version", BigInteger, nullable=False),
    Column("state", Text, nullable=False),
    Column("root", LargeBinary, nullable=False),
    Column("bytes", Integer, nullable=False),
    Column("created_at", TIME, nullable=False),
    Column("updated_at", TIME, nullable=False),
    Column("unused_parts", Boolean, nullable=False, server_default=text("false")),
    PrimaryKeyConstraint("bank_id", "session_id", name="session_memory_pkey"),
    ForeignKeyConstraint(["bank_id"], BANK, name="session_memory_bank_fkey"),
    CheckConstraint(
        r"session_id ~ '^[A-Za-z0-9][A-Za-z0-9_.\:@-]{0,127}$'", name="session_memory_session_id_check"
    ),
    CheckConstraint("version > 0", name="session_memory_version_check"),
    CheckConstraint("octet_length(root) = 32", name="session_memory_root_check"),
    Index("session_memory_newest_idx", "bank_id", "updated_at", "session_id"),
    Index("session_memory_lineage_idx", "bank_id", "lineage"),
    Index("session_memory_unused_idx", "bank_id", postgresql_where=text("unused_parts")),
)

session_checkpoint = Table(
    "session_checkpoint",
    metadata,
    Column("bank_id", KEY, nullable=False),
    Column("session_id", KEY, nullable=False),
    Column("number", Integer, nullable=False),
    Column("checkpoint_id", UUID, nullable=False),
    Column("version", BigInteger, nullable=False),
    Column("state", Text, nullable=False),
    Column("root", LargeBinary, nullable=False),
    Column("bytes", Integer, nullable=False),
    Column("name", Text),
    Column("note", Text),
    Column("created_at", TIME, nullable=False),
    PrimaryKeyConstraint("bank_id", "session_id", "number", name="session_checkpoint_pkey"),
    UniqueConstraint("bank_id", "session_id", "checkpoint_id", name="session_checkpoint_checkpoint_id_key"),
    ForeignKeyConstraint(
        ["bank_id", "session_id"],
        ["memory.session_memory.bank_id", "memory.session_memory.session_id"],
        name="session_checkpoint_session_fkey",
        ondelete="CASCADE",
    ),
    CheckConstraint("octet_length(root) = 32", name="session_checkpoint_root_check"),
)

session_part = Table(
    "session_part",
    metadata,
    Column("bank_id", KEY, nullable=False),
    Column("lineage", UUID, nullable=False),
    Column("digest", LargeBinary, nullable=False),
    Column("content", Text, nullable=False),
    Column("children", LargeBinary, nullable=False, server_default=text("''::bytea")),
    PrimaryKeyConstraint("bank_id", "lineage", "digest", name="session_part_pkey"),
    ForeignKeyConstraint(["bank_id"], BANK, name="session_part_bank_fkey"),
    CheckConstraint("octet_length(digest) = 32", name="session_part_digest_check"),
    CheckConstraint("octet_length(children) % 32 = 0", name="session_part_children_check"),
)

erasure = Table(
    "erasure",
    metadata,
    Column("bank_id", KEY, nullable=False),
    Column("erasure_id", UUID, nullable=False),
    Column("scope", Text, nullable=False),
    Column("selector", JSONB, nullable=False),
    Column("status", Text, nullable=False),
    Column("actor", Text, nullable=False),
    Column("key_id", Text),
    Column("reason", Text),
    Column("requested_at", TIME, nullable=False),
    Column("unreachable_at", TIME, nullable=False),
    Column("scrubbed_at", TIME),
    Column("row_counts", JSONB, nullable=False, server_default=OBJECT),
    PrimaryKeyConstraint("bank_id", "erasure_id", name="erasure_pkey"),
    CheckConstraint(r"bank_id ~ '^[A-Za-z0-9][A-Za-z0-9_.\:@-]{0,127}$'", name="erasure_bank_id_check"),
    CheckConstraint(
        "scope in ('memory', 'conversation', 'period', 'agent', 'search', 'bank')", name="erasure_scope_check"
    ),
    CheckConstraint("status in ('unreachable', 'scrubbed')", name="erasure_status_check"),
    CheckConstraint("(status = 'scrubbed') = (scrubbed_at is not null)", name="erasure_times_check"),
    Index("erasure_newest_idx", "bank_id", "requested_at", "erasure_id"),
    Index("erasure_unscrubbed_idx", "erasure_id", postgresql_where=text("status = 'unreachable'")),
)

erased_item = Table(
    "erased_item",
    metadata,
    Column("bank_id", KEY, nullable=False),
    Column("erasure_id", UUID, nullable=False),
    Column("kind", Text, nullable=False),
    Column("id_hash", LargeBinary, nullable=False),
    PrimaryKeyConstraint("bank_id", "erasure_id", "kind", "id_hash", name="erased_item_pkey"),
    ForeignKeyConstraint(
        ["bank_id", "erasure_id"],
        ["memory.erasure.bank_id", "memory.erasure.erasure_id"],
        name="erased_item_erasure_fkey",
    ),
    CheckConstraint(
        "kind in ('bank', 'conversation', 'message', 'memory', 'norm', 'session')",
        name="erased_item_kind_check",
    ),
    CheckConstraint("octet_length(id_hash) = 32", name="erased_item_id_hash_check"),
    Index("erased_item_hash_idx", "bank_id", "kind", "id_hash"),
)

erasure_secret = Table(
    "erasure_secret",
    metadata,
    Column("only_row", Boolean, nullable=False, server_default=text("true")),
    Column("secret", LargeBinary, nullable=False),
    PrimaryKeyConstraint("only_row", name="erasure_secret_pkey"),
    CheckConstraint("only_row", name="erasure_secret_only_row_check"),
    CheckConstraint("octet_length(secret) = 32", name="erasure_secret_secret_check"),
)

SERVER = ["memory.server.server_id"]

server = Table(
    "server",
    metadata,
    Column("server_id", KEY, nullable=False),
    Column("url", Text),
    Column("direct_url", Text),
    Column("read_url", Text),
    Column("added_at", TIME, nullable=False, server_default=NOW),
    PrimaryKeyConstraint("server_id", name="server_pkey"),
    CheckConstraint("server_id ~ '^[a-z][a-z0-9_-]{0,39}$'", name="server_server_id_check"),
    CheckConstraint("(server_id = 'home') = (url is null)", name="server_url_check"),
)

server_slot = Table(
    "server_slot",
    metadata,
    Column("slot", Integer, nullable=False, autoincrement=False),
    Column("server_id", KEY, nullable=False),
    PrimaryKeyConstraint("slot", name="server_slot_pkey"),
    CheckConstraint("slot between 0 and 1023", name="server_slot_slot_check"),
    ForeignKeyConstraint(["server_id"], SERVER, name="server_slot_server_fkey"),
)

bank_place = Table(
    "bank_place",
    metadata,
    Column("bank", KEY, nullable=False),
    Column("server_id", KEY, nullable=False),
    PrimaryKeyConstraint("bank", name="bank_place_pkey"),
    ForeignKeyConstraint(["server_id"], SERVER, name="bank_place_server_fkey"),
)

server_map = Table(
    "server_map",
    metadata,
    Column("only_row", Boolean, nullable=False, server_default=text("true")),
    Column("version", BigInteger, nullable=False, server_default=text("1")),
    PrimaryKeyConstraint("only_row", name="server_map_pkey"),
    CheckConstraint("only_row", name="server_map_only_row_check"),
)

bank_fence = Table(
    "bank_fence",
    metadata,
    Column("bank", KEY, nullable=False),
    Column("target", KEY, nullable=False),
    Column("moved", Boolean, nullable=False, server_default=text("false")),
    Column("fenced_at", TIME, nullable=False, server_default=NOW),
    Column("scrubbed_at", TIME),
    PrimaryKeyConstraint("bank", name="bank_fence_pkey"),
)
