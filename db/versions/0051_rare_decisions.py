"""An index of gate decisions by outcome: the newest of a rare outcome are found without reading all decisions."""

from alembic import op

revision = "0051"
down_revision = "0050"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute(
        "create index gate_decision_outcome_idx on memory.gate_decision "
        "(bank_id, outcome, decided_at desc, decision_id desc) where outcome <> 'stored'"
    )
