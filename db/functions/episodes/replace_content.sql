-- Replaces the content of an episode: the former one becomes a row of episode_version, and the episode is pending
-- again, without vector, words, links, entities and reply. The worker extracts its fields (annotate), embeds it and
-- writes its facts as for a new commit, stated by the person whose messages the former content was made of
-- (`author`); work in progress on the former content loses its leases. Evidence of the former content is withdrawn
-- (withdraw_evidence). Duplicates of it that were merged into the episode are deprecated, since the episode no longer
-- represents them, and summaries of it are undone (restore_episodes). The caller holds the bank lock and the row.
create or replace function memory_internal.replace_content(
    bank text, memory uuid, content text, actor text, at timestamptz)
returns void
language plpgsql as $$
declare
    duplicates uuid[];
    summary_id uuid;
begin
    perform memory_internal.enter_bank(bank);
    duplicates := array_remove(memory_internal.with_duplicates(bank, array[memory]), memory);
    perform memory_internal.remove_work(
        bank, array['annotate', 'embed', 'facts', 'procedures'], array(select unnest(memory || duplicates)::text));
    for summary_id in
        with recursive containing as (
            select l.memory_id, 1 as level
              from memory.memory_link l
             where l.bank_id = bank and l.linked_id = memory and l.reason = 'summary'
             union
            select l.memory_id, c.level + 1
              from containing c
              join memory.memory_link l on l.bank_id = bank and l.linked_id = c.memory_id and l.reason = 'summary'
        )
        select c.memory_id from containing c group by c.memory_id order by max(c.level) desc, c.memory_id
    loop
        perform memory_internal.restore_episodes(bank, summary_id, replace_content.actor, at);
    end loop;
    insert into memory.episode_version (bank_id, memory_id, version, content, full_text, reply, replaced_at, replaced_by)
    select bank, memory, e.version, e.summary, e.full_text, e.reply, at, replace_content.actor
      from memory.episodic_memory e
     where e.bank_id = bank and e.memory_id = memory;
    update memory.episodic_memory e
       set summary = replace_content.content,
           full_text = jsonb_strip_nulls(jsonb_build_object(
               'content', replace_content.content,
               'speakers', (select jsonb_agg(distinct speaker.name)
                              from (select jsonb_path_query(e.full_text, '$.messages[*].name') as name
                                     union all
                                    select jsonb_path_query(e.full_text, '$.speakers[*]')) as speaker
                             where speaker.name <> 'null'),
               'author', coalesce(e.full_text -> 'author', (
                   select to_jsonb(min(message ->> 'name'))
                     from jsonb_array_elements(e.full_text -> 'messages') as message
                    where message ->> 'role' = 'user'
                   having count(distinct message ->> 'name') = 1)))),
           version = e.version + 1, reply = null, represents = 1, fingerprint = null, candidate_facts = '[]',
           signals = '{}',
           importance_features = '{}', extracted_by = null, consolidated_at = null, cluster_id = null,
           clustered_at = null, released_at = null
     where e.bank_id = bank and e.memory_id = memory;
    perform memory_internal.set_episode_status(
        bank, memory, array['active', 'archived', 'failed'], 'pending_embedding', 'content changed',
        replace_content.actor, at);
    update memory.episodic_memory e
       set merged_into_id = null
     where e.bank_id = bank and e.memory_id = any (duplicates);
    perform memory_internal.set_episodes_status(
        bank, duplicates, array['merged_into'], 'deprecated', 'duplicate of the former content of ' || memory,
        replace_content.actor, at);
    perform memory_internal.withdraw_evidence(
        bank, memory || duplicates, 'content of ' || memory || ' changed', replace_content.actor, at);
    perform memory_internal.withdraw_procedure_evidence(
        bank, memory || duplicates, null, 'content of ' || memory || ' changed', replace_content.actor, at);
    perform memory_internal.remove_derived_rows(bank, array[memory]);
    perform memory_api.set_watermark(bank, 'evidence', array[memory], array['content changed']);
    perform memory_internal.enqueue_work(bank, 'annotate', memory::text, 0, at, at);
end $$;
