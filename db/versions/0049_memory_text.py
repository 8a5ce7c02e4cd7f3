"""Words of memories without the id of the question before, which recall no longer reads."""

from alembic import op

revision = "0049"
down_revision = "0048"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("alter table memory.memory_text drop column question_id")
