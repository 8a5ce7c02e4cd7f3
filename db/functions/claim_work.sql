-- Claims up to `batch` ready rows of one kind across banks: live before import, bank by bank from `after_bank` on
-- and around, no bank holding more than `per_bank` in flight. An index probe per bank, so a backlog of any depth
-- in one bank hides nobody else's row. `resting` banks are passed over: their model is out of reach for now.
-- What was tried before, or is to be alone, is not claimed with others: `tried` asks for such rows, one at a time.
-- The caller commits at once: what is held is a lease, not a lock.
-- Runs as the owner: the queue spans banks and has no row security.
create or replace function memory_api.claim_work(
    kind text, batch integer, per_bank integer, lease interval, after_bank text default '',
    resting text[] default '{}', tried boolean default false, at timestamptz default now())
returns table (bank_id text, subject text, lane smallint, generation bigint, attempts integer, lease_token uuid)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    taken integer := 0;
    got integer;
    room integer;
    here text;
    earliest timestamptz;
    wrapped boolean;
begin
    for this_lane in 0..1 loop
        here := after_bank;
        wrapped := after_bank = '';
        while taken < batch loop
            select w.bank_id, w.not_before into here, earliest
              from memory.work w
             where w.kind = claim_work.kind and w.lane = this_lane and w.dead_at is null
               and w.alone = tried and w.bank_id > here collate "C"
             order by w.bank_id, w.not_before
             limit 1;
            if not found or (wrapped and after_bank <> '' and here > after_bank collate "C") then
                exit when wrapped;
                wrapped := true;
                here := '';
                continue;
            end if;
            continue when earliest > at or here = any (resting);
            -- What is under way is alone, as the claim below sets it: a probe, however much the bank has waiting.
            select per_bank - count(*) into room
              from memory.work w
             where w.kind = claim_work.kind and w.lane in (0, 1) and w.alone and w.bank_id = here
               and w.not_before > at and w.dead_at is null and w.lease_token is not null;
            continue when room <= 0;
            -- Who counts also claims before the next one counts; a bank that somebody claims from now is left to them.
            continue when not pg_try_advisory_xact_lock(hashtextextended('memory.claim ' || kind || ' ' || here, 0));
            select least(batch - taken, per_bank - count(*)) into room
              from memory.work w
             where w.kind = claim_work.kind and w.lane in (0, 1) and w.alone and w.bank_id = here
               and w.not_before > at and w.dead_at is null and w.lease_token is not null;
            continue when room <= 0;
            return query
                update memory.work w
                   set lease_token = gen_random_uuid(),
                       claimed_generation = w.generation,
                       not_before = at + lease,
                       attempts = w.attempts + 1,
                       alone = true
                 -- By their places: what a join of them costs depends on what the planner thinks is waiting. One that
                 -- changed a moment ago is not seen there, and is left for the next claim.
                 where w.ctid = any (array(
                    select r.ctid
                      from memory.work r
                     where r.kind = claim_work.kind and r.lane = this_lane and r.bank_id = here
                       and r.alone = tried and r.dead_at is null and r.not_before <= at
                     order by r.not_before
                     limit room
                       for update skip locked))
                returning w.bank_id, w.subject, w.lane, w.generation, w.attempts, w.lease_token;
            get diagnostics got = row_count;
            taken := taken + got;
        end loop;
    end loop;
end $$;
