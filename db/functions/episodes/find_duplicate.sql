-- Returns the active episode of which a new one is a duplicate, or null: the nearest at or above the bank's
-- duplicate threshold, or one with the same words except for punctuation and case (short texts that differ in a full
-- stop have a cosine of 0.92 to 0.97), in both cases without any text_difference. The search is exact, because texts
-- without a difference share their fingerprint (text_fingerprint). Texts of several parts are never duplicates.
-- `undecided` are active episodes of the same batch still to be checked: merging into one of them could chain
-- merges. Called by activate_episodes, which holds the bank lock and has inserted the vector. Runs as the owner, as
-- nearest_episodes does.
create or replace function memory_internal.find_duplicate(
    bank text, model text, memory uuid, undecided uuid[] default '{}')
returns uuid
language plpgsql security definer
set search_path = pg_catalog, pg_temp set plan_cache_mode = force_custom_plan as $$
declare
    duplicate_id uuid;
begin
    perform memory_internal.enter_bank(bank);
    with new_episode as materialized (
        select e.summary, e.fingerprint, v.embedding, t.duplicate
          from memory.episodic_memory e
          join memory.memory_vector v on v.bank_id = bank and v.memory_id = memory and v.model_id = model and v.part = 0
          cross join memory_api.bank_thresholds(bank, model) as t
         where e.bank_id = bank and e.memory_id = memory
    ),
    -- At most 20, identical text first: text_difference costs more than a distance, and a bank may have a thousand
    -- episodes with the same words in another order.
    similar_texts as materialized (
        select k.memory_id, k.summary
          from new_episode f
          join memory.episodic_memory k
            on k.bank_id = bank and k.fingerprint = f.fingerprint and k.status = 'active' and k.memory_id <> memory
           and k.memory_id <> all (undecided)
          join memory.memory_vector v
            on v.bank_id = bank and v.model_id = model and v.memory_id = k.memory_id and v.part = 0
           and ((v.embedding operator(public.<=>) f.embedding) <= 1 - f.duplicate
                or memory_internal.normalized_words(k.summary) = memory_internal.normalized_words(f.summary))
         where not exists (
            select from memory.memory_vector p
             where p.bank_id = bank and p.model_id = model and p.memory_id = k.memory_id and p.part = 1)
         order by k.summary <> f.summary, v.embedding operator(public.<=>) f.embedding, k.memory_id
         limit 20
    )
    select n.memory_id into duplicate_id
      from similar_texts n
     cross join new_episode f
     where memory_api.text_difference(n.summary, f.summary) is null
     limit 1;
    return duplicate_id;
end $$;
