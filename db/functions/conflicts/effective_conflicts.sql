-- Returns the conflicts of a fact with facts valid at the same time: the time each takes effect, the factor it
-- leaves of the fact's confidence (`share`), and whether it is open. Conflicting facts whose periods do not overlap
-- are left out. The older one is determined by valid_from, not by arrival. Once one of the two has ended, the
-- conflict is no longer open and the other regains its confidence.
create or replace function memory_internal.effective_conflicts(bank text, of_fact uuid)
returns table (other_id uuid, at timestamptz, share double precision, open boolean)
language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
    perform memory_internal.enter_bank(bank);
    return query
        select o.memory_id,
               case when c.handling = 'both_halved' then c.recorded_at else o.valid_from end,
               case
                   when c.resolution in ('both', 'void') or c.kept_id = f.memory_id then 1::double precision
                   when f.valid_to is null and o.valid_to is not null then 1
                   when c.handling = 'both_halved' then 0.5
                   when (f.valid_from, f.fact, f.memory_id) < (o.valid_from, o.fact, o.memory_id) then 0.7
                   else 1
               end,
               c.resolution is null and f.valid_to is null and o.valid_to is null
          from memory.fact_conflict c
          join memory.semantic_memory f on f.bank_id = c.bank_id and f.memory_id = of_fact
          join memory.semantic_memory o
            on o.bank_id = c.bank_id and o.memory_id = case when c.one_id = of_fact then c.other_id else c.one_id end
         where c.bank_id = bank and (c.one_id = of_fact or c.other_id = of_fact)
           and o.retracted_at is null and o.status <> 'merged_into'
           and greatest(f.valid_from, o.valid_from)
               < least(coalesce(f.valid_to, 'infinity'), coalesce(o.valid_to, 'infinity'));
end $$;
