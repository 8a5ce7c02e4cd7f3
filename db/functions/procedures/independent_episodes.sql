-- Returns those of the episodes, in their order, that are no near duplicates of one before: another text and a cosine
-- below the duplicate threshold. Three copies of one text teach a lesson once.
create or replace function memory_internal.independent_episodes(bank text, model text, episodes uuid[]) returns uuid[]
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
    kept uuid[] := '{}';
    next_episode uuid;
    duplicate_from double precision;
begin
    perform memory_internal.enter_bank(bank);
    select t.duplicate into duplicate_from from memory_api.bank_thresholds(bank, model) as t;
    foreach next_episode in array episodes loop
        if not exists (
            select from memory.episodic_memory e
              join memory.episodic_memory k on k.bank_id = bank and k.memory_id = any (kept)
              left join memory.memory_vector ev
                on ev.bank_id = bank and ev.model_id = model and ev.memory_id = e.memory_id and ev.part = 0
              left join memory.memory_vector kv
                on kv.bank_id = bank and kv.model_id = model and kv.memory_id = k.memory_id and kv.part = 0
             where e.bank_id = bank and e.memory_id = next_episode
               and (memory_internal.text_fingerprint(e.summary) = memory_internal.text_fingerprint(k.summary)
                    or 1 - (ev.embedding operator(public.<=>) kv.embedding) >= duplicate_from)) then
            kept := kept || next_episode;
        end if;
    end loop;
    return kept;
end $$;
