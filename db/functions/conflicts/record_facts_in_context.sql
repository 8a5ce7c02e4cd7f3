-- Records the facts shown by contexts, for the traces in `fresh`: doubtful facts shown as unconfirmed, and both
-- facts of a question. Called by record_traces. Mentions of several contexts are kept, because the next context may
-- be requested before the answer to this one is read; mentions older than a day are deleted. A question's offered_at
-- is updated, except if its row is locked at the moment (skip locked avoids a deadlock with writers that hold the
-- bank lock).
create or replace function memory_internal.record_facts_in_context(
    bank text, fresh uuid[], traces jsonb, at timestamptz default now())
returns void
language plpgsql as $$
begin
    perform memory_internal.enter_bank(bank);
    with shown as materialized (
        select t -> 'brought_up' as payload, t -> 'brought_up' ->> 'conversation_id' as conversation_id,
               coalesce((t ->> 'at')::timestamptz, record_facts_in_context.at) as at
          from jsonb_array_elements(traces) as t
         where t ? 'brought_up' and (t ->> 'trace_id')::uuid = any (fresh)
    ),
    expired as (
        delete from memory.fact_mention m
         using (select conversation_id, max(shown.at) as at from shown group by conversation_id) as t
         where m.bank_id = bank and m.conversation_id = t.conversation_id and m.at < t.at - interval '1 day'
    ),
    inserted as (
        insert into memory.fact_mention (bank_id, conversation_id, at, fact_id)
        select distinct bank, t.conversation_id, t.at, f.memory_id
          from shown t
         cross join lateral jsonb_array_elements_text(t.payload -> 'facts') as i (id)
          join memory.semantic_memory f on f.bank_id = bank and f.memory_id = i.id::uuid
         where t.conversation_id is not null
        on conflict on constraint fact_mention_pkey do nothing
    ),
    unlocked as materialized (
        select c.clarification_id
          from memory.clarification c
         where c.bank_id = bank
           and c.clarification_id in (select (t.payload ->> 'clarification_id')::uuid from shown t)
         order by c.clarification_id
           for no key update skip locked
    )
    update memory.clarification c
       set offered_at = greatest(c.offered_at, o.at)
      from unlocked
      join (select (t.payload ->> 'clarification_id')::uuid as clarification_id, max(t.at) as at
              from shown t group by 1) as o
        on o.clarification_id = unlocked.clarification_id
     where c.bank_id = bank and c.clarification_id = unlocked.clarification_id;
end $$;
