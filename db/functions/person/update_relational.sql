-- Updates relational memory from the bank's episodes: norms that they state (write_stated_norms), then style,
-- sensitivity and phase (observe_exchanges), then the cap (enforce_norm_cap) and the facts whose norms have ended
-- (end_instruction_facts). Safe to repeat. With `token` only while the lease of the bank's work item is valid; returns
-- null if it was lost, else the number of statements and exchanges written. Called by the worker ('relational') and by
-- the nightly pass. Takes the bank lock, then the lease.
create or replace function memory_api.update_relational(
    bank text, token uuid default null, at timestamptz default now())
returns integer
language plpgsql as $$
declare
    written integer;
begin
    perform memory_internal.enter_bank(bank);
    perform from memory.bank b where b.bank_id = bank for no key update;
    if token is not null and not memory_internal.lock_lease(bank, 'relational', bank, token) then
        return null;
    end if;
    written := memory_internal.write_stated_norms(bank, array(
        select e.memory_id
          from memory.episodic_memory e
         where e.bank_id = bank and e.observed_at is null and e.signals ? 'style' and e.signals ? 'norms'), at);
    written := written + memory_internal.observe_exchanges(bank, at);
    perform memory_internal.set_phase(bank, at);
    perform memory_internal.enforce_norm_cap(bank, at);
    perform memory_internal.end_instruction_facts(bank, at);
    return written;
end $$;
