-- Removes the raw text from episodes whose messages have expired (expire_messages), if the bank's setting
-- empty_full_text is on, with the reply's extract, its words and vectors. Speakers, times and lengths stay, and so
-- do summary, labels and facts. At most `page` per call; returns their number. Explicit commits contain no raw text,
-- and in a verbatim bank the memory is the text: both are left unchanged. Called by the nightly budget pass. Takes
-- the bank lock.
create or replace function memory_api.empty_full_text(
    bank text, page integer default 1000, default_intake text default null)
returns integer
language plpgsql set plan_cache_mode = force_custom_plan as $$
declare
    emptied uuid[];
begin
    perform memory_internal.enter_bank(bank);
    perform from memory.bank b
      where b.bank_id = bank and (b.settings ->> 'empty_full_text')::boolean
        and memory_internal.bank_intake(b.settings, default_intake) <> 'verbatim'
        for no key update;
    if not found then
        return 0;
    end if;
    emptied := array(
        select e.memory_id
          from memory.episodic_memory e
         where e.bank_id = bank and e.segment_id is not null and e.status not in ('pending_embedding', 'failed')
           and (e.reply is not null or jsonb_path_exists(e.full_text, '$.messages[*].content'))
           and not exists (select from memory.message m
                            where m.bank_id = bank and m.segment_id = e.segment_id and m.expired_at is null)
         order by e.memory_id
         limit page);
    update memory.episodic_memory e
       set reply = null,
           full_text = e.full_text || jsonb_build_object('messages', (
               select coalesce(jsonb_agg(entry - 'content' || jsonb_build_object('characters', length(entry ->> 'content'))
                                         order by place), '[]')
                 from jsonb_array_elements(e.full_text -> 'messages') with ordinality as m (entry, place)))
     where e.bank_id = bank and e.memory_id = any (emptied);
    delete from memory.memory_vector v
     where v.bank_id = bank and v.memory_id = any (emptied) and v.part >= memory_internal.first_reply_part();
    perform memory_internal.index_vectors(bank, emptied);
    perform memory_internal.index_episode_words(bank, array(
        select t.memory_id from memory.memory_text t where t.bank_id = bank and t.memory_id = any (emptied)));
    return cardinality(emptied);
end $$;
