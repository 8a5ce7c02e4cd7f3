-- Derives the norms of style from a group of exchanges (docs/design.md, "Relational memory"). The state between groups
-- is in relationship.observations. Called by observe_exchanges.
create or replace function memory_internal.observe_style(
    bank text, group_ids uuid[], group_end timestamptz, at timestamptz)
returns void
language plpgsql as $$
declare
    shown record;
    style jsonb;
    known jsonb;
    present memory.relational_memory;
    label text;
    streak integer;
    norm_id uuid;
begin
    perform memory_internal.enter_bank(bank);
    select coalesce(r.observations -> 'style', '{}') into style from memory.relationship r where r.bank_id = bank;
    for shown in
        select s.*
          from (select avg((e.signals #>> '{style,words}')::double precision) as words,
                       avg((e.signals #>> '{style,casual}')::double precision) as casual,
                       avg((e.signals #>> '{style,polite}')::double precision) as polite,
                       avg((e.signals #>> '{style,technical}')::double precision) as technical,
                       avg((e.signals #>> '{style,emoji}')::double precision) as emoji
                  from memory.episodic_memory e
                 where e.bank_id = bank and e.memory_id = any (group_ids)) as m
         cross join lateral memory_internal.observed_style(m.words, m.casual, m.polite, m.technical, m.emoji) as s
    loop
        known := coalesce(style -> shown.slot, '{"label": "", "challenger": "", "streak": 0}');
        label := known ->> 'label';
        streak := case when shown.label = label then 0
                       when known ->> 'challenger' = shown.label then (known ->> 'streak')::integer + 1
                       else 1 end;
        if streak = 0 then
            if label <> '' then
                present := memory_internal.norm_in_force(bank, 'communication_style', shown.slot);
                update memory.relational_memory n
                   set confidence = n.confidence + 0.05 * (1 - n.confidence),
                       evidence_count = n.evidence_count + memory_internal.relational_exchanges(),
                       last_confirmed = greatest(n.last_confirmed, group_end), status = 'stable'
                 where n.bank_id = bank and n.memory_id = present.memory_id;
                if found then
                    perform memory_internal.record_norm_version(
                        bank, present.memory_id, 'observed again', 'worker', at);
                end if;
            end if;
        elsif streak >= (case when shown.label = '' then 3 else 2 end) then
            if shown.label = '' then
                perform memory_internal.end_norm(
                    bank, 'communication_style', shown.slot, group_end, 'no longer observed', 'worker', at);
            elsif (memory_internal.norm_in_force(bank, 'communication_style', shown.slot)).pinned is not true then
                norm_id := memory_internal.insert_norm(
                    bank, 'communication_style', shown.slot, shown.norm, '', shown.label, null, 0.6, 'tentative',
                    false, 'agent', null, 'observation', group_end, 'observed in two groups of exchanges',
                    'worker', at);
                update memory.relational_memory n
                   set evidence_count = 2 * memory_internal.relational_exchanges()
                 where n.bank_id = bank and n.memory_id = norm_id;
            end if;
            label := shown.label;
            streak := 0;
        end if;
        style := jsonb_set(style, array[shown.slot], jsonb_build_object(
            'label', label, 'challenger', case when streak = 0 then '' else shown.label end, 'streak', streak));
    end loop;
    update memory.relationship r
       set observations = jsonb_set(r.observations, '{style}', style)
     where r.bank_id = bank;
end $$;
