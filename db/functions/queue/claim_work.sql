-- Claims up to `batch` ready rows of one kind across banks, live before import, no bank holding more than `per_bank` in
-- flight. Up to half of a batch goes to the live rows that became ready last, so that a message of a bank with nothing else
-- waiting does not wait for a whole round of the others (3,000 banks with 4 messages each: a minute); they take at most
-- half of a bank's room, so that its oldest rows are claimed as well. The rest goes round-robin by bank id from
-- `after_bank` on: an index probe per bank, so a backlog of any depth in one bank hides no other bank's row. `resting`
-- banks are skipped: their model is unavailable for now.
-- Rows that failed before are claimed one at a time, with `tried`.
-- The caller commits at once: what is held is a lease, not a lock.
-- Runs as the owner: the queue spans banks and has no row security.
create or replace function memory_api.claim_work(
    kind text, batch integer, per_bank integer, lease interval, after_bank text default '',
    resting text[] default '{}', tried boolean default false, at timestamptz default now())
returns table (bank_id text, subject text, lane smallint, generation bigint, attempts integer, lease_token uuid)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    newest constant integer := greatest(per_bank / 2, 1);  -- of a bank: the rest of its room is for its oldest rows
    taken integer := 0;
    got integer;
    here text;
    places tid[];
    earliest timestamptz;
    wrapped boolean;
begin
    for here, places in
        select n.bank_id, array_agg(n.place order by n.not_before)
          from (select l.bank_id, l.place, l.not_before
                  from (select w.bank_id, w.ctid as place, w.not_before,
                               row_number() over (partition by w.bank_id order by w.not_before desc) as newer
                          from (select w.bank_id, w.ctid, w.not_before
                                  from memory.work w
                                 where w.kind = claim_work.kind and w.lane = 0 and w.dead_at is null and w.alone = tried
                                   and w.not_before <= at
                                 order by w.not_before desc
                                 limit 4 * batch) as w
                         where w.bank_id <> all (resting)) as l
                 where l.newer <= newest
                 order by l.not_before desc
                 limit batch / 2) as n
         group by n.bank_id
         order by max(n.not_before) desc
    loop
        return query
            select * from memory_internal.claim_rows(here, claim_work.kind, places, newest, lease, tried, at);
        get diagnostics got = row_count;
        taken := taken + got;
    end loop;
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
            places := array(
                select r.ctid
                  from memory.work r
                 where r.kind = claim_work.kind and r.lane = this_lane and r.bank_id = here
                   and r.alone = tried and r.dead_at is null and r.not_before <= at
                 order by r.not_before
                 limit batch - taken);
            return query
                select * from memory_internal.claim_rows(here, claim_work.kind, places, per_bank, lease, tried, at);
            get diagnostics got = row_count;
            taken := taken + got;
        end loop;
    end loop;
end $$;
