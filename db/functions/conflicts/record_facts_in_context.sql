-- Keeps what contexts brought up, of the traces named in `fresh`: doubtful facts that they showed as unconfirmed, and both
-- facts of a question that they asked. Several contexts of a conversation are kept, because the next one may be asked for
-- before the answer to this one is read; what is older than a day nobody answers any more. A question remembers when it
-- was offered last; one that somebody else holds at the moment does not (promise 8).
create or replace function memory_internal.record_facts_in_context(
    bank text, fresh uuid[], traces jsonb, at timestamptz default now())
returns void
language plpgsql as $$
begin
    perform memory_internal.enter_bank(bank);
    with told as materialized (
        select t -> 'brought_up' as what, t -> 'brought_up' ->> 'conversation_id' as conversation_id,
               coalesce((t ->> 'at')::timestamptz, record_facts_in_context.at) as at
          from jsonb_array_elements(traces) as t
         where t ? 'brought_up' and (t ->> 'trace_id')::uuid = any (fresh)
    ),
    past as (
        delete from memory.fact_mention m
         using (select conversation_id, max(told.at) as at from told group by conversation_id) as t
         where m.bank_id = bank and m.conversation_id = t.conversation_id and m.at < t.at - interval '1 day'
    ),
    mentioned as (
        insert into memory.fact_mention (bank_id, conversation_id, at, fact_id)
        select distinct bank, t.conversation_id, t.at, f.memory_id
          from told t
         cross join lateral jsonb_array_elements_text(t.what -> 'facts') as i (id)
          join memory.semantic_memory f on f.bank_id = bank and f.memory_id = i.id::uuid
         where t.conversation_id is not null
        on conflict on constraint fact_mention_pkey do nothing
    ),
    free as materialized (
        select c.clarification_id
          from memory.clarification c
         where c.bank_id = bank
           and c.clarification_id in (select (t.what ->> 'clarification_id')::uuid from told t)
         order by c.clarification_id
           for no key update skip locked
    )
    update memory.clarification c
       set offered_at = greatest(c.offered_at, o.at)
      from free
      join (select (t.what ->> 'clarification_id')::uuid as clarification_id, max(t.at) as at
              from told t group by 1) as o
        on o.clarification_id = free.clarification_id
     where c.bank_id = bank and c.clarification_id = free.clarification_id;
end $$;
