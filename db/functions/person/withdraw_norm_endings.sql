-- Deletes the endings that end_instruction_facts wrote, but those of the facts in `kept`, and returns the timelines of
-- their facts, which the caller rebuilds. The service may not delete judgements: this runs as the owner. The caller
-- holds the bank lock.
create or replace function memory_internal.withdraw_norm_endings(bank text, kept uuid[]) returns text[]
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    timelines text[];
begin
    perform memory_internal.enter_bank(bank);
    with withdrawn as (
        delete from memory.fact_judgement j
         where j.bank_id = bank and j.judgement = 'ended' and j.actor = 'norms' and j.fact_id <> all (kept)
        returning j.fact_id
    )
    select array_agg(f.timeline) into timelines
      from withdrawn w
      join memory.semantic_memory f on f.bank_id = bank and f.memory_id = w.fact_id;
    return coalesce(timelines, '{}');
end $$;
