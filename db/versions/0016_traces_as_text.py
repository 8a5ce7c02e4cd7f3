"""A trace's candidates are kept as the text that they come as.

Many more traces are written than read. As jsonb a hundred candidates were 1,400 numerics to make, 26 kB that
compression then made 9 of; as text, uncompressed, they are 16 kB, and most of what a trace cost is gone. The table is
written anew, which takes as long as it is large; nobody reads or writes traces meanwhile.
"""

from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

# The views that read them keep their columns, their grants and what people built on them: they say nothing until they
# are made anew after all steps.
TEXT = """
create or replace view analytics.memory_age_at_retrieval with (security_invoker = true) as
select null::text collate "C" as bank_id, null::date as day, null::bigint as reads, null::bigint as memories,
       null::double precision as mean_age_days, null::double precision as median_age_days,
       null::double precision as oldest_age_days;
create or replace view analytics.retrieval_hit_rate with (security_invoker = true) as
select null::text collate "C" as bank_id, null::date as day, null::bigint as reads, null::bigint as answered,
       null::bigint as hits, null::double precision as hit_rate, null::double precision as mean_best_similarity,
       null::bigint as degraded;
alter table memory.retrieval_trace
    alter column candidates type json using candidates::json,
    alter column candidates set storage external;
"""


def upgrade() -> None:
    op.get_bind().connection.driver_connection.execute(TEXT)
