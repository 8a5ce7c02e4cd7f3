-- Writes the rows of memory_text for facts, as index_episode_words does for episodes; facts have no neighbours. The
-- words of a fact's subject are its `speakers`; those of `user` are the name in the bank's settings, or none.
create or replace function memory_internal.index_fact_words(bank text, facts uuid[]) returns void
language plpgsql as $$
declare
    language constant regconfig := memory_internal.text_language(memory_internal.bank_settings(bank));
    old_words text[];
begin
    old_words := memory_internal.indexed_words(bank, facts);
    insert into memory.memory_text (bank_id, memory_id, tier, search, mentions, speakers)
    select bank, f.memory_id, 'semantic',
           setweight(to_tsvector(language, f.fact), 'A') || array_to_tsvector(array[memory_internal.bank_lexeme(bank)]),
           memory_internal.mention_kinds(f.fact),
           array(select distinct word
                   from unnest(string_to_array(
                            regexp_replace(
                                lower(memory_internal.display_subject(bank, f.subject)), '''s\M', '', 'g'), ' ')) as word
                  where word <> '' and memory_internal.display_subject(bank, f.subject) <> 'user' order by word)
      from memory.semantic_memory f
     where f.bank_id = bank and f.memory_id = any (facts)
    on conflict on constraint memory_text_pkey do update
       set search = excluded.search, mentions = excluded.mentions, speakers = excluded.speakers;
    perform memory_internal.update_word_counts(bank, old_words, memory_internal.indexed_words(bank, facts));
end $$;
