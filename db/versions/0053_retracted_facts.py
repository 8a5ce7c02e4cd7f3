"""An index of retracted facts: whether a bank has any is known without reading its facts."""

from alembic import op

revision = "0053"
down_revision = "0052"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute(
        "create index if not exists semantic_memory_retracted_idx on memory.semantic_memory (bank_id) "
        "where retracted_at is not null"
    )
