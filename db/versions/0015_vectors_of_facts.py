"""The vectors of a bank's facts are found by themselves.

A bank has many more episodes than facts, and what looks for similar facts (a new fact's neighbours, the night's
conflicts and merges) read the pages of all of them: 2,600 for 500 facts beside 6,000 episodes, 500 with this index.
"""

from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

INDEX = """
create index memory_vector_facts_idx on memory.memory_vector (bank_id, model_id, memory_id) where tier = 'semantic';
"""


def upgrade() -> None:
    op.get_bind().connection.driver_connection.execute(INDEX)
