-- Returns one page of a session's checkpoints, the newest first.
create or replace function memory_api.list_checkpoints(
    bank text, session text, page integer, before_number integer default null)
returns setof memory.session_checkpoint
language plpgsql stable as $$
begin
    perform memory_internal.require_bank(bank);
    return query
        select c.*
          from memory.session_checkpoint c
         where c.bank_id = bank and c.session_id = session and (before_number is null or c.number < before_number)
         order by c.number desc
         limit page;
end $$;
