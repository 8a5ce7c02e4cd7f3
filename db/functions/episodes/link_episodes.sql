-- Links each newly active episode with up to five active ones: first those at or above the evidence threshold,
-- nearest first, then the latest that name the same entity. The three arrays are the result of nearest_episodes. A
-- pair is linked once, by the episode that becomes active later. Called by activate_episodes.
create or replace function memory_internal.link_episodes(
    bank text, memories uuid[], near_memories uuid[], near_others uuid[], similarities double precision[],
    threshold double precision, at timestamptz default now())
returns void
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
begin
    perform memory_internal.enter_bank(bank);
    with new_episodes as materialized (
        select e.memory_id, e.entities
          from memory.episodic_memory e
         where e.bank_id = bank and e.memory_id = any (memories) and e.status = 'active'
    ),
    entity_names as materialized (
        select distinct f.memory_id, left(lower(name), 200) as entity
          from new_episodes f
         cross join unnest(f.entities) as name
    ),
    -- Outside this batch: the latest ten per entity, by an index probe. Within it: the five before, per entity.
    same_entity as (
        select n.entity, m.memory_id
          from (select distinct entity from entity_names) as n
         cross join lateral (
            select m.memory_id
              from memory.memory_entity m
             where m.bank_id = bank and m.entity = n.entity and m.memory_id <> all (memories)
             order by m.memory_id desc
             limit 10
         ) as m
    ),
    numbered as (
        select n.memory_id, n.entity, row_number() over (partition by n.entity order by n.memory_id) as place
          from entity_names n
    ),
    candidate_links as (
        select n.memory_id, n.other_id, 'similarity' as reason, n.similarity as strength
          from unnest(near_memories, near_others, similarities) as n (memory_id, other_id, similarity)
         where n.similarity >= threshold
        union all
        select n.memory_id, s.memory_id, 'entity', 0
          from entity_names n
          join same_entity s on s.entity = n.entity
        union all
        select later.memory_id, earlier.memory_id, 'entity', 0
          from numbered later
          join numbered earlier
            on earlier.entity = later.entity and earlier.place between later.place - 5 and later.place - 1
    ),
    pairs as (
        select distinct on (f.memory_id, f.other_id) f.memory_id, f.other_id, f.reason, f.strength
          from candidate_links f
         where f.other_id < f.memory_id or f.other_id <> all (memories)
         order by f.memory_id, f.other_id, f.strength desc
    ),
    -- Over-fetch 16 for 5: few of the others are not active.
    nearest as (
        select p.memory_id, p.other_id, p.reason, p.strength
          from (select p.*, row_number() over (partition by p.memory_id order by p.strength desc, p.other_id desc) as place
                  from pairs p
                 where p.memory_id in (select f.memory_id from new_episodes f)) as p
         where p.place <= 16
    ),
    ranked as (
        select b.memory_id, b.other_id, b.reason, b.strength,
               row_number() over (partition by b.memory_id order by b.strength desc, b.other_id desc) as place
          from nearest b
          join memory.episodic_memory k on k.bank_id = bank and k.memory_id = b.other_id and k.status = 'active'
    ),
    inserted_entities as (
        insert into memory.memory_entity (bank_id, entity, memory_id)
        select bank, n.entity, n.memory_id from entity_names n
        on conflict on constraint memory_entity_pkey do nothing
    )
    insert into memory.memory_link (bank_id, memory_id, linked_id, reason, strength, linked_at)
    select bank, r.memory_id, r.other_id, r.reason, r.strength, at
      from ranked r
     where r.place <= 5
    on conflict on constraint memory_link_pkey do nothing;
end $$;
