-- Returns one page of sessions without their data, the last updated first.
create or replace function memory_api.list_sessions(
    bank text, page integer, before_at timestamptz default null, before_id text default null)
returns table (session_id text, version bigint, state text, bytes integer, checkpoints bigint, created_at timestamptz,
               updated_at timestamptz)
language plpgsql stable as $$
begin
    perform memory_internal.require_bank(bank);
    return query
        select s.session_id, s.version, s.state, s.bytes,
               (select count(*) from memory.session_checkpoint c
                 where c.bank_id = bank and c.session_id = s.session_id),
               s.created_at, s.updated_at
          from memory.session_memory s
         where s.bank_id = bank
           and (before_at is null or (s.updated_at, s.session_id) < (before_at, before_id collate "C"))
         order by s.updated_at desc, s.session_id desc
         limit page;
end $$;
