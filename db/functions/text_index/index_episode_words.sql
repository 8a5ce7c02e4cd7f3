-- Writes the rows of memory_text for these memories, which recall searches, and links each with its neighbours: the
-- recallable memories before and after it in the same conversation, at most an hour apart. Removes the row of a
-- memory that is no longer recallable, so that its neighbours become adjacent. Called by set_episodes_status and by
-- every function that changes the text of a recallable memory. The caller holds the bank lock.
--   search           the memory's own words (weight A), those of the assistant's reply (C), and bank_lexeme
--   neighbour_words  the words of the question that it answers (B) and of its other neighbours (D); for a cluster
--                    summary, the neighbour_words of its episodes (summary_context_words)
--   mentions         the kinds of things mentioned (mention_kinds)
--   speakers         words of the names of the people who speak in it
-- Each text is parsed once; neighbours' words are copied from their rows. Plans are generic, because planning takes
-- longer than execution, and consist of probes by key (`offset 0`) whatever the statistics were: 0.15 ms per memory
-- in batches of 128, 0.67 ms for a single one. A third of it is update_word_counts, whose result every recall reads.
create or replace function memory_internal.index_episode_words(bank text, memories uuid[]) returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
    language constant regconfig := memory_internal.text_language(memory_internal.bank_settings(bank));
    neighbours uuid[];  -- present and former neighbours outside `memories`
    removed uuid[];
    summaries uuid[];  -- cluster summaries whose `neighbour_words` may have changed
    old_words text[];
begin
    old_words := memory_internal.indexed_words(bank, memories);

    with indexed as materialized (
        select e.memory_id, e.conversation_id, e.occurred_at,
               case when e.reply is null then setweight(to_tsvector(language, e.summary), 'A')
               else setweight(to_tsvector(language, e.summary), 'A')
                    || setweight(to_tsvector(language, e.reply), 'C') end as words,
               memory_internal.mention_kinds(e.summary) as mentions, rtrim(e.summary) ~ '[?？؟]$' as is_question,
               e.summarizes is not distinct from 'cluster' as is_cluster,
               array(select distinct word
                       from (select jsonb_path_query(e.full_text, '$.messages[*].name')
                              union all
                             select jsonb_path_query(e.full_text, '$.speakers[*]')) as speaker (name)
                      cross join unnest(string_to_array(lower(name #>> '{}'), ' ')) as word
                      where word <> '' order by word) as speakers
          from unnest(memories) as i (memory_id)
         cross join lateral (select e.*
                               from memory.episodic_memory e
                              where e.bank_id = bank and e.memory_id = i.memory_id
                             offset 0) as e
         where e.status in ('active', 'archived')
    ),
    positioned as materialized (
        select o.*, n.before_id, n.after_id
          from indexed o
         cross join lateral memory_internal.conversation_neighbours(bank, o.conversation_id, o.occurred_at, o.memory_id) as n
    ),
    inserted_names as (
        insert into memory.person (bank_id, name)
        select bank, s.name from (select distinct unnest(o.speakers) as name from indexed o) as s
        on conflict on constraint person_pkey do nothing
    ),
    written as (
        insert into memory.memory_text
            (bank_id, memory_id, tier, search, neighbour_words, mentions, is_question, speakers, before_id, after_id)
        select bank, p.memory_id, 'episodic', p.words || array_to_tsvector(array[memory_internal.bank_lexeme(bank)]),
               case when p.is_cluster then memory_internal.summary_context_words(bank, p.memory_id)
               else memory_internal.context_words(
                   coalesce(fb.words, b.search), coalesce(fb.is_question, b.is_question), coalesce(fa.words, a.search)) end,
               p.mentions, p.is_question, p.speakers, p.before_id, p.after_id
          from positioned p
          left join indexed fb on fb.memory_id = p.before_id
          left join indexed fa on fa.memory_id = p.after_id
          left join lateral (select t.search, t.is_question
                               from memory.memory_text t
                              where t.bank_id = bank and t.memory_id = p.before_id and fb.memory_id is null
                             offset 0) as b on true
          left join lateral (select t.search
                               from memory.memory_text t
                              where t.bank_id = bank and t.memory_id = p.after_id and fa.memory_id is null
                             offset 0) as a on true
        on conflict on constraint memory_text_pkey do update
           set search = excluded.search, neighbour_words = excluded.neighbour_words, mentions = excluded.mentions,
               is_question = excluded.is_question, speakers = excluded.speakers,
               before_id = excluded.before_id, after_id = excluded.after_id
    )
    select array(select p.before_id from positioned p union select p.after_id from positioned p
                 except select unnest(memories)),
           array(select unnest(memories) except select o.memory_id from indexed o)
      into neighbours, removed;

    if cardinality(removed) > 0 then
        with deleted as (
            delete from memory.memory_text t
             using unnest(removed) as p (memory_id)
             where t.bank_id = bank and t.memory_id = p.memory_id
            returning t.before_id, t.after_id
        )
        select neighbours || array(select g.before_id from deleted g union select g.after_id from deleted g
                               except select unnest(memories)) into neighbours;
    end if;
    perform memory_internal.update_word_counts(bank, old_words, memory_internal.indexed_words(bank, memories));
    neighbours := array_remove(neighbours, null);

    -- Only changed rows are written. `= any` in addition to the join: the join's estimate is far too high, and a hash
    -- join would read every row of the bank (37 ms for 20,000).
    update memory.memory_text t
       set neighbour_words = n.neighbour_words, before_id = n.before_id, after_id = n.after_id
      from (
        select i.memory_id, n.before_id, n.after_id,
               memory_internal.context_words(b.search, b.is_question, a.search) as neighbour_words
          from (select distinct memory_id from unnest(neighbours) as b (memory_id)) as i
         cross join lateral (select e.conversation_id, e.occurred_at
                               from memory.episodic_memory e
                              where e.bank_id = bank and e.memory_id = i.memory_id
                             offset 0) as e
         cross join lateral memory_internal.conversation_neighbours(bank, e.conversation_id, e.occurred_at, i.memory_id) as n
          left join lateral (select w.search, w.is_question
                               from memory.memory_text w
                              where w.bank_id = bank and w.memory_id = n.before_id
                             offset 0) as b on true
          left join lateral (select w.search
                               from memory.memory_text w
                              where w.bank_id = bank and w.memory_id = n.after_id
                             offset 0) as a on true
        offset 0
      ) as n
     where t.bank_id = bank and t.memory_id = any (neighbours) and t.memory_id = n.memory_id
       and (t.neighbour_words, t.before_id, t.after_id) is distinct from (n.neighbour_words, n.before_id, n.after_id);

    -- A summary has the neighbour_words of its episodes: recompute the summaries of changed episodes.
    summaries := array(
        select distinct l.memory_id
          from unnest(memories || neighbours) as m (memory_id)
         cross join lateral (select l.memory_id
                               from memory.memory_link l
                              where l.bank_id = bank and l.linked_id = m.memory_id and l.reason = 'summary'
                             offset 0) as l
         cross join lateral (select
                               from memory.episodic_memory e
                              where e.bank_id = bank and e.memory_id = l.memory_id and e.summarizes = 'cluster'
                             offset 0) as e);
    update memory.memory_text t
       set neighbour_words = s.neighbour_words
      from (
        select i.memory_id, memory_internal.summary_context_words(bank, i.memory_id) as neighbour_words
          from unnest(summaries) as i (memory_id)
        offset 0
      ) as s
     where t.bank_id = bank and t.memory_id = any (summaries) and t.memory_id = s.memory_id
       and t.neighbour_words is distinct from s.neighbour_words;
end $$;
