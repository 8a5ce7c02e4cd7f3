-- Writes the words of facts, by which recall finds and judges them: index_episode_words for what has no neighbours. Whom a fact is
-- about counts as who speaks in it; the user by the name that the bank knows, else not at all.
create or replace function memory_internal.index_fact_words(bank text, facts uuid[]) returns void
language plpgsql as $$
declare
    language regconfig;
    had text[];
begin
    perform memory_internal.enter_bank(bank);
    had := memory_internal.indexed_words(bank, facts);
    select coalesce(b.settings ->> 'language', 'english')::regconfig into language
      from memory.bank b
     where b.bank_id = bank;
    insert into memory.memory_text (bank_id, memory_id, tier, search, mentions, speakers)
    select bank, f.memory_id, 'semantic',
           setweight(to_tsvector(language, f.fact), 'A') || array_to_tsvector(array[memory_internal.bank_lexeme(bank)]),
           memory_internal.mention_kinds(f.fact),
           array(select distinct word
                   from unnest(string_to_array(
                            regexp_replace(lower(memory_internal.display_subject(bank, f.subject)), '''s\M', '', 'g'), ' ')) as word
                  where word <> '' and memory_internal.display_subject(bank, f.subject) <> 'user' order by word)
      from memory.semantic_memory f
     where f.bank_id = bank and f.memory_id = any (facts)
    on conflict on constraint memory_text_pkey do update
       set search = excluded.search, mentions = excluded.mentions, speakers = excluded.speakers;
    perform memory_internal.update_word_counts(bank, had, memory_internal.indexed_words(bank, facts));
end $$;
