-- The user's answer to a question: which of the two facts is right, or both where `keep` is null. It settles their
-- conflict. The kept one is confirmed. The other one was true until then and is closed, superseded by the kept one, where
-- it is the older and both are of what changes; else it was wrong and is retracted.
-- The answer is the question as it is then, or no row where there is none. The same answer again changes nothing; another
-- one, or one to a question that is void, is refused (ME008), so is what is neither of the two (ME009) and the keeping of a
-- fact that was retracted or merged meanwhile (ME007).
create or replace function memory_api.answer_clarification(
    bank text, clarification uuid, keep uuid, answer text, actor text, at timestamptz default now())
returns setof memory_api.clarification_entry
language plpgsql as $$
declare
    asked memory.clarification;
    gone text;
begin
    perform memory_internal.require_bank(bank);
    perform from memory.bank b where b.bank_id = bank for no key update;
    select q.* into asked
      from memory.clarification q
     where q.bank_id = bank and q.clarification_id = clarification;
    if not found then
        return;
    end if;
    if keep <> asked.one_id and keep <> asked.other_id then
        raise exception using errcode = 'ME009', message = keep::text;
    end if;
    if asked.status = 'answered' and asked.kept_id is not distinct from keep
       and (answer_clarification.answer is null or asked.answer is not distinct from answer_clarification.answer) then
        return query select q.* from memory_api.clarification_entry q
                      where q.bank_id = bank and q.clarification_id = clarification;
        return;
    elsif asked.status <> 'open' then
        raise exception using errcode = 'ME008', message = asked.status;
    end if;
    select case when f.status = 'merged_into' then 'merged into ' || f.merged_into_id else 'retracted' end into gone
      from memory.semantic_memory f
     where f.bank_id = bank and (f.memory_id = keep or keep is null and f.memory_id in (asked.one_id, asked.other_id))
       and (f.status = 'merged_into' or f.retracted_at is not null)
     limit 1;
    if gone is not null then
        raise exception using errcode = 'ME007', message = gone;
    end if;

    update memory.clarification q
       set status = 'answered', kept_id = keep, answer = answer_clarification.answer, answered_at = at,
           actor = answer_clarification.actor
     where q.bank_id = bank and q.clarification_id = clarification;
    perform memory_internal.decide_conflict(bank, asked.one_id, asked.other_id, keep, 'the user answered', actor, at, at);
    return query select q.* from memory_api.clarification_entry q
                  where q.bank_id = bank and q.clarification_id = clarification;
end $$;
