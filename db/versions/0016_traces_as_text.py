"""A trace's candidates are kept as the text that they come as.

Many more traces are written than read. As jsonb a hundred candidates were 1,400 numerics to make, 26 kB that
compression then made 9 of; as text, uncompressed, they are 16 kB, and half of what a trace cost is gone.
"""

from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

# The views that read them are made anew after all steps.
TEXT = """
drop view if exists analytics.memory_age_at_retrieval, analytics.retrieval_hit_rate;
alter table memory.retrieval_trace
    alter column candidates type json using candidates::json,
    alter column candidates set storage external;
"""


def upgrade() -> None:
    op.get_bind().connection.driver_connection.execute(TEXT)
