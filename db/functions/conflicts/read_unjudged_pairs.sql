-- Returns the pairs for pair judging: for each of `facts` up to `most` nearest facts above the conflict threshold,
-- with the same subject and an overlapping period, that neither a rule nor a model has judged. A pair is returned
-- for the fact recorded later, so that it is judged once. The fact valid earlier comes first. Facts are JSON: {text,
-- attribute, value, cardinality, since}. Called by the worker ('judge').
create or replace function memory_api.read_unjudged_pairs(bank text, facts uuid[], most integer default 16)
returns table (older_id uuid, newer_id uuid, similarity double precision, older jsonb, newer jsonb)
language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
    model text;
    threshold double precision;
begin
    perform memory_internal.require_bank(bank);
    select b.embedding_model, t.conflict into model, threshold
      from memory.bank b
     cross join lateral memory_api.bank_thresholds(bank, b.embedding_model) as t
     where b.bank_id = bank;
    return query
        select distinct on (least(one.memory_id, two.memory_id), greatest(one.memory_id, two.memory_id))
               case when two.other_is_older then two.memory_id else one.memory_id end,
               case when two.other_is_older then one.memory_id else two.memory_id end,
               two.similarity,
               case when two.other_is_older then two.description else one.description end,
               case when two.other_is_older then one.description else two.description end
          from unnest(facts) as i (memory_id)
         cross join lateral (
            select f.*, v.embedding, jsonb_build_object(
                       'text', f.fact, 'attribute', f.attribute, 'value', f.value, 'cardinality', f.cardinality,
                       'since', f.valid_from) as description
              from memory.semantic_memory f
              join memory.memory_vector v
                on v.bank_id = bank and v.model_id = model and v.memory_id = f.memory_id and v.part = 0
             where f.bank_id = bank and f.memory_id = i.memory_id and f.status not in ('merged_into', 'deprecated')
            offset 0) as one
         cross join lateral (
            select o.memory_id, n.similarity,
                   (o.valid_from, o.fact, o.memory_id) < (one.valid_from, one.fact, one.memory_id) as other_is_older,
                   jsonb_build_object(
                       'text', o.fact, 'attribute', o.attribute, 'value', o.value, 'cardinality', o.cardinality,
                       'since', o.valid_from) as description
              from memory_internal.nearest_facts(bank, model, one.embedding, most + 1) as n
             cross join lateral (select *
                                   from memory.semantic_memory o
                                  where o.bank_id = bank and o.memory_id = n.memory_id
                                 offset 0) as o
             where n.similarity > threshold and o.memory_id <> one.memory_id and o.timeline <> one.timeline
               and (o.recorded_at, o.memory_id) < (one.recorded_at, one.memory_id)
               and o.status not in ('merged_into', 'deprecated')
               and greatest(o.valid_from, one.valid_from)
                   < least(coalesce(o.valid_to, 'infinity'), coalesce(one.valid_to, 'infinity'))
               and lower(o.subject) is not distinct from lower(one.subject)
               and not exists (select from memory.fact_pair p
                                where p.bank_id = bank and p.one_id = least(o.memory_id, one.memory_id)
                                  and p.other_id = greatest(o.memory_id, one.memory_id))
               and not exists (select from memory.fact_conflict c
                                where c.bank_id = bank and c.one_id = least(o.memory_id, one.memory_id)
                                  and c.other_id = greatest(o.memory_id, one.memory_id))
             order by n.similarity desc, o.memory_id) as two
         order by least(one.memory_id, two.memory_id), greatest(one.memory_id, two.memory_id);
end $$;
