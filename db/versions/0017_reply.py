"""An episode keeps a short extract of the assistant's reply.

Null for episodes without an assistant's words, and for all that are there already: their messages may be gone. Its
vectors are parts from memory_api.reply_part() on in memory.memory_vector, its words have weight C in
memory.memory_text.search.

The source of an episode may be `assistant`: where every message is an episode, those of the assistant say so.
"""

from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None

COLUMN = """
alter table memory.episodic_memory add column reply text;
alter table memory.episodic_memory drop constraint episodic_memory_source_check;
alter table memory.episodic_memory add constraint episodic_memory_source_check
    check (source in ('user', 'assistant', 'agent', 'tool', 'import'));
"""

# They return other columns now, which `create or replace` refuses.
GONE = """
drop function if exists memory_api.read_pending_embedding(text, uuid[]);
drop function if exists memory_api.candidate_figures(
    text, uuid[], double precision[], uuid[], text, public.halfvec, boolean, tsquery[], double precision[], text[],
    real[]);
drop function if exists memory_api.recall_candidates(
    text, text, public.halfvec, text, text[], integer, integer, integer, text[], double precision, jsonb, text[],
    text[], text[], double precision, timestamptz, timestamptz, text, text, jsonb, boolean, timestamptz);
"""


def upgrade() -> None:
    execute = op.get_bind().connection.driver_connection.execute
    execute(COLUMN)
    execute(GONE)
