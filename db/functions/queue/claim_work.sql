-- Claims up to `batch` ready rows of one kind across banks, the live lane (0) before the import lane (1), with at
-- most `per_bank` rows of a bank in flight. Called by the worker, which commits at once: a claim is a lease, not a
-- lock.
-- Up to half of a batch goes to the live rows that became ready last, so that a message of an otherwise idle bank
-- does not wait for a whole round over the others (3,000 banks with 4 messages each: a minute). They take at most
-- half of a bank's slots; the rest is for its oldest rows. The remaining batch is filled round-robin by bank id,
-- starting after `after_bank`, with one index probe per bank, so that a deep backlog in one bank does not delay
-- another bank's rows. Banks in `paused_banks`, whose model is unavailable at the moment, are skipped. Rows that failed
-- before are claimed separately, one at a time, with `retries`.
-- Runs as the owner: the queue spans banks and has no row security.
create or replace function memory_api.claim_work(
    kind text, batch integer, per_bank integer, lease interval, after_bank text default '',
    paused_banks text[] default '{}', retries boolean default false, at timestamptz default now())
returns table (bank_id text, subject text, lane smallint, generation bigint, attempts integer, lease_token uuid)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    newest_per_bank constant integer := greatest(per_bank / 2, 1);  -- per bank; its other slots are for its oldest rows
    claimed_total integer := 0;
    claimed integer;
    this_bank text;
    places tid[];
    earliest timestamptz;
    wrapped boolean;
begin
    for this_bank, places in
        select n.bank_id, array_agg(n.place order by n.not_before)
          from (select l.bank_id, l.place, l.not_before
                  from (select w.bank_id, w.ctid as place, w.not_before,
                               row_number() over (partition by w.bank_id order by w.not_before desc) as recency
                          from (select w.bank_id, w.ctid, w.not_before
                                  from memory.work w
                                 where w.kind = claim_work.kind and w.lane = 0 and w.dead_at is null
                                   and w.alone = retries
                                   and w.not_before <= at
                                 order by w.not_before desc
                                 limit 4 * batch) as w
                         where w.bank_id <> all (paused_banks)) as l
                 where l.recency <= newest_per_bank
                 order by l.not_before desc
                 limit batch / 2) as n
         group by n.bank_id
         order by max(n.not_before) desc
    loop
        return query
            select * from memory_internal.claim_rows(
                this_bank, claim_work.kind, places, newest_per_bank, lease, retries, at);
        get diagnostics claimed = row_count;
        claimed_total := claimed_total + claimed;
    end loop;
    for this_lane in 0..1 loop
        this_bank := after_bank;
        wrapped := after_bank = '';
        while claimed_total < batch loop
            select w.bank_id, w.not_before into this_bank, earliest
              from memory.work w
             where w.kind = claim_work.kind and w.lane = this_lane and w.dead_at is null
               and w.alone = retries and w.bank_id > this_bank collate "C"
             order by w.bank_id, w.not_before
             limit 1;
            if not found or (wrapped and after_bank <> '' and this_bank > after_bank collate "C") then
                exit when wrapped;
                wrapped := true;
                this_bank := '';
                continue;
            end if;
            continue when earliest > at or this_bank = any (paused_banks);
            places := array(
                select r.ctid
                  from memory.work r
                 where r.kind = claim_work.kind and r.lane = this_lane and r.bank_id = this_bank
                   and r.alone = retries and r.dead_at is null and r.not_before <= at
                 order by r.not_before
                 limit batch - claimed_total);
            return query
                select * from memory_internal.claim_rows(
                    this_bank, claim_work.kind, places, per_bank, lease, retries, at);
            get diagnostics claimed = row_count;
            claimed_total := claimed_total + claimed;
        end loop;
    end loop;
end $$;
