-- Returns the vectors of at most `sample` of the newest `most` active episodes of a bank, evenly spread over them, in
-- the order of their times. From them the service computes the axes of map_episodes, which takes both steps so that
-- the vectors of all episodes need not be sent. Runs as the owner, as nearest_episodes does.
create or replace function memory_api.map_sample(bank text, most integer, sample integer)
returns setof public.halfvec
language plpgsql security definer
set search_path = pg_catalog, pg_temp set plan_cache_mode = force_custom_plan as $$
begin
    perform memory_internal.enter_bank(bank);
    return query
        select v.embedding
          from (select n.memory_id, n.place, count(*) over () as episodes
                  from (select f.memory_id, row_number() over (order by f.occurred_at desc, f.memory_id desc) as place
                          from memory.episodic_memory f
                         where f.bank_id = bank and f.status = 'active'
                         order by f.occurred_at desc, f.memory_id desc
                         limit most) as n) as e
          join memory.bank b on b.bank_id = bank
         cross join lateral (  -- as in map_episodes
            select w.embedding
              from memory.memory_vector w
             where w.bank_id = bank and w.model_id = b.embedding_model and w.memory_id = e.memory_id and w.part = 0
             limit 1) as v
         where e.place % ((e.episodes + sample - 1) / sample) = 0
         order by e.place;
end $$;
