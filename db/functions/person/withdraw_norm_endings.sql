-- Deletes the endings that end_instruction_facts wrote, but those of the facts in `kept`, and returns the timelines of
-- their facts, which the caller rebuilds. Callers of the API name their own actor: endings of other facts, and those
-- that decide a conflict, stay whatever their actor. The service may not delete judgements: this runs as the owner. The
-- caller holds the bank lock.
create or replace function memory_internal.withdraw_norm_endings(bank text, kept uuid[]) returns text[]
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    timelines text[];
begin
    perform memory_internal.enter_bank(bank);
    with withdrawn as (
        delete from memory.fact_judgement j
         using memory.semantic_memory f
         where j.bank_id = bank and j.judgement = 'ended' and j.actor = 'norms' and j.rival_id is null
           and j.fact_id <> all (kept) and f.bank_id = bank and f.memory_id = j.fact_id
           and memory_internal.norm_kind_of(f.attribute) = 'instruction'
        returning f.timeline
    )
    select array_agg(w.timeline) into timelines from withdrawn w;
    return coalesce(timelines, '{}');
end $$;
