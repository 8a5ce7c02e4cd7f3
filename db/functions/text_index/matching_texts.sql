-- Returns the rows of memory_text of a large bank that match `finding`, with their rank: at most `most` rows are
-- ranked, those stored first, and of these the `count` best are returned; null for all. With `within` only these
-- memories. Called by large_text_candidates. Custom plans, because a generic one assumes an average bank and reads all
-- of a large one instead of the GIN index; planning this statement takes 0.2 ms.
create or replace function memory_internal.matching_texts(
    bank text, finding tsquery, label_weights real[], count integer, most integer, within uuid[] default null)
returns table (memory_id uuid, tier text, before_id uuid, after_id uuid, is_question boolean, rank real)
language plpgsql security definer rows 200
set search_path = pg_catalog, pg_temp set plan_cache_mode = force_custom_plan as $$
declare
    finding_here constant tsquery := ('''' || memory_internal.bank_lexeme(bank) || '''')::tsquery && finding;
begin
    perform memory_internal.enter_bank(bank);
    if within is null then
        return query
            select m.memory_id, m.tier, m.before_id, m.after_id, m.is_question,
                   ts_rank(label_weights, m.search, finding) as rank
              from (select t.*
                      from memory.memory_text t
                     where t.bank_id = bank and t.search @@ finding_here
                     limit most) as m
             order by rank desc, m.memory_id
             limit count;
    else
        return query
            select m.memory_id, m.tier, m.before_id, m.after_id, m.is_question,
                   ts_rank(label_weights, m.search, finding) as rank
              from memory.memory_text m
             where m.bank_id = bank and m.memory_id = any (within) and m.search @@ finding
             order by rank desc, m.memory_id
             limit count;
    end if;
end $$;
