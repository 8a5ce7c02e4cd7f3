-- Returns the wording of each value of these timelines that has one of the `touched` facts, without the episodes to be
-- erased: that of its commit, else of its earliest statement, for the facts of all its periods (`members`). If that
-- statement is erased, or the text is not in its candidate facts (drawn from a group of episodes), the wording of the
-- earliest statement that stays; null if it cannot be determined. Called by erase_facts before the evidence is deleted.
create or replace function memory_internal.choose_wordings(
    bank text, timelines text[], touched uuid[], episodes uuid[])
returns table (members uuid[], wording text)
language plpgsql stable set plan_cache_mode = force_custom_plan as $$
declare
    this_value record;
    source record;
begin
    perform memory_internal.enter_bank(bank);
    for this_value in
        select lower(f.value) as value, array_agg(f.memory_id) as members,
               min(f.fact) filter (where exists (
                   select from memory.fact_judgement j
                    where j.bank_id = bank and j.fact_id = f.memory_id and j.judgement = 'committed'
                      and j.recorded_at = f.recorded_at)) as committed_text
          from memory.semantic_memory f
         where f.bank_id = bank and f.timeline = any (timelines)
         group by f.timeline, lower(f.value)
        having array_agg(f.memory_id) && touched
    loop
        members := this_value.members;
        wording := this_value.committed_text;
        if wording is null then
            select e.candidate_facts, v.episode_id = any (episodes) as erased, f.fact
              into source
              from memory.fact_evidence v
              join memory.semantic_memory f on f.bank_id = bank and f.memory_id = v.fact_id
              left join memory.episodic_memory e on e.bank_id = bank and e.memory_id = v.episode_id
             where v.bank_id = bank and v.fact_id = any (this_value.members)
             order by not v.holds, v.occurred_at, v.episode_id
             limit 1;
            if not coalesce(source.erased, true)
               and source.candidate_facts @> jsonb_build_array(jsonb_build_object('text', source.fact)) then
                wording := source.fact;
            end if;
        end if;
        if wording is null then
            -- The first candidate that states the same, of the earliest episode that stays.
            select c.text into wording
              from (select v.episode_id, e.candidate_facts, f.fact, f.fingerprint, f.attribute
                      from memory.fact_evidence v
                      join memory.semantic_memory f on f.bank_id = bank and f.memory_id = v.fact_id
                      join memory.episodic_memory e on e.bank_id = bank and e.memory_id = v.episode_id
                     where v.bank_id = bank and v.fact_id = any (this_value.members) and v.episode_id <> all (episodes)
                     order by not v.holds, v.occurred_at, v.episode_id
                     limit 1) as first
             cross join lateral jsonb_array_elements(first.candidate_facts) with ordinality as given (candidate, place)
             cross join lateral jsonb_to_record(given.candidate) as c (text text, attribute text, value text)
             where memory_internal.text_fingerprint(c.text) = first.fingerprint
                or lower(c.attribute) = first.attribute and lower(c.value) = this_value.value
                -- Under another name than the canonical one of the attribute: the only candidate with that value.
                or lower(c.value) = this_value.value
                   and (select count(*) from jsonb_array_elements(first.candidate_facts) as o
                         where lower(o ->> 'value') = this_value.value) = 1
                or memory_api.text_difference(first.fact, c.text) is null
             order by given.place
             limit 1;
        end if;
        return next;
    end loop;
end $$;
