-- Marks a changed bank as due for upkeep at once. Every function that changes a bank calls it last in the
-- transaction, so that the row is locked briefly. A row that is due already and not leased is only locked (an `on
-- conflict` update with a false condition still locks): the next claim sees the change.
-- Also counts `activated` episodes; returns true each time 50 more are complete, so that the caller enforces the
-- caps. Changes by the nightly run itself (setting memory.upkeep) do not make a bank due: its passes run in the
-- order in which one creates work for the next.
-- Runs as the owner: upkeep spans banks and has no row security.
create or replace function memory_internal.mark_bank_due(
    bank text, activated integer default 0, at timestamptz default now())
returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    caps_every constant integer := 50;  -- activations (docs/design.md, "Retention")
    new_activations integer;
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
    returning u.activations into new_activations;
    return activated > 0 and new_activations = 0;
end $$;
