-- Counts the exchanges that are not observed yet, in groups of relational_exchanges (10) in the order of time, and
-- derives style (observe_style), sensitivity (observe_areas) and phase (set_phase) from them. Returns the number of
-- exchanges observed. Each exchange counts once (observed_at). Called by update_relational, which holds the bank lock.
create or replace function memory_internal.observe_exchanges(bank text, at timestamptz) returns integer
language plpgsql as $$
declare
    observed integer := 0;
    group_ids uuid[];
    group_end timestamptz;
begin
    perform memory_internal.enter_bank(bank);
    loop
        select array_agg(g.memory_id order by g.occurred_at, g.memory_id), max(g.occurred_at) into group_ids, group_end
          from (select e.memory_id, e.occurred_at
                  from memory.episodic_memory e
                 where e.bank_id = bank and e.observed_at is null and e.signals ? 'style'
                   and (e.status in ('active', 'archived', 'merged_into')
                    or e.status = 'pending_embedding' and memory_internal.was_embedded(bank, e.memory_id))
                 order by e.occurred_at, e.memory_id
                 limit memory_internal.relational_exchanges()) as g;
        exit when coalesce(cardinality(group_ids), 0) < memory_internal.relational_exchanges();
        update memory.episodic_memory e
           set observed_at = observe_exchanges.at
         where e.bank_id = bank and e.memory_id = any (group_ids);
        insert into memory.relationship as r
            (bank_id, exchanges, days, first_at, last_at, disclosures, damages, updated_at)
        select bank, count(*), 0, min(e.occurred_at), max(e.occurred_at),
               count(*) filter (where (e.importance_features ->> 'personal')::double precision >= 0.5),
               coalesce(array_agg(e.occurred_at order by e.occurred_at) filter (where e.signals ? 'damage'), '{}'), at
          from memory.episodic_memory e
         where e.bank_id = bank and e.memory_id = any (group_ids)
        on conflict on constraint relationship_pkey do update
           set exchanges = r.exchanges + excluded.exchanges, first_at = least(r.first_at, excluded.first_at),
               last_at = greatest(r.last_at, excluded.last_at), disclosures = r.disclosures + excluded.disclosures,
               damages = (r.damages || excluded.damages)[greatest(1, cardinality(r.damages || excluded.damages) - 49):],
               updated_at = excluded.updated_at;
        update memory.relationship r
           set days = greatest(r.days, (
                   select count(distinct (e.occurred_at at time zone 'UTC')::date)
                     from memory.episodic_memory e
                    where e.bank_id = bank and e.observed_at is not null))
         where r.bank_id = bank;
        perform memory_internal.observe_style(bank, group_ids, group_end, at);
        perform memory_internal.observe_areas(bank, group_ids, group_end, at);
        perform memory_internal.set_phase(bank, group_end);
        observed := observed + cardinality(group_ids);
    end loop;
    return observed;
end $$;
