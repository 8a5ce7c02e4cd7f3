-- Claims up to `per_bank` rows of one bank by their ctids (`places`), in that order, less those of the bank that are
-- leased already. Called by claim_work. Addressing by ctid keeps the cost independent of the planner's estimate of
-- the backlog. A row that was updated since has another ctid, and a locked row is skipped; both are left for the
-- next claim.
-- The commit does not wait for the disk: a claim that a power cut loses is made again, and what its holder writes
-- afterwards waits for the disk and for everything before it.
-- Locks: one advisory lock per bank and kind, then the rows (skip locked).
create or replace function memory_internal.claim_rows(
    bank text, kind text, places tid[], per_bank integer, lease interval, retries boolean, at timestamptz)
returns table (bank_id text, subject text, lane smallint, generation bigint, attempts integer, lease_token uuid)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    free_slots integer;
begin
    for attempt in 1..2 loop
        -- Leased rows have `alone` set (by the update below): counting them is an index probe whatever the backlog.
        select per_bank - count(*) into free_slots
          from memory.work w
         where w.kind = claim_rows.kind and w.lane in (0, 1) and w.alone and w.bank_id = bank
           and w.not_before > at and w.dead_at is null and w.lease_token is not null;
        if free_slots <= 0 then
            return;
        end if;
        -- One claimer per bank and kind: return while another transaction holds the lock, else count again under it.
        if attempt = 1
           and not pg_try_advisory_xact_lock(hashtextextended('memory.claim ' || kind || ' ' || bank, 0)) then
            return;
        end if;
    end loop;
    perform set_config('synchronous_commit', 'off', true);
    return query
        update memory.work w
           set lease_token = gen_random_uuid(),
               claimed_generation = w.generation,
               not_before = at + lease,
               attempts = w.attempts + 1,
               alone = true
         where w.bank_id = bank and w.ctid = any (array(
            select r.ctid
              from memory.work r
             where r.ctid = any (places[1:free_slots]) and r.kind = claim_rows.kind and r.bank_id = bank
               and r.alone = retries and r.dead_at is null and r.not_before <= at
               for update skip locked))
        returning w.bank_id, w.subject, w.lane, w.generation, w.attempts, w.lease_token;
end $$;
