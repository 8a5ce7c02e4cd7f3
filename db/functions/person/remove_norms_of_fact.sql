-- Removes the norms in force that rest on the statements of a retracted fact, and returns their number: an instruction
-- with the fact's wording, and a preference that names the fact's value as a word and has no other statement. A pinned
-- norm stays. Confirming a removed norm restores it. Called by review_fact, which holds the bank lock.
create or replace function memory_internal.remove_norms_of_fact(
    bank text, fact_id uuid, actor text, at timestamptz)
returns integer
language plpgsql as $$
declare
    norm_id uuid;
    removed integer := 0;
begin
    perform memory_internal.enter_bank(bank);
    for norm_id in
        select n.memory_id
          from memory.semantic_memory f
          join memory.relational_memory n on n.bank_id = bank and n.valid_to is null and n.status <> 'deprecated'
                                         and not n.pinned
         cross join lateral memory_internal.allergy_reason(lower(n.norm)) as allergy
         where f.bank_id = bank and f.memory_id = remove_norms_of_fact.fact_id
           and n.kind = memory_internal.norm_kind_of(f.attribute)
           and (allergy.plain = rtrim(lower(f.fact), '.')
                or n.kind = 'preference'
                   and lower(n.norm) ~ ('\y' || regexp_replace(lower(f.value), '([^\w\s])', '\\\1', 'g') || '\y')
                   -- "running shoes" is not what a retracted "running" says
                   and not exists (select from memory.semantic_memory o
                                     join memory.fact_evidence e on e.bank_id = bank and e.fact_id = o.memory_id
                                     join memory.fact_evidence s on s.bank_id = bank and s.episode_id = e.episode_id
                                                                and s.fact_id = f.memory_id
                                    where o.bank_id = bank and o.memory_id <> f.memory_id and o.retracted_at is null
                                      and memory_internal.norm_kind_of(o.attribute) = 'preference'
                                      and length(o.value) > length(f.value)
                                      and position(lower(f.value) in lower(o.value)) > 0
                                      and position(lower(o.value) in lower(n.norm)) > 0)
                   and not exists (select from memory.relational_evidence v
                                    where v.bank_id = bank and v.norm_id = n.memory_id
                                      and not exists (select from memory.fact_evidence e
                                                       where e.bank_id = bank and e.fact_id = f.memory_id
                                                         and e.episode_id = v.episode_id)))
           and exists (select from memory.relational_evidence v
                         join memory.fact_evidence e on e.bank_id = bank and e.episode_id = v.episode_id
                        where v.bank_id = bank and v.norm_id = n.memory_id and e.fact_id = f.memory_id and e.holds)
         order by 1
    loop
        update memory.relational_memory n
           set status = 'deprecated', removed_at = remove_norms_of_fact.at
         where n.bank_id = bank and n.memory_id = norm_id;
        perform memory_internal.record_norm_version(bank, norm_id, 'its fact was retracted', actor, at);
        removed := removed + 1;
    end loop;
    return removed;
end $$;
