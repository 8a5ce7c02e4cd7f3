-- Returns the facts that contradict this one according to the versions known at `known_at`, and whether the conflict
-- was open then. Leaves out facts with periods that do not overlap and conflicts resolved for both; a conflict with
-- an ended fact is not open.
create or replace function memory_internal.list_contradictions(bank text, memory uuid, known_at timestamptz)
returns table (other_id uuid, open boolean)
language sql stable as $$
    select o.fact_id,
           (c.resolved_at is null or c.resolved_at > known_at) and f.valid_to is null and o.valid_to is null
      from memory.fact_conflict c
     cross join lateral (
        select v.valid_from, v.valid_to
          from memory.fact_version v
         where v.bank_id = bank and v.fact_id = memory and v.at <= known_at
         order by v.version desc
         limit 1) as f
     cross join lateral (
        select v.fact_id, v.valid_from, v.valid_to, v.status, v.retracted_at
          from memory.fact_version v
         where v.bank_id = bank and v.fact_id = case when c.one_id = memory then c.other_id else c.one_id end
           and v.at <= known_at
         order by v.version desc
         limit 1) as o
     where c.bank_id = bank and (c.one_id = memory or c.other_id = memory) and c.recorded_at <= known_at
       and (c.resolved_at is null or c.resolved_at > known_at or c.resolution = 'kept')
       and o.retracted_at is null and o.status <> 'merged_into'
       and greatest(f.valid_from, o.valid_from)
           < least(coalesce(f.valid_to, 'infinity'), coalesce(o.valid_to, 'infinity'));
$$;
