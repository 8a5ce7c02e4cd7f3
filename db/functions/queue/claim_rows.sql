-- Claims rows of one bank by their places, the first ones as far as `per_bank` leaves room; called by claim_work. By
-- places: what a join costs depends on what the planner thinks is waiting. A row that changed a moment ago is not found
-- there, and one that is being changed is skipped: both are left for the next claim.
-- Lock order: the bank's turn at this kind, then the rows.
create or replace function memory_internal.claim_rows(
    bank text, kind text, places tid[], per_bank integer, lease interval, tried boolean, at timestamptz)
returns table (bank_id text, subject text, lane smallint, generation bigint, attempts integer, lease_token uuid)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    room integer;
begin
    for counted in 1..2 loop
        -- Leased rows have `alone` set (by the update below), so counting them is an index probe whatever is waiting.
        select per_bank - count(*) into room
          from memory.work w
         where w.kind = claim_rows.kind and w.lane in (0, 1) and w.alone and w.bank_id = bank
           and w.not_before > at and w.dead_at is null and w.lease_token is not null;
        if room <= 0 then
            return;
        end if;
        -- One claimer a bank and kind: counted again under the lock; skipped while another transaction holds it.
        if counted = 1
           and not pg_try_advisory_xact_lock(hashtextextended('memory.claim ' || kind || ' ' || bank, 0)) then
            return;
        end if;
    end loop;
    return query
        update memory.work w
           set lease_token = gen_random_uuid(),
               claimed_generation = w.generation,
               not_before = at + lease,
               attempts = w.attempts + 1,
               alone = true
         where w.ctid = any (array(
            select r.ctid
              from memory.work r
             where r.ctid = any (places[1:room]) and r.kind = claim_rows.kind and r.bank_id = bank
               and r.alone = tried and r.dead_at is null and r.not_before <= at
               for update skip locked))
        returning w.bank_id, w.subject, w.lane, w.generation, w.attempts, w.lease_token;
end $$;
