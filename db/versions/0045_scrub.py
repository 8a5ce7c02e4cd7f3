"""Scrubbing: erasures wait for it by an index. The status `pending` was never written."""

from alembic import op

revision = "0045"
down_revision = "0044"
branch_labels = None
depends_on = None

TABLES = """
alter table memory.erasure alter column status drop default;
alter table memory.erasure alter column unreachable_at set not null;
alter table memory.erasure drop constraint erasure_status_check;
alter table memory.erasure drop constraint erasure_times_check;
alter table memory.erasure add constraint erasure_status_check check (status in ('unreachable', 'scrubbed'));
alter table memory.erasure add constraint erasure_times_check
    check ((status = 'scrubbed') = (scrubbed_at is not null));
create index erasure_unscrubbed_idx on memory.erasure (erasure_id) where status = 'unreachable';
"""


def upgrade() -> None:
    op.get_bind().connection.driver_connection.execute(TABLES)
