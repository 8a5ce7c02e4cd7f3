-- Returns up to `most` queries with the episodes that they should find: facts with the episodes that state them, then
-- the second half of the text of other episodes with the episode itself. The same ones for the same bank. Called by
-- reembed.
create or replace function memory_api.verification_queries(bank text, most integer)
returns table (query text, expected uuid[])
language plpgsql as $$
begin
    perform memory_internal.require_bank(bank);
    return query
        select q.query, q.expected
          from ((select 0 as rank, f.memory_id, f.fact as query, array_agg(e.memory_id order by e.memory_id) as expected
                   from memory.semantic_memory f
                   join memory.fact_evidence v on v.bank_id = bank and v.fact_id = f.memory_id
                   join memory.episodic_memory e on e.bank_id = bank and e.memory_id = v.episode_id
                  where f.bank_id = bank and f.status in ('tentative', 'stable') and e.status in ('active', 'archived')
                  group by f.memory_id, f.fact
                  order by md5(f.memory_id::text)
                  limit most)
                 union all
                (select 1, e.memory_id, right(e.summary, length(e.summary) / 2), array[e.memory_id]
                   from memory.episodic_memory e
                  where e.bank_id = bank and e.status in ('active', 'archived') and length(e.summary) > 1
                  order by md5(e.memory_id::text)
                  limit most)) as q
         order by q.rank, md5(q.memory_id::text)
         limit most;
end $$;
