-- Returns, for each user message of a segment, the facts that it may answer: those that contexts requested for the
-- preceding assistant message showed as unconfirmed or asked about. A user message that follows another user message
-- answers nothing. Compares recorded_at, the clock of the contexts, not the times given by senders; contexts more
-- than a day before the assistant message are ignored.
create or replace function memory_internal.facts_in_context(bank text, segment uuid)
returns table (message_id uuid, fact_id uuid)
language plpgsql stable as $$
begin
    perform memory_internal.enter_bank(bank);
    return query
        select s.message_id, m.fact_id
          from memory.message s
         cross join lateral (
            select b.role, b.recorded_at, b.position
              from memory.message b
             where b.bank_id = bank and b.conversation_id = s.conversation_id and b.position < s.position
               and b.role in ('user', 'assistant')
             order by b.position desc
             limit 1) as reply
          left join lateral (
            select b.recorded_at
              from memory.message b
             where b.bank_id = bank and b.conversation_id = s.conversation_id and b.position < reply.position
               and b.role = 'assistant'
             order by b.position desc
             limit 1) as earlier on true
          join memory.fact_mention m
            on m.bank_id = bank and m.conversation_id = s.conversation_id
           and m.at > greatest(earlier.recorded_at, reply.recorded_at - interval '1 day') and m.at <= reply.recorded_at
         where s.bank_id = bank and s.segment_id = segment and s.role = 'user' and reply.role = 'assistant'
         group by s.message_id, s.position, m.fact_id
         order by s.position, m.fact_id;
end $$;
