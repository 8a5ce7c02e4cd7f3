"""memory_api.unclustered_episodes says when each episode occurred: the night clusters by topic and time."""

from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("drop function if exists memory_api.unclustered_episodes(text, text, integer, timestamptz)")
