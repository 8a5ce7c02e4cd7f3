-- Ends the facts about instructions whose norms have all ended (`endings` of norm_coverage), each at the time when its
-- last norm did, and opens again those that it ended whose norm is in force again. An ending is a judgement with the
-- actor 'norms'; pinned facts stay. Returns the number of endings written or withdrawn. Called wherever norms end,
-- return or are deleted, and where facts about instructions are written, which may come after the end. The caller holds
-- the bank lock.
create or replace function memory_internal.end_instruction_facts(bank text, at timestamptz)
returns integer
language plpgsql as $$
declare
    endings constant jsonb := coalesce(
        (select c.detail -> 'endings' from memory_internal.norm_coverage(bank, at) as c), '[]');
    reopened text[];
    ended text[];
begin
    perform memory_internal.enter_bank(bank);
    reopened := memory_internal.withdraw_norm_endings(
        bank, array(select e.fact from jsonb_to_recordset(endings) as e (fact uuid)));
    with written as (
        insert into memory.fact_judgement (bank_id, fact_id, judgement, occurred_at, recorded_at, actor)
        select bank, f.memory_id, 'ended', e.moment, end_instruction_facts.at, 'norms'
          from jsonb_to_recordset(endings) as e (fact uuid, moment timestamptz)
          join memory.semantic_memory f on f.bank_id = bank and f.memory_id = e.fact
         where f.valid_to is null and f.valid_from < e.moment and f.retracted_at is null
           and f.status <> 'merged_into' and not f.pinned
        returning fact_id
    )
    select array_agg(f.timeline) into ended
      from written w
      join memory.semantic_memory f on f.bank_id = bank and f.memory_id = w.fact_id;
    perform memory_internal.rebuild_timelines(bank, reopened, 'its norm is in force again', 'norms', at);
    perform memory_internal.rebuild_timelines(bank, ended, 'its norm ended', 'norms', at);
    return coalesce(cardinality(reopened), 0) + coalesce(cardinality(ended), 0);
end $$;
