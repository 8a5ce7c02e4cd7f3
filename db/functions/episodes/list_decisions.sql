-- Returns one page of gate decisions, newest first: all, or those of one outcome, with the client ids of their messages
-- and the first 100 characters of each while retention keeps them; the decision itself contains no text.
-- A plan for each call: with an outcome other than 'stored' it reads gate_decision_outcome_idx, else the newest.
create or replace function memory_api.list_decisions(
    bank text, page integer, after_at timestamptz default null, after_id uuid default null,
    only_outcome text default null)
returns table (decision_id uuid, conversation_id text, segment_id uuid, memory_id uuid, message_ids uuid[],
               client_ids text[], outcome text, reason text, verdicts jsonb, decided_by text, decided_at timestamptz,
               said text)
language plpgsql set plan_cache_mode = force_custom_plan as $$
begin
    perform memory_internal.require_bank(bank);
    return query
        select d.decision_id, d.conversation_id, d.segment_id, d.memory_id, d.message_ids,
               array(select m.client_id from memory.message m
                      where m.bank_id = bank and m.segment_id = d.segment_id order by m.position),
               d.outcome, d.reason, d.verdicts, d.decided_by, d.decided_at,
               coalesce(
                   (select string_agg(left(m.content, 100), ' / ' order by m.position) from memory.message m
                     where m.bank_id = bank and m.segment_id = d.segment_id and m.expired_at is null),
                   (select left(e.summary, 100) from memory.episodic_memory e
                     where e.bank_id = bank and e.memory_id = d.memory_id))
          from memory.gate_decision d
         where d.bank_id = bank
           and (only_outcome is null or d.outcome = only_outcome)
           and (after_at is null or (d.decided_at, d.decision_id) < (after_at, after_id))
         order by d.decided_at desc, d.decision_id desc
         limit page;
end $$;
