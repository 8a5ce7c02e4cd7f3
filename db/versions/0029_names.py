"""Names in the terms of docs/glossary.md.

Each step runs only where the old name exists: 0028_schema.py creates the new names, and databases at 0028 that were
migrated before it was written have the old ones.
"""

from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None

TABLES = (
    ("night_mark", "watermark"),
    ("merge_verdict", "merge_decision"),
)

COLUMNS = (
    ("conversation", "cut_through", "segmented_through"),
    ("embedding_model", "thresholds_from", "thresholds_source"),
    ("episodic_memory", "said_key", "fingerprint"),
    ("semantic_memory", "said_key", "fingerprint"),
    ("fact_judgement", "verdict", "judgement"),
    ("fact_pair", "verdict", "decision"),
    ("fact_merge", "raised", "stated_episodes"),
    ("fact_merge", "winner_was", "winner_before"),
    ("merge_decision", "texts", "texts_hash"),
    ("memory_text", "around", "neighbour_words"),
    ("memory_text", "asks", "is_question"),
    ("memory_text", "answers", "question_id"),
    ("retrieval_trace", "asked", "parameters"),
)

CONSTRAINTS = (
    ("fact_judgement", "fact_judgement_verdict_check", "fact_judgement_judgement_check"),
    ("fact_pair", "fact_pair_verdict_check", "fact_pair_decision_check"),
    ("merge_decision", "merge_verdict_pkey", "merge_decision_pkey"),
    ("merge_decision", "merge_verdict_order_check", "merge_decision_order_check"),
    ("merge_decision", "merge_verdict_one_fkey", "merge_decision_one_fkey"),
    ("merge_decision", "merge_verdict_other_fkey", "merge_decision_other_fkey"),
    ("watermark", "night_mark_pkey", "watermark_pkey"),
    ("watermark", "night_mark_pass_check", "watermark_pass_check"),
)

INDEXES = (
    ("episodic_memory_said_idx", "episodic_memory_fingerprint_idx"),
    ("episodic_memory_unsaid_idx", "episodic_memory_no_fingerprint_idx"),
    ("semantic_memory_said_key_idx", "semantic_memory_fingerprint_idx"),
    ("message_kept_idx", "message_unexpired_idx"),
    ("merge_verdict_other_idx", "merge_decision_other_idx"),
)

POLICIES = (
    ("watermark", "night_mark_of_named_bank", "watermark_of_named_bank"),
    ("merge_decision", "merge_verdict_of_named_bank", "merge_decision_of_named_bank"),
)

# Work items of conversations, dead letters included.
KINDS = """
alter table memory.work drop constraint work_kind_check;
update memory.work set kind = 'segment' where kind = 'cut';
alter table memory.work add constraint work_kind_check
    check (kind in ('segment', 'extract', 'annotate', 'embed', 'facts', 'judge'));
"""

# Postgres 18 names not-null constraints; partitions follow their parent.
NOT_NULL_CONSTRAINTS = """
select r.relname, n.conname, r.relname || '_' || a.attname || '_not_null'
  from pg_constraint n
  join pg_class r on r.oid = n.conrelid and r.relnamespace = 'memory'::regnamespace and not r.relispartition
  join pg_attribute a on a.attrelid = r.oid and a.attnum = n.conkey[1]
 where n.contype = 'n' and n.conname <> r.relname || '_' || a.attname || '_not_null'
"""


def upgrade() -> None:
    execute = op.get_bind().connection.driver_connection.execute

    def found(catalog: str, *values: str) -> bool:
        return execute(f"select exists (select from {catalog})", values).fetchone()[0]  # noqa: S608

    for old, new in TABLES:
        if found("pg_class where relnamespace = 'memory'::regnamespace and relname = %s", old):
            execute(f"alter table memory.{old} rename to {new}")
    for table, old, new in COLUMNS:
        if found("pg_attribute where attrelid = %s::regclass and attname = %s", f"memory.{table}", old):
            execute(f"alter table memory.{table} rename column {old} to {new}")
    for table, old, new in CONSTRAINTS:
        if found("pg_constraint where conrelid = %s::regclass and conname = %s", f"memory.{table}", old):
            execute(f"alter table memory.{table} rename constraint {old} to {new}")
    for old, new in INDEXES:
        execute(f"alter index if exists memory.{old} rename to {new}")
    for table, old, new in POLICIES:
        if found("pg_policy where polrelid = %s::regclass and polname = %s", f"memory.{table}", old):
            execute(f"alter policy {old} on memory.{table} rename to {new}")
    for table, old, new in execute(NOT_NULL_CONSTRAINTS).fetchall():
        execute(f"alter table memory.{table} rename constraint {old} to {new}")
    if found(
        "pg_constraint where conname = 'work_kind_check' and pg_get_constraintdef(oid) like '%%''cut''%%'"
    ):
        execute(KINDS)
