"""Announced times of statements: a job that begins next month, a leave that ends in July."""

from alembic import op

revision = "0054"
down_revision = "0053"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute(
        "alter table memory.fact_evidence add column if not exists starts_at timestamptz, "
        "add column if not exists ends_at timestamptz"
    )
