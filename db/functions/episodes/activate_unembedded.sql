-- Activates pending episodes without their vectors while the embedding model is unavailable (bank setting
-- embedding_fallback = 'fulltext'). Returns their number. The work rows and leases stay: vector, deduplication and
-- links follow once the model is available. Takes the bank lock, then the leases.
create or replace function memory_api.activate_unembedded(
    bank text, memories uuid[], tokens uuid[], at timestamptz default now(), default_intake text default null)
returns integer
language plpgsql as $$
declare
    activated integer;
begin
    perform memory_internal.enter_bank(bank);
    perform from memory.bank b where b.bank_id = bank for no key update;
    activated := memory_internal.set_episodes_status(
        bank, array(select h::uuid from memory_internal.lock_leases(bank, 'embed', memories::text[], tokens) as h),
        array['pending_embedding'], 'active', 'the embedding model is unavailable: active without its vector', 'worker',
        at);
    if activated > 0 and memory_internal.mark_bank_due(bank, activated, at) then
        perform from memory_api.enforce_caps(
            bank, at => activate_unembedded.at, default_intake => activate_unembedded.default_intake);
    end if;
    return activated;
end $$;
