"""Re-embedding: vectors of a second model beside those of the bank's embedding model."""

from alembic import op

from memory_service.db.bank_policies import secure_tables

revision = "0047"
down_revision = "0046"
branch_labels = None
depends_on = None

TABLES = """
-- A bank that has vectors of a second model: of the one that it is copied to (`copying`), or of its former one, kept
-- until `keep_until`. Its embedding model is that in memory.bank; recall and intake use no other. `verify_queries`:
-- both models are compared by so many queries before the switch; `verified` is the result.
create table memory.reembedding (
    bank_id         text collate "C" not null,
    other_model     text collate "C" not null,
    status          text collate "C" not null default 'copying',
    keep_days       integer not null,
    verify_queries  integer not null default 0,
    verified        jsonb,
    requested_at    timestamptz not null,
    switched_at     timestamptz,
    keep_until      timestamptz,
    constraint reembedding_pkey primary key (bank_id),
    constraint reembedding_bank_fkey foreign key (bank_id) references memory.bank (bank_id),
    constraint reembedding_other_model_fkey foreign key (other_model) references memory.embedding_model (name),
    constraint reembedding_status_check check (status in ('copying', 'kept')),
    constraint reembedding_keep_until_check check ((status = 'kept') = (keep_until is not null)),
    constraint reembedding_keep_days_check check (keep_days between 1 and 3650),
    constraint reembedding_verify_queries_check check (verify_queries between 0 and 1000)
);
"""


def upgrade() -> None:
    execute = op.get_bind().connection.driver_connection.execute
    execute(TABLES)
    secure_tables(execute, ("reembedding",))
