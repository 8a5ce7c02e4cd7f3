-- Rewrites facts whose subject is the bank's own subject, by full or first name, as facts about `user`; rebuilds the
-- timelines that they move to and re-indexes the words of all facts about the user. Called by update_bank when the
-- setting `subject` changes; memory_service.rules.facts.attributes.of_user does the same for new facts. The caller
-- holds the bank lock.
create or replace function memory_internal.assign_subject(bank text, at timestamptz default now()) returns void
language plpgsql set plan_cache_mode = force_custom_plan as $$
declare
    names text[];
    affected_timelines text[];
begin
    perform memory_internal.enter_bank(bank);
    select array[n.whole, split_part(n.whole, ' ', 1)] into names
      from (select regexp_replace(lower(trim(replace(b.settings ->> 'subject', '’', ''''))), '\s+', ' ', 'g') as whole
              from memory.bank b
             where b.bank_id = bank and b.settings ->> 'subject' is not null) as n;
    if names is not null then
        with named as (
            select f.memory_id, min(substr(f.subject, length(n.name) + 1)) as rest
              from memory.semantic_memory f
             cross join unnest(names) as n (name)
             where f.bank_id = bank
               and (f.subject = n.name or left(f.subject, length(n.name) + 3) = n.name || '''s ')
             group by f.memory_id
        ),
        changed as (
            update memory.semantic_memory f
               set subject = 'user' || n.rest,
                   timeline = memory_internal.timeline_key(
                       'user' || n.rest, f.attribute, f.value, f.cardinality, f.fingerprint)
              from named n
             where f.bank_id = bank and f.memory_id = n.memory_id
            returning f.timeline, f.status
        )
        select array_agg(c.timeline) filter (where c.status <> 'merged_into') into affected_timelines from changed c;
        perform memory_internal.rebuild_timelines(
            bank, affected_timelines, 'the bank''s subject changed', 'operator', at);
    end if;
    perform memory_internal.index_fact_words(
        bank, array(select t.memory_id
                      from memory.memory_text t
                      join memory.semantic_memory f on f.bank_id = bank and f.memory_id = t.memory_id
                     where t.bank_id = bank and t.tier = 'semantic'
                       and (f.subject = 'user' or f.subject like 'user''s %')
                     order by t.memory_id));
end $$;
