"""memory_api.recall_candidates says of each fact whether it matters to any answer (memory_api.is_vital)."""

from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None

# It returns another column now, which `create or replace` refuses.
GONE = """
drop function if exists memory_api.recall_candidates(
    text, text, public.halfvec, text, text[], integer, integer, integer, text[], double precision, jsonb, text[],
    text[], text[], double precision, timestamptz, timestamptz, text, text, jsonb, boolean, timestamptz, text[]);
"""


def upgrade() -> None:
    op.get_bind().connection.driver_connection.execute(GONE)
