"""What the nightly consolidation keeps of an episode: its cluster, that it was looked at, what a summary sums up.

clustered_at is when an episode was first looked at among others: those that found no cluster wait, and are looked at
again only when something new has come. cluster_id is decided before anything follows from it, so that a night that is
killed and run again goes on with the same clusters. summarizes tells a memory that upkeep wrote from what was said:
'cluster' for the summary of a cluster, 'similar' for one that stands for many that are nearly equal (S5).
restored_at: somebody brought it back from a summary; it is not compressed again.
"""

from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

TABLES = """
alter table memory.episodic_memory
    add column cluster_id uuid,
    add column clustered_at timestamptz,
    add column summarizes text collate "C",
    add column restored_at timestamptz,
    add constraint episodic_memory_summarizes_check check (summarizes in ('cluster', 'similar'));
create index episodic_memory_unconsolidated_idx on memory.episodic_memory (bank_id, occurred_at)
    where consolidated_at is null and status in ('active', 'archived');
create index episodic_memory_cluster_idx on memory.episodic_memory (bank_id, cluster_id)
    where cluster_id is not null and status = 'active';

-- From a summary to each episode that it sums up.
alter table memory.memory_link drop constraint memory_link_reason_check;
alter table memory.memory_link add constraint memory_link_reason_check
    check (reason in ('entity', 'similarity', 'summary'));
"""


def upgrade() -> None:
    op.get_bind().connection.driver_connection.execute(TABLES)
