-- Returns whether half of a sample of a bank's episodes pass the filters of recall_candidates: the latest one before
-- each of 16 times, evenly spread over the time of the bank. recall_candidates then searches the index first: a sample
-- that is not like the bank costs time only. Probes of an index, so that one plan serves every bank.
create or replace function memory_internal.most_pass(
    bank text, statuses text[], types text[], tags text[], min_importance double precision, since timestamptz,
    until timestamptz, recipient text, agent text, historical boolean, at timestamptz)
returns boolean
language plpgsql security definer
set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan set enable_seqscan = off
set enable_sort = off set enable_bitmapscan = off as $$
declare
    sample_size constant integer := 16;
    earliest timestamptz;
    latest timestamptz;
begin
    perform memory_internal.enter_bank(bank);
    select min(e.occurred_at), max(e.occurred_at) into earliest, latest
      from memory.episodic_memory e
     where e.bank_id = bank;
    return (
        select count(*) filter (where s.passes) * 2 >= count(*)
          from generate_series(1, sample_size) as i
         cross join lateral (
            select memory_internal.passes_filters(
                       e, statuses, types, most_pass.tags, min_importance, since, until, recipient, agent, historical,
                       at) as passes
              from memory.episodic_memory e
             where e.bank_id = bank and e.occurred_at <= earliest + (latest - earliest) * (i::double precision / sample_size)
             order by e.occurred_at desc, e.memory_id desc
             limit 1) as s);
end $$;
