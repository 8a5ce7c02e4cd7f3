"""Duplicates found by what they say: a key over content words, numbers and negation beside each active episode.

The key is empty in the rows that there are, and in banks that keep everything apart; activation fills it where it
looks for duplicates. Both indexes name the key in their predicate, so that no query about a bank's active episodes is
drawn to them.
"""

from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

KEY = """
alter table memory.episodic_memory add column said_key bigint;
create index episodic_memory_said_idx on memory.episodic_memory (bank_id, said_key)
    where status = 'active' and said_key is not null;
create index episodic_memory_unsaid_idx on memory.episodic_memory (bank_id)
    where status = 'active' and said_key is null;
"""


def upgrade() -> None:
    op.get_bind().connection.driver_connection.execute(KEY)
