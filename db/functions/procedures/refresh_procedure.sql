-- Computes a procedure's evidence_count, confidence, importance, last time and status from its evidence and records the
-- change (docs/design.md, "Procedures"). Without evidence it is dropped; new evidence restores a dropped one. A
-- tentative one becomes active once it is stated as such, or from two pieces of evidence on. The caller holds the bank
-- lock.
create or replace function memory_internal.refresh_procedure(
    bank text, memory uuid, event text, reason text, actor text, at timestamptz)
returns void
language plpgsql as $$
declare
    repeated_evidence constant integer := 2;
    former memory.procedural_memory;
    total integer;
    is_stated boolean;
    last_at timestamptz;
    highest double precision;
begin
    perform memory_internal.enter_bank(bank);
    select p.* into former from memory.procedural_memory p where p.bank_id = bank and p.memory_id = memory;
    select count(*), coalesce(bool_or(v.stated), false), max(v.occurred_at), max(v.importance)
      into total, is_stated, last_at, highest
      from memory.procedure_evidence v
     where v.bank_id = bank and v.procedure_id = memory;
    update memory.procedural_memory p
       set evidence_count = total,
           confidence = 1 - (1 - case when is_stated then 0.9 else 0.6 end) * 0.95 ^ greatest(total - 1, 0),
           importance = case when p.given -> 'changed' ? 'importance' then p.importance
                             else coalesce(greatest(highest, case when p.given ? 'importance' then p.importance end),
                                           p.importance) end,
           occurred_at = coalesce(last_at, p.occurred_at),
           dropped_at = case when total = 0 then coalesce(p.dropped_at, refresh_procedure.at) end,
           status = case when p.retracted_at is not null or p.status not in ('tentative', 'active', 'deprecated')
                         then p.status
                         when total = 0 then 'deprecated'
                         when p.status = 'active' or is_stated or total >= repeated_evidence then 'active'
                         else 'tentative' end
     where p.bank_id = bank and p.memory_id = memory;
    perform memory_internal.record_procedure(
        bank, memory, event, former.status, reason, actor, at);
end $$;
