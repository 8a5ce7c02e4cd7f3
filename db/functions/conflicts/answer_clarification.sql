-- Records the user's answer to a clarification question, which of the two facts is right (`keep`; null: both), and
-- resolves their conflict (decide_conflict). Returns the question, or no row if it does not exist. Called by POST
-- /clarifications/{id}/answer and the command `answer`. The same answer again changes nothing, also once its text is
-- erased (erase_notes). Raises ME008 for another answer or a void question, ME009 if `keep` is neither of the two
-- facts, ME007 if a fact to keep was retracted or merged meanwhile. Takes the bank lock.
create or replace function memory_api.answer_clarification(
    bank text, clarification uuid, keep uuid, answer text, actor text, at timestamptz default now())
returns setof memory_api.clarification_entry
language plpgsql as $$
declare
    question memory.clarification;
    unavailable text;
begin
    perform memory_internal.lock_bank(bank);
    select q.* into question
      from memory.clarification q
     where q.bank_id = bank and q.clarification_id = clarification;
    if not found then
        return;
    end if;
    if keep <> question.one_id and keep <> question.other_id then
        raise exception using errcode = 'ME009', message = keep::text;
    end if;
    if question.status = 'answered' and question.kept_id is not distinct from keep
       and (answer_clarification.answer is null or question.answer in (answer_clarification.answer, '')) then
        return query select q.* from memory_api.clarification_entry q
                      where q.bank_id = bank and q.clarification_id = clarification;
        return;
    elsif question.status <> 'open' then
        raise exception using errcode = 'ME008', message = question.status;
    end if;
    select case when f.status = 'merged_into' then 'merged into ' || f.merged_into_id else 'retracted' end into unavailable
      from memory.semantic_memory f
     where f.bank_id = bank and (f.memory_id = keep or keep is null and f.memory_id in (question.one_id, question.other_id))
       and (f.status = 'merged_into' or f.retracted_at is not null)
     limit 1;
    if unavailable is not null then
        raise exception using errcode = 'ME007', message = unavailable;
    end if;

    update memory.clarification q
       set status = 'answered', kept_id = keep, answer = answer_clarification.answer, answered_at = at,
           actor = answer_clarification.actor
     where q.bank_id = bank and q.clarification_id = clarification;
    perform memory_internal.decide_conflict(bank, question.one_id, question.other_id, keep, 'the user answered', actor,
                                            at, at);
    return query select q.* from memory_api.clarification_entry q
                  where q.bank_id = bank and q.clarification_id = clarification;
end $$;
