-- Changes wording, situation or level of a norm by a person: a new version of the same norm, which is pinned. Null
-- keeps a field. Returns whether the norm exists; raises ME022 for one that is not in force. The worker embeds the new
-- text. Takes the bank lock.
create or replace function memory_api.correct_norm(
    bank text, norm uuid, new_norm text, new_situation text, new_level double precision, actor text,
    at timestamptz default now())
returns boolean
language plpgsql as $$
declare
    corrected memory.relational_memory;
begin
    perform memory_internal.lock_bank(bank);
    select n.* into corrected from memory.relational_memory n where n.bank_id = bank and n.memory_id = correct_norm.norm;
    if not found then
        return false;
    end if;
    if corrected.valid_to is not null or corrected.status = 'deprecated' then
        raise exception using errcode = 'ME022', message = 'not in force';
    end if;
    update memory.relational_memory n
       set norm = coalesce(new_norm, n.norm), situation = coalesce(new_situation, n.situation),
           level = coalesce(new_level, n.level), pinned = true, status = 'stable',
           value = case when n.kind = 'relationship_phase' then coalesce(new_norm, n.value) else n.value end,
           confidence = greatest(n.confidence, 0.95), last_confirmed = greatest(n.last_confirmed, correct_norm.at)
     where n.bank_id = bank and n.memory_id = correct_norm.norm;
    delete from memory.relational_vector v where v.bank_id = bank and v.norm_id = correct_norm.norm;
    perform memory_internal.record_norm_version(bank, correct_norm.norm, 'corrected', correct_norm.actor, at);
    perform memory_internal.enqueue_work(bank, 'relational', bank, 0, at, at);
    return true;
end $$;
