"""Traces made whole, with an end.

What was asked besides the query is kept as long as the query; a trace's weights and its `as_of` as long as the trace,
so that every score in it can be worked out again. What expires next is found by an index of its own: between the end of
a query and that of its trace lie weeks, which would else be read each time.
"""

from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

TRACES = """
alter table memory.retrieval_trace
    add column asked jsonb not null default '{}',
    add column weights jsonb not null default '{}',
    add column as_of timestamptz;
create index retrieval_trace_query_idx on memory.retrieval_trace (bank_id, at) where query is not null;
"""


def upgrade() -> None:
    op.get_bind().connection.driver_connection.execute(TRACES)
