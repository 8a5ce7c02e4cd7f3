-- Deletes the evidence that these episodes are, of procedures of the given kinds (null: all), and computes their
-- procedures again: one without any other evidence is dropped until new evidence restores it. Called when the content
-- or the lesson of an episode changes. The caller holds the bank lock.
create or replace function memory_internal.withdraw_procedure_evidence(
    bank text, episodes uuid[], kinds text[], reason text, actor text, at timestamptz)
returns void
language plpgsql as $$
declare
    affected uuid;
begin
    perform memory_internal.enter_bank(bank);
    for affected in
        delete from memory.procedure_evidence v
         using memory.procedural_memory p
         where v.bank_id = bank and v.evidence_id = any (episodes) and p.bank_id = bank
           and p.memory_id = v.procedure_id and (kinds is null or p.kind = any (kinds))
        returning v.procedure_id
    loop
        perform memory_internal.refresh_procedure(bank, affected, 'status', reason, actor, at);
    end loop;
end $$;
