"""An index of deaths: a context reads the few of a bank without its other facts."""

from alembic import op

revision = "0055"
down_revision = "0054"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute(
        "create index if not exists semantic_memory_died_idx on memory.semantic_memory (bank_id) "
        "where attribute in ('died', 'has_died')"
    )
