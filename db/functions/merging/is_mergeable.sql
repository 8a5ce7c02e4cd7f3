-- Returns whether a fact may be merged with another: it is believed and open, has no conflict that is open or was
-- resolved for one side, and was not judged the successor of another fact.
create or replace function memory_internal.is_mergeable(fact memory.semantic_memory) returns boolean
language sql stable as $$
    select fact.status in ('tentative', 'stable') and fact.retracted_at is null and fact.valid_to is null
       and not exists (
           select from memory.fact_conflict c
             join memory.semantic_memory o
               on o.bank_id = c.bank_id
              and o.memory_id = case when c.one_id = fact.memory_id then c.other_id else c.one_id end
            where c.bank_id = fact.bank_id and (c.one_id = fact.memory_id or c.other_id = fact.memory_id)
              and coalesce(c.resolution, 'kept') = 'kept'
              and o.retracted_at is null and o.status <> 'merged_into'
              and (o.valid_to is null or o.valid_to > fact.valid_from))
       and not exists (
           select from memory.fact_pair p
             join memory.semantic_memory o
               on o.bank_id = p.bank_id
              and o.memory_id = case when p.one_id = fact.memory_id then p.other_id else p.one_id end
            where p.bank_id = fact.bank_id and (p.one_id = fact.memory_id or p.other_id = fact.memory_id)
              and p.decision = 'successor' and o.retracted_at is null and o.status <> 'merged_into');
$$;
