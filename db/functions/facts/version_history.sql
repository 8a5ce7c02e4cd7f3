-- Returns the `version_history` of a fact as of `known_at`, oldest first, as JSON {fact, retired, reason}: its
-- former wordings and the facts it replaced, each with the time and reason of its end. Predecessors of which only
-- the end is known are left out. force_generic_plan: called once per listed fact.
create or replace function memory_internal.version_history(bank text, memory uuid, known_at timestamptz) returns jsonb
language sql stable set plan_cache_mode = force_generic_plan as $$
    with reworded as (
        select v.fact, lead(v.fact) over (order by v.version) as next_fact,
               lead(v.at) over (order by v.version) as retired, lead(v.reason) over (order by v.version) as reason
          from memory.fact_version v
         where v.bank_id = bank and v.fact_id = memory and v.at <= known_at
    ), candidates as (
        -- Facts of the same timeline, and facts that lost a resolved conflict to this one.
        select p.memory_id
          from memory.semantic_memory f
          join memory.semantic_memory p on p.bank_id = bank and p.timeline = f.timeline
         where f.bank_id = bank and f.memory_id = memory
         union
        select c.one_id from memory.fact_conflict c
         where c.bank_id = bank and c.other_id = memory and c.kept_id = memory
         union
        select c.other_id from memory.fact_conflict c
         where c.bank_id = bank and c.one_id = memory and c.kept_id = memory
    ), predecessor as (
        select p.memory_id, v.*
          from candidates b
          join memory.semantic_memory f on f.bank_id = bank and f.memory_id = memory
          join memory.semantic_memory p on p.bank_id = bank and p.memory_id = b.memory_id and p.memory_id <> memory
         cross join lateral (
            select w.fact, w.valid_to as retired, w.valid_from < w.valid_to or w.evidence_count > 0 as held
              from memory.fact_version w
             where w.bank_id = bank and w.fact_id = p.memory_id and w.at <= known_at
             order by w.version desc
             limit 1) as v
         where v.held and p.status <> 'merged_into' and (p.retracted_at is null or p.retracted_at > known_at)
           and (p.timeline = f.timeline and v.retired <= f.valid_from or p.superseded_by = f.memory_id)
    ), retired as (
        select r.fact, r.retired, r.reason from reworded r where r.next_fact <> r.fact
         union all
        select p.fact, p.retired,
               (select w.reason
                  from memory.fact_version w
                 where w.bank_id = bank and w.fact_id = p.memory_id and w.valid_to = p.retired
                 order by w.version
                 limit 1)
          from predecessor p
    )
    select coalesce(jsonb_agg(jsonb_build_object('fact', r.fact, 'retired', r.retired, 'reason', r.reason)
                              order by r.retired, r.fact), '[]')
      from retired r;
$$;
