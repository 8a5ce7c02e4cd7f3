"""The read path, whole: each memory's words beside its vector, its neighbours, who speaks in it.

`memory_text` is narrow and partitioned by bank, as `memory_vector` is. `search` has the memory's own words and one more
lexeme, a blank and the bank's id, which no text yields: one GIN probe finds a word within a bank, whatever other banks
hold, without btree_gin, which not every server has. `around` has the words of the memories next to it; it is in no
index, so a memory that comes next to another costs that one a HOT update and no index entry.

Memories that are there already get their rows here, with the default language; speakers of earlier memories too.
"""

from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

TABLES = """
create table memory.memory_text (
    bank_id    text collate "C" not null,
    memory_id  uuid not null,
    tier       text collate "C" not null,
    search     tsvector not null,
    around     tsvector not null default '',
    asks       boolean not null default false,
    speakers   text[] not null default '{}',
    before_id  uuid,
    after_id   uuid,
    answers    uuid,
    constraint memory_text_pkey primary key (bank_id, memory_id),
    constraint memory_text_tier_check check (tier in ('episodic', 'semantic', 'procedural'))
) partition by hash (bank_id);
do $$
declare
    partition text;
begin
    for i in 0..15 loop
        partition := 'memory.memory_text_' || lpad(i::text, 2, '0');
        execute format('create table %s partition of memory.memory_text '
                       'for values with (modulus 16, remainder %s) with (fillfactor = 85)', partition, i);
        execute format('alter table %s enable row level security', partition);
    end loop;
end $$;
-- No pending list: every recall would have to read it through.
create index memory_text_search_idx on memory.memory_text using gin (search) with (fastupdate = off);

-- The words by which the speakers of a bank are called, in lower case.
create table memory.person (
    bank_id  text collate "C" not null,
    name     text collate "C" not null,
    constraint person_pkey primary key (bank_id, name),
    constraint person_bank_fkey foreign key (bank_id) references memory.bank (bank_id)
);

-- A memory's neighbours in its conversation, by two probes; nobody asked the index that was here.
drop index memory.episodic_memory_conversation_idx;
create index episodic_memory_conversation_idx
    on memory.episodic_memory (bank_id, conversation_id, occurred_at, memory_id)
    where status in ('active', 'archived');
create index episodic_memory_importance_idx
    on memory.episodic_memory (bank_id, importance desc, occurred_at desc, memory_id desc);
"""

SECURED = ("memory_text", "person")

BACKFILL = """
insert into memory.memory_text
    (bank_id, memory_id, tier, search, around, asks, speakers, before_id, after_id, answers)
with own as (
    select e.bank_id, e.memory_id, setweight(to_tsvector('english', e.summary), 'A') as words,
           rtrim(e.summary) ~ '[?？؟]$' as asks,
           array(select distinct word
                   from jsonb_path_query(e.full_text, '$.messages[*].name') as name
                  cross join unnest(string_to_array(lower(name #>> '{}'), ' ')) as word
                  where word <> '' order by word) as speakers,
           case when lag(e.occurred_at) over w >= e.occurred_at - interval '1 hour'
                then lag(e.memory_id) over w end as before_id,
           case when lead(e.occurred_at) over w <= e.occurred_at + interval '1 hour'
                then lead(e.memory_id) over w end as after_id
      from memory.episodic_memory e
     where e.status in ('active', 'archived') and e.conversation_id is not null
    window w as (partition by e.bank_id, e.conversation_id order by e.occurred_at, e.memory_id)
     union all
    select e.bank_id, e.memory_id, setweight(to_tsvector('english', e.summary), 'A'),
           rtrim(e.summary) ~ '[?？؟]$', '{}', null, null
      from memory.episodic_memory e
     where e.status in ('active', 'archived') and e.conversation_id is null
)
select o.bank_id, o.memory_id, 'episodic', o.words || array_to_tsvector(array[' ' || o.bank_id]),
       setweight(coalesce(b.words, ''), case when b.asks then 'B' else 'D' end::"char")
       || setweight(coalesce(a.words, ''), 'D'),
       o.asks, o.speakers, o.before_id, o.after_id, case when b.asks then o.before_id end
  from own o
  left join own b on b.bank_id = o.bank_id and b.memory_id = o.before_id
  left join own a on a.bank_id = o.bank_id and a.memory_id = o.after_id;
insert into memory.person (bank_id, name)
select distinct t.bank_id, name from memory.memory_text t cross join unnest(t.speakers) as name;
"""

# They answer other columns or take other arguments now, which `create or replace` refuses.
GONE = """
drop function if exists memory_api.read_bank(text);
drop function if exists memory_api.recall_candidates(
    text, text, public.halfvec, integer, text[], text[], timestamptz, timestamptz, text, text, boolean, text,
    timestamptz);
"""


def upgrade() -> None:
    execute = op.get_bind().connection.driver_connection.execute
    execute(TABLES)
    for table in SECURED:
        execute(f"alter table memory.{table} enable row level security")
        execute(
            f"create policy {table}_of_named_bank on memory.{table} "
            "using (bank_id = nullif(current_setting('memory.bank_id', true), ''))"
        )
    execute(BACKFILL)
    execute(GONE)
