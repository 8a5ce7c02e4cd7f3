-- Says that a bank has changed: it is due for upkeep, whatever the night's time. Whoever changes it calls this last, in
-- the same transaction, so that the row is held but a moment. A row that is due already and that nobody works on is only
-- locked (an update whose condition is false still locks): whoever claims it sees the change.
-- `activated` episodes are counted besides; the answer is whether another 50 are full, so that the caps are looked at.
-- What the night itself changes (it says so by the setting memory.upkeep) makes no bank due: its passes come in the order
-- in which one makes work for the next.
-- Runs as the owner: upkeep spans banks and has no row security.
create or replace function memory_internal.mark_bank_due(bank text, activated integer default 0, at timestamptz default now())
returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    caps_every constant integer := 50;  -- activations (DESIGN §4, S3)
    counted integer;
begin
    if current_setting('memory.upkeep', true) = 'on' then
        insert into memory.upkeep (bank_id, changed_at) values (bank, at)
        on conflict on constraint upkeep_pkey do nothing;
        return false;
    end if;
    insert into memory.upkeep as u (bank_id, changed_at, activations)
    values (bank, at, case when activated < caps_every then activated else 0 end)
    on conflict on constraint upkeep_pkey do update
       set due_at = '-infinity',
           changed_at = excluded.changed_at,
           generation = u.generation + 1,
           activations = case when u.activations + activated < caps_every then u.activations + activated else 0 end
     where u.due_at > '-infinity' or u.lease_token is not null or activated > 0
    returning u.activations into counted;
    return activated > 0 and counted = 0;
end $$;
