"""memory_api.claim_work gives half of a batch to the live work that became ready last, and finds it by this index."""

from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None

NEWEST = """
create index work_newest_idx on memory.work (kind, lane, alone, not_before) where dead_at is null;
drop function if exists memory_api.enqueue_new(text, text, text[], integer[], timestamptz);
"""


def upgrade() -> None:
    op.get_bind().connection.driver_connection.execute(NEWEST)
