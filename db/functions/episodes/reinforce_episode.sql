-- Merges a duplicate (`memory`) into the older episode (`known`). The older one's `represents` and access count
-- increase, it is last accessed at `at`, gets the tags and recipients of both and the higher importance, and is a
-- landmark if either was: repetition alone makes no landmark. It keeps its reply; without one it takes over the
-- duplicate's, with vectors and words. The duplicate becomes merged_into, keeps its text and reply, and still counts
-- as evidence. The event's detail contains the previous values, so that the merge can be undone. Called by
-- activate_episodes, which holds the bank lock.
create or replace function memory_internal.reinforce_episode(bank text, memory uuid, known uuid, at timestamptz)
returns void
language plpgsql as $$
declare
    previous jsonb;
    takes_reply boolean;
begin
    perform memory_internal.enter_bank(bank);
    select jsonb_build_object(
               'merged', memory, 'importance', k.importance, 'landmark', k.landmark, 'tags', k.tags,
               'recipients', k.recipients, 'last_accessed_at', k.last_accessed_at, 'replied', k.reply is not null),
           k.reply is null and exists (
               select from memory.episodic_memory f
                where f.bank_id = bank and f.memory_id = memory and f.reply is not null)
      into previous, takes_reply
      from memory.episodic_memory k
     where k.bank_id = bank and k.memory_id = known
       for no key update;
    update memory.episodic_memory k
       set represents = least(k.represents::bigint + 1, 2147483647),
           access_count = least(k.access_count::bigint + 1, 2147483647),
           last_accessed_at = greatest(k.last_accessed_at, at),
           importance = greatest(k.importance, f.importance),
           landmark = k.landmark or f.landmark,
           tags = array(select distinct tag from unnest(k.tags || f.tags) as tag order by tag),
           recipients = array(select distinct name from unnest(k.recipients || f.recipients) as name order by name),
           reply = coalesce(k.reply, f.reply)
      from memory.episodic_memory f
     where k.bank_id = bank and k.memory_id = known and f.bank_id = bank and f.memory_id = memory;
    if takes_reply then
        insert into memory.memory_vector (bank_id, memory_id, model_id, part, tier, embedding)
        select bank, known, v.model_id, v.part, v.tier, v.embedding
          from memory.memory_vector v
         where v.bank_id = bank and v.memory_id = memory and v.part >= memory_internal.first_reply_part()
        on conflict on constraint memory_vector_pkey do update set embedding = excluded.embedding;
        perform memory_internal.index_vectors(bank, array[known]);
        perform memory_internal.drop_other_vectors(bank, array[known]);
        perform memory_internal.index_episode_words(bank, array[known]);
    end if;
    update memory.episodic_memory f set merged_into_id = known where f.bank_id = bank and f.memory_id = memory;
    perform memory_internal.set_episode_status(
        bank, memory, array['pending_embedding', 'active'], 'merged_into', 'near duplicate of ' || known, 'worker', at);
    insert into memory.memory_event
        (bank_id, memory_id, memory_type, event, from_status, to_status, reason, actor, at, detail)
    values (bank, known, 'episodic', 'reinforced', 'active', 'active', 'repeated in ' || memory, 'worker', at, previous);
end $$;
