-- Returns whether the value of a fact, or of the fact that it was merged into, was stated and had not ended at a time,
-- by the statements before it: a statement of the value after the last one of another value of its timeline, ending,
-- and decision against it. `withdrawn`: judgements that do not count. Called by withdraw_decisions.
create or replace function memory_internal.was_valid(bank text, fact uuid, at timestamptz, withdrawn bigint[])
returns boolean
language plpgsql stable as $$
begin
    perform memory_internal.enter_bank(bank);
    return exists (
        with statement as (
            select own.memory_id as named, f.value is not distinct from own.value as same, e.holds,
                   f.value is null as any_value, e.occurred_at as moment
              from (select k.memory_id, k.timeline, lower(k.value) as value
                      from memory.semantic_memory k
                     where k.bank_id = bank
                       and k.memory_id in (was_valid.fact, memory_internal.merged_fact(bank, was_valid.fact))) as own
             cross join lateral (
                    select t.memory_id, lower(t.value) as value
                      from memory.semantic_memory t
                     where t.bank_id = bank and t.timeline = own.timeline) as f
             cross join lateral (
                    select v.holds, v.occurred_at
                      from memory.fact_evidence v
                     where v.bank_id = bank and v.fact_id = f.memory_id
                     union all
                    select j.judgement in ('committed', 'confirmed'),
                           case when j.rival_id is null then j.occurred_at else memory_internal.decision_time(j) end
                      from memory.fact_judgement j
                     where j.bank_id = bank and j.fact_id = f.memory_id and j.judgement_id <> all (withdrawn)
                       and j.judgement in ('committed', 'confirmed', 'ended', 'retracted')) as e
             where e.occurred_at < was_valid.at
        )
        select from statement s
         where s.same and s.holds
           and not exists (
                select from statement o
                 where o.named = s.named and case when o.holds then not o.same and o.moment > s.moment
                                                  else (o.same or o.any_value) and o.moment >= s.moment end));
end $$;
