"""A message's position is the next one of its conversation, no longer a number of the server's sequence.

After a bank was moved to another server (dump, COPY), that server's sequence began below the positions that the bank
had: new messages fell below their conversation's cut_through and were never cut. Conversations that have such messages
are cut again.
"""

from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None

POSITION = """
alter table memory.message alter column position drop identity if exists;
"""
STRANDED = """
with stranded as (
    select distinct m.bank_id, m.conversation_id
      from memory.message m
      join memory.conversation c on c.bank_id = m.bank_id and c.conversation_id = m.conversation_id
     where m.status = 'pending' and m.segment_id is null and m.position <= c.cut_through
),
recut as (
    update memory.conversation c set cut_through = 0
      from stranded s
     where c.bank_id = s.bank_id and c.conversation_id = s.conversation_id
)
insert into memory.work (bank_id, kind, subject, lane, not_before, enqueued_at)
select s.bank_id, 'cut', s.conversation_id, 1, now(), now() from stranded s
    on conflict on constraint work_pkey do nothing;
"""


def upgrade() -> None:
    execute = op.get_bind().connection.driver_connection.execute
    execute(POSITION)
    execute(STRANDED)
