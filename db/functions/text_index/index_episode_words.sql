-- Writes the words of these memories, by which recall finds and judges them, and links them with their neighbours: the
-- recallable memory before and the one after in the same conversation, at most an hour apart. A memory that is not
-- recallable any more loses its row, and its neighbours become each other's. set_episodes_status calls it; whoever changes
-- the text of a recallable memory calls it too. The caller holds the bank's lock.
--   search    the memory's own words (weight A), those of the assistant's reply (C) and the bank's word
--   around    the words of the question that it answers (B) and of its other neighbours (D); of the summary of a cluster,
--             those around the episodes that it sums up (memory_internal.summary_context_words)
--   mentions  the kinds of things that it mentions (memory_internal.mention_kinds)
--   speakers  the words by which those who speak in it are called
--   answers   the memory before, where that ends in a question
-- Each text is taken apart once in its life: what neighbours say is copied from their rows. Plans are generic, because
-- planning takes longer than the work, and made of nothing but probes by key (`offset 0`), whatever the tables looked
-- like when they were made: 0.15 ms a memory in batches of 128, two thirds of a millisecond for one alone. A third of it
-- is counting the words (memory_internal.update_word_counts), which every recall reads.
create or replace function memory_internal.index_episode_words(bank text, memories uuid[]) returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
    language regconfig;
    beside uuid[];  -- neighbours, of now and of before, that are not written themselves
    parted uuid[];
    sums uuid[];  -- summaries of clusters that may have other words around them now
    had text[];
begin
    perform memory_internal.enter_bank(bank);
    had := memory_internal.indexed_words(bank, memories);
    select coalesce(b.settings ->> 'language', 'english')::regconfig into language
      from memory.bank b
     where b.bank_id = bank;

    with own as materialized (
        select e.memory_id, e.conversation_id, e.occurred_at,
               case when e.reply is null then setweight(to_tsvector(language, e.summary), 'A')
               else setweight(to_tsvector(language, e.summary), 'A')
                    || setweight(to_tsvector(language, e.reply), 'C') end as words,
               memory_internal.mention_kinds(e.summary) as mentions, rtrim(e.summary) ~ '[?？؟]$' as asks, e.summarizes is not distinct from 'cluster' as sums,
               array(select distinct word
                       from (select jsonb_path_query(e.full_text, '$.messages[*].name')
                              union all
                             select jsonb_path_query(e.full_text, '$.speakers[*]')) as said (name)
                      cross join unnest(string_to_array(lower(name #>> '{}'), ' ')) as word
                      where word <> '' order by word) as speakers
          from unnest(memories) as i (memory_id)
         cross join lateral (select e.*
                               from memory.episodic_memory e
                              where e.bank_id = bank and e.memory_id = i.memory_id
                             offset 0) as e
         where e.status in ('active', 'archived')
    ),
    placed as materialized (
        select o.*, n.before_id, n.after_id
          from own o
         cross join lateral memory_internal.conversation_neighbours(bank, o.conversation_id, o.occurred_at, o.memory_id) as n
    ),
    called as (
        insert into memory.person (bank_id, name)
        select bank, s.name from (select distinct unnest(o.speakers) as name from own o) as s
        on conflict on constraint person_pkey do nothing
    ),
    written as (
        insert into memory.memory_text
            (bank_id, memory_id, tier, search, around, mentions, asks, speakers, before_id, after_id, answers)
        select bank, p.memory_id, 'episodic', p.words || array_to_tsvector(array[memory_internal.bank_lexeme(bank)]),
               case when p.sums then memory_internal.summary_context_words(bank, p.memory_id)
               else memory_internal.context_words(
                   coalesce(fb.words, b.search), coalesce(fb.asks, b.asks), coalesce(fa.words, a.search)) end,
               p.mentions, p.asks, p.speakers, p.before_id, p.after_id, case when coalesce(fb.asks, b.asks) then p.before_id end
          from placed p
          left join own fb on fb.memory_id = p.before_id
          left join own fa on fa.memory_id = p.after_id
          left join lateral (select t.search, t.asks
                               from memory.memory_text t
                              where t.bank_id = bank and t.memory_id = p.before_id and fb.memory_id is null
                             offset 0) as b on true
          left join lateral (select t.search
                               from memory.memory_text t
                              where t.bank_id = bank and t.memory_id = p.after_id and fa.memory_id is null
                             offset 0) as a on true
        on conflict on constraint memory_text_pkey do update
           set search = excluded.search, around = excluded.around, mentions = excluded.mentions, asks = excluded.asks,
               speakers = excluded.speakers, before_id = excluded.before_id, after_id = excluded.after_id, answers = excluded.answers
    )
    select array(select p.before_id from placed p union select p.after_id from placed p except select unnest(memories)),
           array(select unnest(memories) except select o.memory_id from own o)
      into beside, parted;

    if cardinality(parted) > 0 then
        with gone as (
            delete from memory.memory_text t
             using unnest(parted) as p (memory_id)
             where t.bank_id = bank and t.memory_id = p.memory_id
            returning t.before_id, t.after_id
        )
        select beside || array(select g.before_id from gone g union select g.after_id from gone g
                               except select unnest(memories)) into beside;
    end if;
    perform memory_internal.update_word_counts(bank, had, memory_internal.indexed_words(bank, memories));
    beside := array_remove(beside, null);

    -- A row is written only where it changes. `= any` beside the join: its estimate is far too high, and a hash join
    -- would read every row of the bank (37 ms of 20,000).
    update memory.memory_text t
       set around = n.around, before_id = n.before_id, after_id = n.after_id, answers = n.answers
      from (
        select i.memory_id, n.before_id, n.after_id, case when b.asks then n.before_id end as answers,
               memory_internal.context_words(b.search, b.asks, a.search) as around
          from (select distinct memory_id from unnest(beside) as b (memory_id)) as i
         cross join lateral (select e.conversation_id, e.occurred_at
                               from memory.episodic_memory e
                              where e.bank_id = bank and e.memory_id = i.memory_id
                             offset 0) as e
         cross join lateral memory_internal.conversation_neighbours(bank, e.conversation_id, e.occurred_at, i.memory_id) as n
          left join lateral (select w.search, w.asks
                               from memory.memory_text w
                              where w.bank_id = bank and w.memory_id = n.before_id
                             offset 0) as b on true
          left join lateral (select w.search
                               from memory.memory_text w
                              where w.bank_id = bank and w.memory_id = n.after_id
                             offset 0) as a on true
        offset 0
      ) as n
     where t.bank_id = bank and t.memory_id = any (beside) and t.memory_id = n.memory_id
       and (t.around, t.before_id, t.after_id) is distinct from (n.around, n.before_id, n.after_id);

    -- What is said beside an episode is said beside its summary: what went, or has other words now, is so there, too.
    sums := array(
        select distinct l.memory_id
          from unnest(memories || beside) as m (memory_id)
         cross join lateral (select l.memory_id
                               from memory.memory_link l
                              where l.bank_id = bank and l.linked_id = m.memory_id and l.reason = 'summary'
                             offset 0) as l
         cross join lateral (select
                               from memory.episodic_memory e
                              where e.bank_id = bank and e.memory_id = l.memory_id and e.summarizes = 'cluster'
                             offset 0) as e);
    update memory.memory_text t
       set around = s.around
      from (
        select i.memory_id, memory_internal.summary_context_words(bank, i.memory_id) as around
          from unnest(sums) as i (memory_id)
        offset 0
      ) as s
     where t.bank_id = bank and t.memory_id = any (sums) and t.memory_id = s.memory_id
       and t.around is distinct from s.around;
end $$;
