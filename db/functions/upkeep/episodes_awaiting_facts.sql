-- Episodes whose statements nobody has heard yet: what they state is not known before that.
create or replace function memory_internal.episodes_awaiting_facts(bank text) returns setof uuid
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
    perform memory_internal.enter_bank(bank);
    return query select w.subject::uuid from memory.work w where w.bank_id = bank and w.kind = 'facts';
end $$;
