-- What the user's messages of a segment say to what contexts brought up right before them (passive confirmation): `replies`
-- are {message_id, reply: yes | no}, of those that begin with an affirmation or a denial. A context shows what is doubtful,
-- what the agent then asks may be something else: only where its reply spoke of one of these facts, and of one alone, is it
-- clear what is meant (memory_internal.reply_mentions_fact). To a question that names two "yes" is no answer, and what the user states
-- then is heard where it becomes evidence (memory_internal.write_statements). The caller holds the bank's lock.
create or replace function memory_internal.apply_replies(bank text, segment uuid, replies jsonb, at timestamptz) returns integer
language plpgsql as $$
declare
    heard record;
    settled integer := 0;
begin
    perform memory_internal.enter_bank(bank);
    for heard in
        select b.message_id, (array_agg(b.fact_id))[1] as doubted, r ->> 'reply' = 'yes' as affirmed, m.occurred_at
          from memory_internal.facts_in_context(bank, segment) as b
          join jsonb_array_elements(replies) as r on (r ->> 'message_id')::uuid = b.message_id
          join memory.message m on m.bank_id = bank and m.segment_id = segment and m.message_id = b.message_id
          join memory.semantic_memory f on f.bank_id = bank and f.memory_id = b.fact_id
         cross join lateral (
            select array_agg(o.fact) as facts
              from memory_internal.effective_conflicts(bank, f.memory_id) as c
              join memory.semantic_memory o on o.bank_id = bank and o.memory_id = c.other_id
             where c.open
            offset 0) as rival
         cross join lateral (
            select a.content
              from memory.message a
             where a.bank_id = bank and a.conversation_id = m.conversation_id and a.position < m.position
               and a.role = 'assistant'
             order by a.position desc
             limit 1) as said
         where rival.facts is not null and memory_internal.reply_mentions_fact(said.content, f.fact, f.value, rival.facts)
         group by b.message_id, r, m.occurred_at, m.position
        having count(*) = 1
         order by m.position
    loop
        settled := settled + memory_internal.answer_conflicts(
            bank, heard.doubted, heard.affirmed, 'answered in ' || heard.message_id, heard.occurred_at, at);
    end loop;
    return settled;
end $$;
