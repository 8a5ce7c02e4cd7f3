-- Returns the procedure that a statement from `occurred_at` belongs to, or null: the same words, or a cosine of at
-- least the merge threshold without a text difference, in the same situation and with the same steps where both have
-- some. Those in force come first. A retracted or superseded one takes statements from before its end only; a later one
-- begins a new procedure. Compares all procedures of the bank: at most a few hundred.
create or replace function memory_internal.find_procedure(
    bank text, model text, content text, situation text, steps text[], embedding public.halfvec,
    situation_embedding public.halfvec, occurred_at timestamptz, excluded uuid[] default '{}')
returns uuid
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
    threshold double precision;
    own_fingerprint constant bigint := memory_internal.procedure_fingerprint(content, situation);
    found_id uuid;
begin
    perform memory_internal.enter_bank(bank);
    select t.merging into threshold from memory_api.bank_thresholds(bank, model) as t;
    select p.memory_id into found_id
      from memory.procedural_memory p
      left join memory.procedural_vector v
        on v.bank_id = bank and v.model_id = model and v.procedure_id = p.memory_id and v.part = 0
      left join memory.procedural_vector s
        on s.bank_id = bank and s.model_id = model and s.procedure_id = p.memory_id and s.part = 1
     where p.bank_id = bank and p.memory_id <> all (excluded)
       and p.status in ('active', 'tentative', 'superseded', 'deprecated')
       and (p.valid_to is null or find_procedure.occurred_at < p.valid_to)
       and (p.retracted_at is null or find_procedure.occurred_at <= p.retracted_at)
       and (p.fingerprint = own_fingerprint
            or 1 - (v.embedding operator(public.<=>) find_procedure.embedding) >= threshold
               and (p.situation = '') = (find_procedure.situation = '')
               and (p.situation = '' or 1 - (s.embedding operator(public.<=>) situation_embedding) >= threshold
                    and memory_api.text_difference(p.situation, find_procedure.situation) is null))
       and (p.steps = find_procedure.steps or p.steps = '{}' or find_procedure.steps = '{}')
       and memory_api.text_difference(p.content, find_procedure.content) is null
     order by p.status not in ('active', 'tentative'), p.fingerprint <> own_fingerprint,
              v.embedding operator(public.<=>) find_procedure.embedding, p.memory_id
     limit 1;
    return found_id;
end $$;
