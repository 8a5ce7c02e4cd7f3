-- Returns the valid time of the decision of a conflict that a judgement is part of: that of the confirmation made with
-- it; the fact that loses may end earlier. The caller has entered the bank.
create or replace function memory_internal.decision_time(judgement memory.fact_judgement) returns timestamptz
language sql stable as $$
    select coalesce((
        select c.occurred_at
          from memory.fact_judgement c
         where c.bank_id = judgement.bank_id and c.recorded_at = judgement.recorded_at and c.judgement = 'confirmed'
           and c.fact_id in (judgement.fact_id, judgement.rival_id)
         order by c.judgement_id
         limit 1), judgement.occurred_at);
$$;
