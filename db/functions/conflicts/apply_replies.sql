-- Applies the user's reply to facts that the context before the message showed as unconfirmed or asked about (passive
-- confirmation). Returns the number of conflicts resolved. `replies` are {message_id, reply, said}:
--   yes, no        begins with an affirmation or a denial. Counts only if the assistant's message mentioned exactly
--                  one of these facts (reply_mentions_fact): the context lists doubtful facts, but the assistant may
--                  have asked about something else, and "yes" does not answer a question that names two
--   first, second  the place among facts that the assistant's message quoted, as clarifications do
--   older, newer   the time of such facts
--   names          a short message, `said`. Counts if the assistant asked which of the two is right, and it chooses
--                  one (reply_names_fact)
-- Values that the user states are handled by write_statements. Called by decide_segments, which holds the bank lock.
create or replace function memory_internal.apply_replies(bank text, segment uuid, replies jsonb,
                                                         at timestamptz) returns integer
language plpgsql as $$
declare
    answered record;
    resolved integer := 0;
begin
    perform memory_internal.enter_bank(bank);
    for answered in
        select b.message_id, (array_agg(b.fact_id))[1] as doubted, r ->> 'reply' <> 'no' as affirmed, m.occurred_at
          from memory_internal.facts_in_context(bank, segment) as b
          join jsonb_array_elements(replies) as r on (r ->> 'message_id')::uuid = b.message_id
          join memory.message m on m.bank_id = bank and m.segment_id = segment and m.message_id = b.message_id
          join memory.semantic_memory f on f.bank_id = bank and f.memory_id = b.fact_id
         cross join lateral (
            select array_agg(o.fact) as facts, bool_and(o.valid_from > f.valid_from) as newer,
                   bool_and(o.valid_from < f.valid_from) as older
              from memory_internal.effective_conflicts(bank, f.memory_id) as c
              join memory.semantic_memory o on o.bank_id = bank and o.memory_id = c.other_id
             where c.open
            offset 0) as rivals
         cross join lateral (
            select a.content
              from memory.message a
             where a.bank_id = bank and a.conversation_id = m.conversation_id and a.position < m.position
               and a.role = 'assistant'
             order by a.position desc
             limit 1) as assistant_message
         cross join lateral (
            select place.own > 0 and place.lowest > 0 as both, place.own < place.lowest as is_first,
                   place.own > place.highest as is_last,
                   assistant_message.content ~ '[?]'
                   and memory_internal.asks_which(assistant_message.content, f.fact, rivals.facts) as asked
              from (select strpos(lower(assistant_message.content), lower(rtrim(f.fact, '.'))) as own,
                           min(strpos(lower(assistant_message.content), lower(rtrim(rival.fact, '.')))) as lowest,
                           max(strpos(lower(assistant_message.content), lower(rtrim(rival.fact, '.')))) as highest
                      from unnest(rivals.facts) as rival (fact)) as place) as quoted
         where rivals.facts is not null
           and case r ->> 'reply'
                   when 'first' then quoted.both and quoted.is_first
                   when 'second' then quoted.both and quoted.is_last
                   when 'older' then quoted.both and rivals.newer
                   when 'newer' then quoted.both and rivals.older
                   when 'names' then quoted.asked
                       and memory_internal.reply_names_fact(r ->> 'said', f.fact, rivals.facts)
                   else memory_internal.reply_mentions_fact(
                       assistant_message.content, f.fact, f.value, rivals.facts) end
         group by b.message_id, r, m.occurred_at, m.position
        having count(*) = 1
         order by m.position
    loop
        resolved := resolved + memory_internal.answer_conflicts(
            bank, answered.doubted, answered.affirmed, 'answered in ' || answered.message_id, answered.occurred_at, at,
            segment);
    end loop;
    return resolved;
end $$;
