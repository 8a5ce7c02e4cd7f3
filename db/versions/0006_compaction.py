"""Compaction is a third kind of read: it leaves a trace of its own kind."""

from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

KINDS = """
alter table memory.retrieval_trace
    drop constraint retrieval_trace_kind_check,
    add constraint retrieval_trace_kind_check check (kind in ('recall', 'context', 'compact'));
"""


def upgrade() -> None:
    op.get_bind().connection.driver_connection.execute(KINDS)
