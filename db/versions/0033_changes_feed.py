"""Order of events by commit, for the changes feed."""

from alembic import op

revision = "0033"
down_revision = "0032"
branch_labels = None
depends_on = None

TABLES = """
-- Event ids are assigned before the commit, so that a reader could pass one that commits later. `xid` is the writing
-- transaction: events below the oldest transaction in progress are complete (list_changes). Ids of transactions belong
-- to a cluster: its identifier is noted here; migrate.py orders former events first after a restore into another.
alter table memory.memory_event add column xid bigint not null default pg_current_xact_id()::text::bigint;
create index memory_event_order_idx on memory.memory_event (bank_id, xid, event_id);
alter table memory.installation add column cluster text;
update memory.installation set cluster = (select system_identifier::text from pg_control_system());
"""


def upgrade() -> None:
    op.get_bind().connection.driver_connection.execute(TABLES)
