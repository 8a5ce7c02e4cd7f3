"""Judgements and resolved conflicts name the conversation segment and the conflict that they follow from.

Erasure withdraws what a reply in an erased segment decided, and decisions between facts of which one is erased. Rows
from before have neither: their decisions stay.
"""

from alembic import op

revision = "0050"
down_revision = "0049"
branch_labels = None
depends_on = None

COLUMNS = """
-- `rival_id`: the other fact of the conflict that the judgement decides; `segment_id`: the segment whose reply or
-- statement decided it, null for calls.
alter table memory.fact_judgement add column rival_id uuid, add column segment_id uuid;
create index fact_judgement_rival_idx on memory.fact_judgement (bank_id, rival_id) where rival_id is not null;
alter table memory.fact_conflict add column segment_id uuid;
"""


def upgrade() -> None:
    op.get_bind().connection.driver_connection.execute(COLUMNS)
