-- Ends leases without counting the attempt, as when a worker stops or a provider is out of service. Returns the
-- number of rows. `claim_alone` makes the rows be claimed one at a time from now on, because one of them may be the
-- cause of the missing response. Locks rows in the order of lock_leases. Runs as the owner.
create or replace function memory_api.release_work(
    tokens uuid[], banks text[], kind text, subjects text[], ready_at timestamptz, reason text default null,
    claim_alone boolean default false)
returns integer
language sql security definer set search_path = pg_catalog, pg_temp as $$
    with locked as materialized (
        select w.bank_id, w.subject
          from memory.work w
          join unnest(tokens, banks, subjects) as lease (token, bank_id, subject)
            on w.bank_id = lease.bank_id and w.subject = lease.subject and w.lease_token = lease.token
         where w.kind = release_work.kind and w.bank_id = any (banks) and w.subject = any (subjects)
         order by w.bank_id, w.subject
           for update of w
    ),
    released as (
        update memory.work w
           set lease_token = null, claimed_generation = null, attempts = greatest(w.attempts - 1, 0),
               not_before = ready_at, last_error = coalesce(reason, w.last_error), alone = claim_alone or w.attempts > 1
          from locked
         where w.kind = release_work.kind and w.bank_id = any (banks) and w.subject = any (subjects)
           and w.bank_id = locked.bank_id and w.subject = locked.subject
        returning 1
    )
    select count(*)::integer from released;
$$;
