-- Performs one consolidation step atomically: writes `facts`, drawn from the `pending` episodes, as evidence, marks
-- these episodes as consolidated, and replaces the `compressed` ones by a summary if `wording` is given
-- (write_summary).
-- Returns the number of new statements; null, and writes nothing, if the bank or an episode changed since it was
-- read: an episode is deleted, consolidated or has new content (a version other than in `versions`), one to be
-- archived is not active, is a landmark or has facts still to be drawn, the bank has intake 'verbatim' or another
-- embedding model. Of two concurrent runs one succeeds. Takes the bank lock, then the rows in the order of their ids.
create or replace function memory_api.consolidate_episodes(
    bank text, model text, pending uuid[], facts jsonb, embeddings public.halfvec[], compressed uuid[],
    older_than timestamptz, wording jsonb default null, parts public.halfvec[] default '{}', at timestamptz default now(),
    versions jsonb default '{}', default_intake text default null)
returns integer
language plpgsql as $$
declare
    evidence uuid[];
    new_statements integer;
begin
    perform memory_internal.enter_bank(bank);
    perform from memory.bank b
      where b.bank_id = bank and b.embedding_model = model
        and memory_internal.bank_intake(b.settings, default_intake) <> 'verbatim'
        for no key update;
    if not found then
        return null;
    end if;
    perform from memory.episodic_memory e
      where e.bank_id = bank and e.memory_id = any (pending || compressed)
      order by e.memory_id
        for no key update;
    if exists (
        select from unnest(pending) as p (memory_id)
          left join memory.episodic_memory e on e.bank_id = bank and e.memory_id = p.memory_id
         where (e.status in ('active', 'archived') and e.consolidated_at is null) is not true)
       or exists (
        select from unnest(compressed) as p (memory_id)
          left join memory.episodic_memory e on e.bank_id = bank and e.memory_id = p.memory_id
         where (e.status = 'active' and not e.landmark and e.restored_at is null and e.occurred_at <= older_than
                and (e.consolidated_at is not null or e.memory_id = any (pending))) is not true)
       or exists (
        select from memory.episodic_memory e
         where e.bank_id = bank and e.memory_id = (wording ->> 'memory_id')::uuid) then
        return null;
    end if;
    if exists (
        select from jsonb_each_text(versions) as v
          left join memory.episodic_memory e on e.bank_id = bank and e.memory_id = v.key::uuid
         where e.version is distinct from v.value::integer) then
        return null;
    end if;
    evidence := array(select distinct (f ->> 'episode_id')::uuid from jsonb_array_elements(facts) as f);
    new_statements := memory_internal.write_statements(
        bank, model, evidence, facts, embeddings, resolve_conflicts => false, at => consolidate_episodes.at);
    update memory.episodic_memory e
       set consolidated_at = consolidate_episodes.at
     where e.bank_id = bank and e.memory_id = any (pending || compressed) and e.consolidated_at is null;
    if wording is not null then
        perform memory_internal.write_summary(bank, model, compressed, wording, parts, at);
    end if;
    return new_statements;
end $$;
