"""How many memories of a bank have a word: what a recall weighs its words by.

Counting them in the index took a sixth of a recall in a bank of a thousand, for each word of the query, and more the
larger the bank was. The bank's word (memory_api.bank_word), which every memory has, counts the memories. A word that no
memory has any more has no row: what was erased is not kept here.
"""

from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

TABLES = """
create table memory.word_count (
    bank_id   text collate "C" not null,
    word      text collate "C" not null,
    memories  integer not null,
    constraint word_count_pkey primary key (bank_id, word)
) with (fillfactor = 70);
alter table memory.word_count enable row level security;
create policy word_count_of_named_bank on memory.word_count
    using (bank_id = nullif(current_setting('memory.bank_id', true), ''));
"""

# Who writes words holds the bank's row: those under way are waited for, later ones find the functions that count.
ALONE = "lock table memory.bank in exclusive mode;"

BACKFILL = """
insert into memory.word_count (bank_id, word, memories)
select t.bank_id, word, count(*)
  from memory.memory_text t
 cross join unnest(tsvector_to_array(t.search)) as word
 group by t.bank_id, word;
"""


def upgrade() -> None:
    op.get_bind().connection.driver_connection.execute(ALONE + TABLES + BACKFILL)
