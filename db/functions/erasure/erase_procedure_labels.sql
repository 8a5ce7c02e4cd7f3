-- Removes from procedures what they took over from erased ones: those in `shared`, which an erased commit repeated, its
-- tags, recipients, steps and reason (place_committed_procedure), and corrections of these and of the `removed` ones,
-- and their corrections in turn, what update_procedure copied. Steps and reason become those of the first version, of a
-- correction those of the procedure that it corrects; versions with others are deleted. A label stays if a call gave
-- it, if a commit that repeats the procedure has it, or if the procedure that it corrects still has it. Called by
-- erase_procedures when the erased commits are separated. The caller holds the bank lock.
create or replace function memory_internal.erase_procedure_labels(bank text, removed uuid[], shared uuid[]) returns void
language plpgsql set plan_cache_mode = force_custom_plan as $$
declare
    most_corrections constant integer := 100;  -- also of a file that makes a circle of them
    chosen uuid[];
begin
    perform memory_internal.enter_bank(bank);
    for chosen in
        with recursive correction as (
            select unnest(removed || shared) as memory_id, 0 as depth
             union
            select p.memory_id, c.depth + 1
              from correction c
              join memory.procedural_memory p on p.bank_id = bank and p.given ->> 'replaces' = c.memory_id::text
             where c.depth < most_corrections and not p.given ? 'situation'
        )
        select array_agg(d.memory_id)
          from (select c.memory_id, max(c.depth) as depth
                  from correction c
                 where c.memory_id <> all (removed)
                 group by c.memory_id) as d
         group by d.depth
         order by d.depth
    loop
        with own as materialized (
            select p.memory_id, l.tags, l.recipients, c.metadata as former_metadata,
                   p.given ? 'replaces' and not p.given ? 'situation' as copied,
                   case when c.memory_id is null then first.steps else c.steps end as steps,
                   case when c.memory_id is null then first.why else c.why end as why
              from memory.procedural_memory p
              left join memory.procedural_memory c
                on c.bank_id = bank and c.memory_id::text = p.given ->> 'replaces' and not p.given ? 'situation'
               and c.memory_id <> all (removed)
             cross join lateral (
                select v.steps, v.why from memory.procedure_version v
                 where v.bank_id = bank and v.procedure_id = p.memory_id order by v.version limit 1) as first
             cross join lateral (
                select array(
                           select jsonb_array_elements_text(coalesce(p.given #> '{changed,tags}', '[]'))
                            union all
                           select jsonb_array_elements_text(
                               case jsonb_typeof(p.given -> 'tags') when 'array' then p.given -> 'tags' else '[]' end)
                            union all
                           select unnest(c.tags)
                            union all
                           select unnest(r.tags) from memory.procedural_memory r
                            where r.bank_id = bank and r.merged_into_id = p.memory_id
                              and r.memory_id <> all (removed)) as tags,
                       array(
                           select jsonb_array_elements_text(
                               case jsonb_typeof(p.given -> 'recipients')
                               when 'array' then p.given -> 'recipients' else '[]' end)
                            union all
                           select unnest(c.recipients)
                            union all
                           select unnest(r.recipients) from memory.procedural_memory r
                            where r.bank_id = bank and r.merged_into_id = p.memory_id
                              and r.memory_id <> all (removed)) as recipients) as l
             where p.bank_id = bank and p.memory_id = any (chosen)
        )
        update memory.procedural_memory p
           set tags = array(select t from unnest(p.tags) as t where t = any (o.tags)),
               recipients = array(select r from unnest(p.recipients) as r where r = any (o.recipients)),
               metadata = case when o.copied and not coalesce(p.given -> 'changed' ? 'metadata', false)
                               then coalesce(o.former_metadata, '{}') else p.metadata end,
               steps = o.steps, why = o.why,
               words = memory_internal.procedure_words(bank, p.content, p.situation, o.steps)
          from own o
         where p.bank_id = bank and p.memory_id = o.memory_id;
        delete from memory.procedure_version v
         using memory.procedural_memory p
         where v.bank_id = bank and v.procedure_id = any (chosen) and p.bank_id = bank and p.memory_id = v.procedure_id
           and (v.steps, v.why) is distinct from (p.steps, p.why);
    end loop;
end $$;
