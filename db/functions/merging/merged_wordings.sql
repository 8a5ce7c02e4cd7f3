-- Returns a fact and all facts merged into it by merge_facts, transitively.
create or replace function memory_internal.merged_wordings(bank text, memory uuid) returns setof uuid
language sql stable as $$
    with recursive wordings (memory_id) as (
        select memory
         union
        select m.loser_id
          from wordings w
          join memory.fact_merge m on m.bank_id = bank and m.winner_id = w.memory_id and m.undone_at is null
    )
    select w.memory_id from wordings w;
$$;
