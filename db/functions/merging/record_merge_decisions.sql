-- Records a model's decisions whether pairs of facts are the same, valid while their texts are unchanged. `pairs`
-- are {one, other, texts: [..], same}; pairs with a changed text are skipped. Returns the number recorded. Called by
-- the nightly merge pass.
create or replace function memory_api.record_merge_decisions(
    bank text, pairs jsonb, decided_by text, at timestamptz default now())
returns integer
language plpgsql as $$
declare
    recorded integer;
begin
    perform memory_internal.require_bank(bank);
    insert into memory.merge_decision (bank_id, one_id, other_id, texts_hash, same, decided_by, recorded_at)
    select bank, least(p.one, p.other), greatest(p.one, p.other),
           md5(least(f.fact, o.fact) || E'\n' || greatest(f.fact, o.fact)), p.same, record_merge_decisions.decided_by,
           record_merge_decisions.at
      from jsonb_to_recordset(pairs) as p (one uuid, other uuid, texts text[], same boolean)
      join memory.semantic_memory f on f.bank_id = bank and f.memory_id = p.one and f.fact = p.texts[1]
      join memory.semantic_memory o on o.bank_id = bank and o.memory_id = p.other and o.fact = p.texts[2]
     order by 2, 3
    on conflict on constraint merge_decision_pkey do update
       set texts_hash = excluded.texts_hash, same = excluded.same, decided_by = excluded.decided_by,
           recorded_at = excluded.recorded_at;
    get diagnostics recorded = row_count;
    return recorded;
end $$;
