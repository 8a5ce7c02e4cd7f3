-- Creates or updates the clarification question of each open conflict of these facts with an importance above the
-- bank's clarify_importance on either side, or with a fact that every context shows (is_always_shown) or that never
-- decays (decay_factor): an allergy, a birthday. At a clarify_importance of 1 nothing is asked. Sets questions to void
-- whose conflict is resolved or whose facts are not both believed any more. The caller holds the bank lock.
create or replace function memory_internal.create_clarifications(bank text, facts uuid[], at timestamptz) returns void
language plpgsql as $$
declare
    min_importance constant double precision := (select l.clarify_importance from memory_api.bank_limits(bank) as l);
begin
    perform memory_internal.enter_bank(bank);
    insert into memory.clarification (bank_id, clarification_id, one_id, other_id, question, importance, created_at)
    select bank, gen_random_uuid(), c.one_id, c.other_id,
           format('Earlier I understood: "%s" More recently: "%s" Which of the two is right now?',
                  pair.texts[1], pair.texts[2]),
           pair.importance, create_clarifications.at
      from memory.fact_conflict c
     cross join lateral (
        select array_agg(f.fact order by f.valid_from, f.fact, f.memory_id) as texts, max(f.importance) as importance,
               bool_or(memory_internal.is_always_shown(f.attribute, f.importance)
                       or memory_internal.decay_factor(f.attribute) = 0) as matters
          from memory.semantic_memory f
         where f.bank_id = bank and f.memory_id in (c.one_id, c.other_id)) as pair
     where c.bank_id = bank and (c.one_id = any (facts) or c.other_id = any (facts)) and c.resolution is null
       and (pair.importance > min_importance or pair.matters and min_importance < 1)
       and exists (select from memory_internal.effective_conflicts(bank, c.one_id) as o where o.other_id = c.other_id
                   and o.open)
    -- Rewritten with the facts' present text and importance: also which of them is the older may have changed.
    on conflict on constraint clarification_pair_key do update
       set question = excluded.question, importance = excluded.importance
     where clarification.status <> 'answered'
       and (clarification.question, clarification.importance) is distinct from (excluded.question, excluded.importance);
    update memory.clarification q
       set status = case when l.is_open then 'open' else 'void' end
      from (select c.one_id, c.other_id,
                   exists (select from memory_internal.effective_conflicts(bank, c.one_id) as o
                            where o.other_id = c.other_id and o.open)
                   and not exists (select from memory.semantic_memory f
                                    where f.bank_id = bank and f.memory_id in (c.one_id, c.other_id)
                                      and f.status in ('deprecated', 'merged_into')) as is_open
              from memory.fact_conflict c
             where c.bank_id = bank and (c.one_id = any (facts) or c.other_id = any (facts))) as l
     where q.bank_id = bank and q.one_id = l.one_id and q.other_id = l.other_id and q.status <> 'answered'
       and q.status <> case when l.is_open then 'open' else 'void' end;
end $$;
