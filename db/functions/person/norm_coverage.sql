-- Returns one row with the memories that repeat norms, so that a context does not print both; no row in a bank
-- without stated norms. `detail` has
--   stated    pairs of a norm in force and an episode that states it
--   facts     facts about likings and instructions that rest on such episodes alone
--   replaced  episodes, and such facts, that state only norms that were replaced or removed; of a sensitive topic that
--             may be talked about again, the orders alone: its episodes may state more about the topic
--   ended     of other episodes, a norm that was replaced or removed, or a sensitive topic that may be talked about
--             again: {episode, norm, text, since}
--   endings   of the facts in `replaced`, the instructions in the words of a norm: {fact, moment}, when the last of
--             their norms ended
-- Called by person_entries and end_instruction_facts.
create or replace function memory_internal.norm_coverage(bank text, at timestamptz)
returns table (kind text, id uuid, content text, situation text, cosine double precision, occurred_at timestamptz,
               detail jsonb)
language sql stable as $$
    with evidence as materialized (
        select v.norm_id, v.episode_id, n.norm, n.situation, allergy.plain,
               substring(n.norm from ' does not want to talk about (.*)$') as topic,
               coalesce(n.removed_at, n.valid_to) as ended_at,
               n.status <> 'deprecated' and n.valid_from <= at and (n.valid_to is null or n.valid_to > at) as in_force,
               n.removed_at is not null or n.superseded_by is not null and n.valid_to <= at as replaced,
               n.kind in ('sensitivity', 'instruction') and v.stated and n.valid_to <= at
                   and v.occurred_at < n.valid_to as allowed
          from memory.relational_evidence v
          join memory.relational_memory n on n.bank_id = v.bank_id and n.memory_id = v.norm_id
         cross join lateral memory_internal.allergy_reason(n.norm) as allergy
         where v.bank_id = bank
    ),
    -- Of a fact in the words of a norm, with or without its situation, or of an order about its sensitive topic, that
    -- norm decides; of others, all norms of their episodes.
    fact as materialized (
        select r.memory_id, bool_or(r.in_force) as in_force, bool_and(r.replaced) as replaced,
               bool_and(r.is_instruction and r.has_norm) as is_stated_order, max(r.ended_at) as ended_at
          from (select f.memory_id, e.in_force, e.ended_at,
                       memory_internal.norm_kind_of(f.attribute) = 'instruction' as is_instruction,
                       e.replaced or e.allowed and memory_internal.norm_kind_of(f.attribute) = 'instruction' as replaced,
                       w.in_its_words,
                       bool_or(w.in_its_words) over (partition by f.memory_id) as has_norm
                  from evidence e
                  join memory.fact_evidence s on s.bank_id = bank and s.episode_id = e.episode_id
                  join memory.semantic_memory f on f.bank_id = bank and f.memory_id = s.fact_id
                 cross join lateral (
                       select rtrim(f.fact, '.') = e.plain
                              or e.situation <> '' and starts_with(f.fact, rtrim(e.norm, '.') || ' ')
                                 and right(lower(rtrim(f.fact, '.')), length(e.situation)) = lower(e.situation)
                              or e.topic is not null
                                 and right(regexp_replace(
                                         rtrim(f.fact, '.'),
                                         '( (up|again|any ?more|ever|please|yet|(unless|until|except|if|when)\M.*))+$', ''),
                                     length(e.topic) + 1) = ' ' || e.topic as in_its_words) as w
                 where memory_internal.norm_kind_of(f.attribute) is not null
                   and not exists (select from memory.fact_evidence o
                                    where o.bank_id = bank and o.fact_id = f.memory_id
                                      and o.episode_id not in (select i.episode_id from evidence i))) as r
         where r.in_its_words or not r.has_norm
         group by r.memory_id
    )
    select 'coverage', '00000000-0000-0000-0000-000000000000'::uuid, '', '', null::double precision, at,
           jsonb_build_object(
               'stated', coalesce((select jsonb_agg(jsonb_build_array(e.norm_id, e.episode_id))
                                     from evidence e where e.in_force), '[]'),
               'facts', coalesce((select jsonb_agg(f.memory_id) from fact f where f.in_force), '[]'),
               'replaced', coalesce((select jsonb_agg(r.memory_id)
                                       from (select e.episode_id as memory_id
                                               from evidence e group by e.episode_id having bool_and(e.replaced)
                                              union all
                                             select f.memory_id from fact f where f.replaced) as r), '[]'),
               'ended', coalesce((select jsonb_agg(jsonb_build_object('episode', o.episode_id, 'norm', o.norm_id,
                                                                      'text', o.norm, 'since', o.ended_at))
                                    from (select distinct on (e.episode_id) e.*
                                            from evidence e
                                           where (e.replaced or e.allowed)
                                             and exists (select from evidence k
                                                          where k.episode_id = e.episode_id and not k.replaced)
                                           order by e.episode_id, e.ended_at desc, e.norm_id) as o), '[]'),
               'endings', coalesce((select jsonb_agg(jsonb_build_object('fact', f.memory_id, 'moment', f.ended_at))
                                      from fact f where f.replaced and f.is_stated_order), '[]'))
     where exists (select from evidence);
$$;
