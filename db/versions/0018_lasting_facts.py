"""Facts decay by the durability of their attribute; what is permanent decays only once it is contradicted.

Until now every attribute decayed alike: a home or an allergy mentioned once was deprecated after 70 to 110 days.
memory_api.fade_facts restores those that would not have faded; the banks that have any become due for upkeep.
"""

from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None

COLUMNS = """
alter table memory.semantic_memory add column contradicted_at timestamptz;
alter table memory.fact_version add column contradicted_at timestamptz;
"""

# As memory_api.conflicts_of has it: the older of two facts is contradicted by the newer, or each by the other.
CONTRADICTED = """
update memory.semantic_memory f
   set contradicted_at = c.at
  from (select one.bank_id, one.memory_id,
               min(case when k.handling = 'both_halved' then k.recorded_at else other.valid_from end) as at
          from memory.fact_conflict k
          join memory.semantic_memory one on one.bank_id = k.bank_id and one.memory_id in (k.one_id, k.other_id)
          join memory.semantic_memory other
            on other.bank_id = k.bank_id and other.memory_id in (k.one_id, k.other_id)
           and other.memory_id <> one.memory_id
         where k.resolution is null and one.valid_to is null and other.valid_to is null
           and other.retracted_at is null and other.status <> 'merged_into'
           and (k.handling = 'both_halved'
                or (one.valid_from, one.fact, one.memory_id) < (other.valid_from, other.fact, other.memory_id))
         group by one.bank_id, one.memory_id) as c
 where f.bank_id = c.bank_id and f.memory_id = c.memory_id;
"""

DUE = """
update memory.upkeep u
   set due_at = '-infinity', generation = u.generation + 1
 where exists (select from memory.semantic_memory f where f.bank_id = u.bank_id and f.faded_at is not null);
"""

# It returns another column, which `create or replace` refuses.
GONE = "drop function if exists memory_api.weigh_fact(text, uuid)"


def upgrade() -> None:
    execute = op.get_bind().connection.driver_connection.execute
    for step in (COLUMNS, CONTRADICTED, DUE, GONE):
        execute(step)
