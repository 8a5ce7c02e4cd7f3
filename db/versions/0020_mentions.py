"""What kinds of things a memory mentions is kept beside its words: recall prefers those that a question asks for.

Filled for all memories here, because nothing else would write the rows again; about 0.1 ms a memory.
"""

from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None

COLUMN = """
alter table memory.memory_text add column mentions smallint not null default 0;
"""

# memory_api.mentions as of this migration, which is made after it.
FILL = r"""
update memory.memory_text t
   set mentions = m.mentions
  from (
    select i.bank_id, i.memory_id,
           ((i.said ~* ('\[[^][]*\d{4}\]|\m(?:19|20)\d\d\M|\m(?:yesterday|today|tonight|tomorrow|ago|since|weekend|'
                      '(?:last|next|this) (?:week|month|year|night|spring|summer|autumn|fall|winter)|'
                      '(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march \d|april|june|july|august|'
                      'september|october|november|december|(?:days?|weeks?|months?|years?|hours?))\M'))::integer
            + 2 * (i.said ~ '\m(?:in|at|to|from|near|around|of|on) (?:the )?[[:upper:]]\w+')::integer
            + 4 * (i.said ~ '[[:alnum:],;)] [[:upper:]][[:lower:]]+')::integer
            + 8 * (i.said ~* ('\d|\m(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twice|once|dozen|'
                            'hundred|thousand|million|half)\M'))::integer
            + 16 * (i.said ~* ('\m(?:because|since|so that|in order to|inspired|motivated|that''s why|the reason|'
                             'to help|wanted to)\M'))::integer)::smallint as mentions
      from (select e.bank_id, e.memory_id, e.summary as said from memory.episodic_memory e
             union all
            select f.bank_id, f.memory_id, f.fact from memory.semantic_memory f) as i
  ) as m
 where t.bank_id = m.bank_id and t.memory_id = m.memory_id and m.mentions <> 0;
"""

# They return other columns now, which `create or replace` refuses.
GONE = """
drop function if exists memory_api.candidate_figures(
    text, uuid[], text, public.halfvec, boolean, tsquery[], double precision[], text[], real[]);
drop function if exists memory_api.recall_candidates(
    text, text, public.halfvec, text, text[], integer, integer, integer, text[], double precision, jsonb, text[],
    text[], text[], double precision, timestamptz, timestamptz, text, text, jsonb, boolean, timestamptz);
drop function if exists memory_api.recall_candidates(
    text, text, public.halfvec, text, text[], integer, integer, integer, text[], double precision, jsonb, text[],
    text[], text[], double precision, timestamptz, timestamptz, text, text, jsonb, boolean, timestamptz, text[]);
"""


def upgrade() -> None:
    execute = op.get_bind().connection.driver_connection.execute
    execute(COLUMN)
    execute(FILL)
    execute(GONE)
