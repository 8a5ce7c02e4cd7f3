-- Returns whether a habit is over at `at`: the messages that state it also state habits as facts, and all of these have
-- ended ("I stopped running", facts_ended_by), or doses that it names without another activity, and all of these have
-- ended ("I take 100 mg", then 50 mg). Reads leave such a procedure out; its row does not change, so that an erasure of
-- the ending brings it back.
create or replace function memory_internal.is_ended_habit(bank text, procedure uuid, at timestamptz)
returns boolean
language sql stable as $$
    select coalesce(bool_and(coalesce(f.valid_to <= at, false)) filter (where f.attribute = 'habit'), false)
           or coalesce(bool_and(coalesce(f.valid_to <= at, false)) filter (where f.attribute <> 'habit'), false)
      from memory.procedural_memory p
      join memory.procedure_evidence e on e.bank_id = bank and e.procedure_id = p.memory_id
      join memory.fact_evidence s on s.bank_id = bank and s.episode_id = e.evidence_id and s.holds
      join memory.semantic_memory f on f.bank_id = bank and f.memory_id = s.fact_id
     where p.bank_id = bank and p.memory_id = procedure and f.valid_from <= at
       and (f.attribute = 'habit'
            or f.attribute like '%\_dose' and p.content !~* '[,;&+]|\m(and|then|plus|also|before|after|while|when)\M'
               and strpos(replace(lower(p.content), ' ', ''), replace(lower(f.value), ' ', '')) > 0)
       and f.status <> 'merged_into' and f.retracted_at is null;
$$;
