"""What a model was asked about in vain is asked again on later nights, a few times.

night_mark keeps how often (memory_api.mark_in_vain); the consolidation of episodes keeps marks there, too.
"""

from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

CHECK = """
alter table memory.night_mark drop constraint night_mark_pass_check;
alter table memory.night_mark add constraint night_mark_pass_check
    check (pass in ('merge', 'evidence', 'conflict', 'doubt', 'consolidate'));
"""


def upgrade() -> None:
    op.get_bind().connection.driver_connection.execute(CHECK)
