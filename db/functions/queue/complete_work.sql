-- Deletes the row if lease token and claimed generation still match. A row that was enqueued again meanwhile (higher
-- generation) stays and is ready at once. `again_at` keeps the row until that time instead of deleting it. Returns
-- false if the lease was lost.
create or replace function memory_api.complete_work(
    bank text, kind text, subject text, token uuid, again_at timestamptz default null, at timestamptz default now())
returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
    if again_at is null then
        delete from memory.work w
         where w.bank_id = bank and w.kind = complete_work.kind and w.subject = complete_work.subject
           and w.lease_token = token and w.generation = w.claimed_generation;
        if found then
            return true;
        end if;
    end if;
    update memory.work w
       set lease_token = null, claimed_generation = null, attempts = 0, alone = false, last_error = null, enqueued_at = at,
           not_before = case when w.generation = w.claimed_generation then again_at else at end
     where w.bank_id = bank and w.kind = complete_work.kind and w.subject = complete_work.subject
       and w.lease_token = token;
    return found;
end $$;
