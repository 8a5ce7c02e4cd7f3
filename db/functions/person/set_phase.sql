-- Brings the norm of kind relationship_phase to the phase that relationship_phase computes at `at`; a pinned one stays.
-- Returns the phase in force. The caller holds the bank lock.
create or replace function memory_internal.set_phase(bank text, at timestamptz) returns text
language plpgsql as $$
declare
    present constant memory.relational_memory := memory_internal.norm_in_force(bank, 'relationship_phase', 'phase');
    phase text;
begin
    perform memory_internal.enter_bank(bank);
    select memory_internal.relationship_phase(r.exchanges, r.days, r.disclosures, r.last_at, r.damages, at)
      into phase
      from memory.relationship r
     where r.bank_id = bank;
    if phase is null or present.pinned or present.value = phase then
        return coalesce(present.value, 'early');
    end if;
    perform memory_internal.insert_norm(
        bank, 'relationship_phase', 'phase', phase, '', phase, null, 0.9, 'stable', false, 'agent', null, 'observation',
        greatest(at, present.valid_from), 'phase by rule', 'worker', at);
    return phase;
end $$;
