-- Returns one fact with its confidence at `at`, or no row.
create or replace function memory_api.read_fact(bank text, memory uuid, at timestamptz default now())
returns setof memory_api.fact_entry
language plpgsql as $$
declare
    entry memory_api.fact_entry;
begin
    perform memory_internal.require_bank(bank);
    select e.* into entry from memory_api.fact_entry e where e.bank_id = bank and e.memory_id = memory;
    if found then
        entry.confidence := memory_internal.effective_confidence(
            entry.confidence, entry.importance, entry.last_confirmed, entry.status, entry.pinned,
            memory_internal.decay_attribute(entry.attribute, entry.extracted_by), entry.contradicted_at, at);
        return next entry;
    end if;
end $$;
