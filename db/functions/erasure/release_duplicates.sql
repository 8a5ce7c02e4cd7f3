-- Separates the episodes to be erased from the duplicates that stay. A duplicate of an erased episode becomes pending
-- again: the worker embeds and compares it as a new one. An episode that an erased one was merged into loses what it
-- took over from that: count, importance, tags, recipients and reply, computed from its state before the first merge
-- (the event's detail) and the duplicates that stay. Of these the first one with a reply hands it over. The caller
-- holds the bank lock.
create or replace function memory_internal.release_duplicates(bank text, episodes uuid[], at timestamptz) returns void
language plpgsql set plan_cache_mode = force_custom_plan as $$
declare
    released uuid[];
    roots uuid[];
    lost_replies uuid[];
    donors uuid[];  -- for each of lost_replies, or null
    embedded text[];
    lanes integer[];
    one text;
begin
    perform memory_internal.enter_bank(bank);
    released := array(
        select e.memory_id
          from memory.episodic_memory e
         where e.bank_id = bank and e.merged_into_id = any (episodes) and e.memory_id <> all (episodes)
         order by e.memory_id);
    update memory.episodic_memory e set merged_into_id = null where e.bank_id = bank and e.memory_id = any (released);
    perform memory_internal.set_episodes_status(
        bank, released, array['merged_into'], 'pending_embedding', 'the episode that it duplicated was erased', 'erasure',
        at);
    foreach one in array released::text[] loop
        perform memory_internal.enqueue_work(bank, 'embed', one, 0, at, at);
    end loop;

    roots := array(
        select distinct r.memory_id
          from memory.episodic_memory d
          join memory.episodic_memory r on r.bank_id = bank and r.memory_id = d.merged_into_id
         where d.bank_id = bank and d.memory_id = any (episodes) and r.memory_id <> all (episodes)
         order by r.memory_id);
    if roots = '{}' then
        return;
    end if;
    lost_replies := array(
        select v.memory_id
          from memory.memory_event v
         where v.bank_id = bank and v.memory_id = any (roots) and v.event = 'reinforced'
           and not (v.detail ->> 'replied')::boolean and (v.detail ->> 'merged')::uuid = any (episodes)
           and exists (select from memory.episodic_memory d
                        where d.bank_id = bank and d.memory_id = (v.detail ->> 'merged')::uuid and d.reply is not null));
    donors := array(
        select d.memory_id
          from unnest(lost_replies) with ordinality as l (root, place)
          left join lateral (
                select d.memory_id
                  from memory.memory_event v
                  join memory.episodic_memory d on d.bank_id = bank and d.memory_id = (v.detail ->> 'merged')::uuid
                 where v.bank_id = bank and v.memory_id = l.root and v.event = 'reinforced' and d.merged_into_id = l.root
                   and d.memory_id <> all (episodes) and d.reply is not null
                 order by v.event_id
                 limit 1) as d on true
         order by l.place);
    update memory.episodic_memory r
       set represents = 1 + stays.count,
           access_count = greatest(0, r.access_count - erased.count),
           importance = greatest(coalesce((base.detail ->> 'importance')::double precision, r.importance), stays.importance),
           landmark = coalesce((base.detail ->> 'landmark')::boolean, r.landmark) or stays.landmark,
           tags = array(select jsonb_array_elements_text(coalesce(base.detail -> 'tags', to_jsonb(r.tags)))
                         union select unnest(stays.tags) order by 1),
           recipients = array(
               select jsonb_array_elements_text(coalesce(base.detail -> 'recipients', to_jsonb(r.recipients)))
                union select unnest(stays.recipients) order by 1),
           reply = case when r.memory_id <> all (lost_replies) then r.reply
                        else (select d.reply from memory.episodic_memory d
                               where d.bank_id = bank
                                 and d.memory_id = donors[array_position(lost_replies, r.memory_id)]) end
      from memory.episodic_memory o
      left join lateral (
            select v.detail from memory.memory_event v
             where v.bank_id = bank and v.memory_id = o.memory_id and v.event = 'reinforced'
             order by v.event_id limit 1) as base on true
     cross join lateral (
            select count(distinct d.memory_id)::integer as count, max(d.importance) as importance,
                   coalesce(bool_or(d.landmark), false) as landmark,
                   coalesce(array_agg(distinct t.tag) filter (where t.tag is not null), '{}') as tags,
                   coalesce(array_agg(distinct n.name) filter (where n.name is not null), '{}') as recipients
              from memory.episodic_memory d
              left join lateral unnest(d.tags) as t (tag) on true
              left join lateral unnest(d.recipients) as n (name) on true
             where d.bank_id = bank and d.merged_into_id = o.memory_id and d.memory_id <> all (episodes)) as stays
     cross join lateral (
            select count(*)::integer as count from memory.episodic_memory d
             where d.bank_id = bank and d.merged_into_id = o.memory_id and d.memory_id = any (episodes)) as erased
     where r.bank_id = bank and r.memory_id = any (roots) and o.bank_id = bank and o.memory_id = r.memory_id;
    delete from memory.memory_event v
     where v.bank_id = bank and v.memory_id = any (roots) and v.event = 'reinforced'
       and (v.detail ->> 'merged')::uuid = any (episodes)
       and exists (select from memory.memory_event earlier
                    where earlier.bank_id = bank and earlier.memory_id = v.memory_id and earlier.event = 'reinforced'
                      and earlier.event_id < v.event_id);
    update memory.memory_event v
       set detail = v.detail - 'tags' - 'recipients'
     where v.bank_id = bank and v.memory_id = any (roots) and v.event = 'reinforced'
       and exists (select from memory.memory_event earlier
                    where earlier.bank_id = bank and earlier.memory_id = v.memory_id and earlier.event = 'reinforced'
                      and earlier.event_id < v.event_id);
    if lost_replies <> '{}' then
        -- A worker may hold vectors of an erased reply.
        with overtaken as (
            select w.subject, w.lane from memory.work w
             where w.bank_id = bank and w.kind = 'embed' and w.subject = any (lost_replies::text[]))
        select coalesce(array_agg(o.subject order by o.subject), '{}'), array_agg(o.lane order by o.subject)
          into embedded, lanes
          from overtaken o;
        perform memory_internal.remove_work(bank, array['embed'], embedded);
        perform memory_internal.enqueue_new(bank, 'embed', embedded, lanes, at);
        delete from memory.memory_vector v
         where v.bank_id = bank and v.memory_id = any (lost_replies) and v.part >= memory_internal.first_reply_part();
        insert into memory.memory_vector (bank_id, memory_id, model_id, part, tier, embedding)
        select bank, l.root, v.model_id, v.part, v.tier, v.embedding
          from unnest(lost_replies, donors) as l (root, donor)
          join memory.memory_vector v on v.bank_id = bank and v.memory_id = l.donor
         where v.part >= memory_internal.first_reply_part();
        perform memory_internal.index_vectors(bank, lost_replies);
        -- As if the duplicates until then had been merged into an episode without a reply.
        update memory.memory_event v
           set detail = v.detail || '{"replied": false}'
          from unnest(lost_replies, donors) as l (root, donor)
         where v.bank_id = bank and v.memory_id = l.root and v.event = 'reinforced'
           and v.event_id <= coalesce((
                select min(o.event_id) from memory.memory_event o
                 where o.bank_id = bank and o.memory_id = l.root and o.event = 'reinforced'
                   and (o.detail ->> 'merged')::uuid = l.donor), v.event_id);
    end if;
    perform memory_internal.index_episode_words(bank, roots);
end $$;
