"""Metrics of all processes: counters and histograms without any bank."""

from alembic import op

revision = "0037"
down_revision = "0036"
branch_labels = None
depends_on = None

TABLES = """
-- A counter or histogram with its labels. `amounts` is the count alone, or the counts of the buckets and the sum.
-- Unlogged: after a crash of the server all begin at 0, which Prometheus takes as a restart.
create unlogged table memory.metric (
    name     text collate "C" not null,
    labels   text[] not null,
    amounts  double precision[] not null,
    constraint metric_pkey primary key (name, labels)
);
"""


def upgrade() -> None:
    op.get_bind().connection.driver_connection.execute(TABLES)
