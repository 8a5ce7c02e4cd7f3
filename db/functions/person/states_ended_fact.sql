-- Returns whether a norm repeats an ended or retracted fact of its episodes: the fact's value is in the norm's words,
-- and no fact of the timeline has the value at `at`. Called by norm_entries for the preferences in force.
create or replace function memory_internal.states_ended_fact(bank text, norm_id uuid, norm text, at timestamptz)
returns boolean
language sql stable as $$
    select exists (
        select from memory.relational_evidence r
          join memory.fact_evidence e on e.bank_id = bank and e.episode_id = r.episode_id and e.holds
          join memory.semantic_memory f on f.bank_id = bank and f.memory_id = e.fact_id
         where r.bank_id = bank and r.norm_id = states_ended_fact.norm_id and f.status <> 'merged_into'
           and (f.valid_to <= at or f.retracted_at <= at)
           and to_tsvector('english', norm) @@ plainto_tsquery('english', f.value)
           and not exists (
               select from memory.semantic_memory same_value
                where same_value.bank_id = bank and same_value.timeline = f.timeline and same_value.valid_from <= at
                  and (same_value.valid_to is null or same_value.valid_to > at) and same_value.retracted_at is null
                  and same_value.status <> 'merged_into' and lower(same_value.value) = lower(f.value)));
$$;
