"""Whether a bank has facts that ended is one probe: where it has none, no recall looks for superseded statements.

memory_api.recall_candidates says so in each of its rows (`ended`) and no longer returns `reply_found`, which had no
reader; memory_api.recent_memory names the episode of each line.
"""

from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None

INDEX = """
create index semantic_memory_ended_idx on memory.semantic_memory (bank_id) where valid_to is not null;
"""

# They return other columns now, which `create or replace` refuses.
GONE = """
drop function if exists memory_api.candidate_figures(
    text, uuid[], text, public.halfvec, boolean, tsquery[], double precision[], text[], real[]);
drop function if exists memory_api.recall_candidates(
    text, text, public.halfvec, text, text[], integer, integer, integer, text[], double precision, jsonb, text[],
    text[], text[], double precision, timestamptz, timestamptz, text, text, jsonb, boolean, timestamptz, text[]);
drop function if exists memory_api.recent_memory(
    text, text, integer, integer, integer, double precision, double precision, boolean, timestamptz);
"""


def upgrade() -> None:
    execute = op.get_bind().connection.driver_connection.execute
    execute(INDEX)
    execute(GONE)
