-- Removes from these facts the tags, recipients, agent and source that only erased statements gave them, and from facts
-- that correct one of them, and their corrections in turn, the tags, recipients, metadata and agent copied from it
-- (update_fact). A label stays if a call gave it to the fact, also to another period of the same value, if an episode
-- that states the fact has it, or if the fact that it corrects still has it. The agent is that of an episode that
-- stays: the present one, else that of the earliest. Called by erase_facts when the evidence is deleted. The caller
-- holds the bank lock.
create or replace function memory_internal.erase_labels(bank text, facts uuid[]) returns void
language plpgsql set plan_cache_mode = force_custom_plan as $$
declare
    most_corrections constant integer := 100;  -- also of a file that makes a circle of them
    chosen uuid[];
begin
    perform memory_internal.enter_bank(bank);
    update memory.semantic_memory f
       set agent_id = first.agent_id, source = coalesce(first.source, f.source)
      from unnest(facts) as i (id)
      left join lateral (
            select e.agent_id, e.source
              from memory.fact_evidence v
              join memory.episodic_memory e on e.bank_id = bank and e.memory_id = v.episode_id
             where v.bank_id = bank and v.fact_id = i.id
             order by v.occurred_at, v.episode_id
             limit 1) as first on true
     where f.bank_id = bank and f.memory_id = i.id and f.extracted_by is not null
       and not exists (
            -- Evidence whose episode a storage strategy deleted: its agent is unknown.
            select from memory.fact_evidence v
              left join memory.episodic_memory e on e.bank_id = bank and e.memory_id = v.episode_id
             where v.bank_id = bank and v.fact_id = f.memory_id
               and (e.memory_id is null or (e.agent_id, e.source) is not distinct from (f.agent_id, f.source)));
    for chosen in
        with recursive correction as (
            select unnest(facts) as memory_id, 0 as depth
             union
            select f.memory_id, c.depth + 1
              from correction c
              join memory.semantic_memory f on f.bank_id = bank and f.given ->> 'replaces' = c.memory_id::text
             where c.depth < most_corrections
        )
        select array_agg(d.memory_id)
          from (select c.memory_id, max(c.depth) as depth from correction c group by c.memory_id) as d
         group by d.depth
         order by d.depth
    loop
        with labels as materialized (
            select f.memory_id, o.tags, o.recipients, c.metadata as former_metadata, c.agent_id as former_agent,
                   f.given ? 'replaces' and not coalesce(f.given -> 'changed' ? 'metadata', false) as inherits
              from memory.semantic_memory f
              left join memory.semantic_memory c on c.bank_id = bank and c.memory_id::text = f.given ->> 'replaces'
             cross join lateral (
                select array_agg(distinct l.tag) as tags, array_agg(distinct l.recipient) as recipients
                  from (select t as tag, null as recipient
                          from jsonb_array_elements_text(coalesce(f.given #> '{changed,tags}', '[]')) as t
                         union all
                        select case n.name when 'tags' then t end, case n.name when 'recipients' then t end
                          from memory.semantic_memory k
                         cross join (values ('tags'), ('recipients')) as n (name)
                         cross join lateral jsonb_array_elements_text(
                               case jsonb_typeof(k.given -> n.name)
                               when 'array' then k.given -> n.name else '[]' end) as t
                         where k.bank_id = bank and k.timeline = f.timeline and k.extracted_by is null
                           and (k.memory_id = f.memory_id
                                or not f.given ? 'type' and lower(k.value) is not distinct from lower(f.value))
                         union all
                        select x.tag, x.recipient
                          from memory.fact_evidence v
                          join memory.episodic_memory e on e.bank_id = bank and e.memory_id = v.episode_id
                         cross join lateral (
                            select t as tag, null as recipient from unnest(e.tags) as t
                             union all select null, r from unnest(e.recipients) as r) as x
                         where v.bank_id = bank and v.fact_id = f.memory_id
                         union all
                        select t, null from unnest(c.tags) as t
                         union all
                        select null, r from unnest(c.recipients) as r) as l) as o
             where f.bank_id = bank and f.memory_id = any (chosen)
        )
        update memory.semantic_memory f
           set tags = array(select t from unnest(f.tags) as t where t = any (l.tags)),
               recipients = array(select r from unnest(f.recipients) as r where r = any (l.recipients)),
               metadata = case when l.inherits then coalesce(l.former_metadata, '{}') else f.metadata end,
               agent_id = case when f.given ? 'replaces' then l.former_agent else f.agent_id end
          from labels l
         where f.bank_id = bank and f.memory_id = l.memory_id;
    end loop;
end $$;
