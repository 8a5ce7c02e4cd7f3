-- Inserts one episode that summarizes several, and archives these (restore_episodes undoes it). The summary has the
-- latest of their times, the highest importance, the sum of `represents`, the union of their labels, and their
-- links, plus a link to each of them. A member that is itself a summary is deprecated instead of archived, because
-- its counts and period are superseded. `wording` is {memory_id, cluster_id, kind, content, each, since,
-- extracted_by, reason}: `each` is the text of nearly equal ones, `since` the start of the period. The caller holds
-- the bank lock and the rows.
create or replace function memory_internal.write_summary(
    bank text, model text, members uuid[], wording jsonb, parts public.halfvec[], at timestamptz default now())
returns void
language plpgsql as $$
declare
    summary_id constant uuid := (wording ->> 'memory_id')::uuid;
    most_labels constant integer := 16;
begin
    perform memory_internal.enter_bank(bank);
    with m as materialized (
        select e.* from memory.episodic_memory e where e.bank_id = bank and e.memory_id = any (members)
    )
    insert into memory.episodic_memory
        (bank_id, memory_id, agent_id, source, status, occurred_at, recorded_at, full_text, summary, importance,
         emotional_valence, emotions, lesson, topics, entities, tags, recipients, metadata, extracted_by, represents,
         access_count, last_accessed_at, consolidated_at, cluster_id, clustered_at, summarizes)
    select bank, summary_id, case when count(distinct m.agent_id) = 1
        and count(m.agent_id) = count(*) then min(m.agent_id) end,
           mode() within group (order by m.source), 'active', max(m.occurred_at), write_summary.at,
           jsonb_strip_nulls(jsonb_build_object(
               'summary_of', to_jsonb(members), 'from', wording -> 'since', 'to', max(m.occurred_at),
               'each', wording -> 'each',
               'speakers', (select jsonb_agg(distinct speaker.name)
                              from m
                             cross join lateral (select jsonb_path_query(m.full_text, '$.messages[*].name') as name
                                                  union all
                                                 select jsonb_path_query(m.full_text, '$.speakers[*]')) as speaker
                             where speaker.name <> 'null'))),
           wording ->> 'content', max(m.importance),
           sum(memory_internal.flush_to_zero(m.emotional_valence) * m.represents)
               / sum(m.represents) filter (where m.emotional_valence is not null),
           array(select label from m cross join unnest(m.emotions) as label
                  group by label order by count(*) desc, label limit 3),
           (select left(string_agg(distinct m.lesson, ' '), 4000) from m),
           array(select label from m cross join unnest(m.topics) as label
                  group by label order by count(*) desc, label limit most_labels),
           array(select label from m cross join unnest(m.entities) as label
                  group by label order by count(*) desc, label limit most_labels),
           array(select distinct label from m cross join unnest(m.tags) as label order by label),
           array(select distinct label from m cross join unnest(m.recipients) as label order by label),
           -- Metadata that all members share, plus the summary's own.
           coalesce((select jsonb_object_agg(shared.key, shared.value)
                       from (select entry.key, entry.value
                               from m cross join jsonb_each(m.metadata) as entry
                              group by entry.key, entry.value
                             having count(*) = cardinality(members)) as shared), '{}')
           || jsonb_build_object('summary_of', cardinality(members), 'from', wording -> 'since', 'to', max(m.occurred_at)),
           wording ->> 'extracted_by', least(sum(m.represents), 2147483647), least(sum(m.access_count), 2147483647),
           max(m.last_accessed_at), write_summary.at,
           (wording ->> 'cluster_id')::uuid, write_summary.at, wording ->> 'kind'
      from m;
    insert into memory.memory_event (bank_id, memory_id, memory_type, event, to_status, reason, actor, at, detail)
    values (bank, summary_id, 'episodic', 'created', 'active', wording ->> 'reason', 'consolidate', write_summary.at,
            jsonb_build_object('summary_of', to_jsonb(members)));
    insert into memory.memory_vector (bank_id, memory_id, model_id, part, tier, embedding)
    select bank, summary_id, model, p.place - 1, 'episodic', p.embedding
      from unnest(parts) with ordinality as p (embedding, place);
    perform memory_internal.index_vectors(bank, array[summary_id]);
    perform memory_internal.set_episodes_status(
        bank, array(select e.memory_id from memory.episodic_memory e
                     where e.bank_id = bank and e.memory_id = any (members) and e.summarizes is null),
        array['active'], 'archived', 'consolidated into ' || summary_id, 'consolidate', write_summary.at);
    perform memory_internal.set_episodes_status(
        bank, members, array['active'], 'deprecated', 'consolidated into ' || summary_id, 'consolidate', write_summary.at);
    insert into memory.memory_entity (bank_id, entity, memory_id)
    select distinct bank, left(lower(name), 200), summary_id
      from memory.episodic_memory e
     cross join unnest(e.entities) as name
     where e.bank_id = bank and e.memory_id = summary_id
    on conflict on constraint memory_entity_pkey do nothing;
    insert into memory.memory_link (bank_id, memory_id, linked_id, reason, strength, linked_at)
    select bank, summary_id, member, 'summary', 1, write_summary.at from unnest(members) as member
     union all
    (select distinct on (o.other) bank, summary_id, o.other, o.reason, o.strength, write_summary.at
       from (select l.linked_id as other, l.reason, l.strength
               from memory.memory_link l
              where l.bank_id = bank and l.memory_id = any (members)
              union all
             select l.memory_id, l.reason, l.strength
               from memory.memory_link l
              where l.bank_id = bank and l.linked_id = any (members)) as o
      where o.other <> all (members) and o.reason <> 'summary'
      order by o.other, o.strength desc, o.reason);
    perform memory_internal.index_episode_words(bank, array[summary_id]);
end $$;
