"""The thresholds of the built-in embedding model with its adapter, the default of new banks from here on.

Banks of all-MiniLM-L6-v2 keep it; `memory-service reembed` changes a bank's model.
"""

from alembic import op

revision = "0052"
down_revision = "0051"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute(
        "insert into memory.embedding_model "
        "(name, dimensions, duplicate_threshold, conflict_threshold, evidence_threshold, thresholds_source) "
        "values ('all-MiniLM-L6-v2-memory', 384, 0.97, 0.395, 0.73, 'calibrated') on conflict (name) do nothing"
    )
