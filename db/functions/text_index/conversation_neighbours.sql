-- Returns the recallable memories just before and after a position in a conversation, at most an hour away: two
-- probes of episodic_memory_conversation_idx. Inlined where it is called.
create or replace function memory_internal.conversation_neighbours(
    in_bank text, conversation text, occurred_at timestamptz, memory uuid, out before_id uuid, out after_id uuid)
returns setof record
language sql stable as $$
    select (select n.memory_id
              from memory.episodic_memory n
             where n.bank_id = in_bank and n.conversation_id = conversation and n.status in ('active', 'archived')
               and (n.occurred_at, n.memory_id) < (conversation_neighbours.occurred_at, memory)
               and n.occurred_at >= conversation_neighbours.occurred_at - interval '1 hour'
             order by n.occurred_at desc, n.memory_id desc
             limit 1),
           (select n.memory_id
              from memory.episodic_memory n
             where n.bank_id = in_bank and n.conversation_id = conversation and n.status in ('active', 'archived')
               and (n.occurred_at, n.memory_id) > (conversation_neighbours.occurred_at, memory)
               and n.occurred_at <= conversation_neighbours.occurred_at + interval '1 hour'
             order by n.occurred_at, n.memory_id
             limit 1)
$$;
