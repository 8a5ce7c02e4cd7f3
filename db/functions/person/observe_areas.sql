-- Derives the sensitivity map from a group of exchanges (docs/design.md, "Relational memory"). The sums, in
-- relationship.observations, are reduced by 3 % with each group. Called by observe_exchanges.
create or replace function memory_internal.observe_areas(
    bank text, group_ids uuid[], group_end timestamptz, at timestamptz)
returns void
language plpgsql as $$
declare
    areas jsonb;
    area record;
    present memory.relational_memory;
    new_level double precision;
begin
    perform memory_internal.enter_bank(bank);
    select coalesce(jsonb_object_agg(a.key, jsonb_build_object(
               'n', 0.97 * (a.value ->> 'n')::double precision, 'sum', 0.97 * (a.value ->> 'sum')::double precision)),
               '{}')
      into areas
      from memory.relationship r
     cross join jsonb_each(r.observations -> 'areas') as a
     where r.bank_id = bank;
    for area in
        select t.name, count(*) as n, sum(greatest(0, -coalesce(e.emotional_valence, 0))) as negative
          from memory.episodic_memory e
         cross join lateral jsonb_array_elements_text(coalesce(e.signals -> 'areas', '[]')) as t (name)
         where e.bank_id = bank and e.memory_id = any (group_ids)
         group by t.name
         order by t.name
    loop
        areas := jsonb_set(areas, array[area.name], jsonb_build_object(
            'n', area.n + coalesce((areas #>> array[area.name, 'n'])::double precision, 0),
            'sum', area.negative + coalesce((areas #>> array[area.name, 'sum'])::double precision, 0)));
    end loop;
    for area in
        select a.key as name, (a.value ->> 'n')::double precision as n, (a.value ->> 'sum')::double precision as negative
          from jsonb_each(areas) as a
         order by a.key
    loop
        new_level := round((area.negative / (area.n + 2))::numeric, 2);
        present := memory_internal.norm_in_force(bank, 'sensitivity', area.name);
        if present.memory_id is null then
            if area.n >= 3 and new_level >= 0.4 and not exists (
                select from memory.relational_memory n
                 where n.bank_id = bank and n.kind = 'sensitivity' and n.slot = area.name
                   and n.removed_at >= group_end) then
                perform memory_internal.insert_norm(
                    bank, 'sensitivity', area.name, 'sensitive about ' || area.name, '', null, new_level, 0.6, 'tentative',
                    false, 'agent', null, 'observation', group_end, 'negative mood in this area', 'worker', at);
            end if;
        elsif present.extracted_by = 'observation' and not present.pinned then
            if new_level < 0.25 then
                perform memory_internal.end_norm(
                    bank, 'sensitivity', area.name, group_end, 'the mood in this area is better', 'worker', at);
            elsif abs(new_level - present.level) >= 0.05 then
                update memory.relational_memory n
                   set level = new_level, last_confirmed = greatest(n.last_confirmed, group_end)
                 where n.bank_id = bank and n.memory_id = present.memory_id;
                perform memory_internal.record_norm_version(bank, present.memory_id, 'observed again', 'worker', at);
            end if;
        end if;
    end loop;
    update memory.relationship r
       set observations = jsonb_set(r.observations, '{areas}', areas)
     where r.bank_id = bank;
end $$;
