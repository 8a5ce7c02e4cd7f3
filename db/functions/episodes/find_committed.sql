-- Returns the memory, of any type, that an idempotency key created in this bank, or no row; raises ME004 if its
-- content differs. Called by commit_memory, commit_fact and commit_procedure. Takes an advisory lock per key until the
-- end of the transaction, so that a concurrent call with the same key finds the memory created by the first.
create or replace function memory_internal.find_committed(bank text, idempotency_key text, given jsonb)
returns table (memory_id uuid, status text)
language plpgsql as $$
declare
    existing record;
begin
    perform memory_internal.enter_bank(bank);
    if find_committed.idempotency_key is null then
        return;
    end if;
    perform pg_advisory_xact_lock(
        hashtextextended('idempotency' || E'\n' || bank || E'\n' || find_committed.idempotency_key, 0));
    select m.* into existing
      from (select e.memory_id, e.status, e.given
              from memory.episodic_memory e
             where e.bank_id = bank and e.idempotency_key = find_committed.idempotency_key
             union all
            select f.memory_id, f.status, f.given
              from memory.semantic_memory f
             where f.bank_id = bank and f.idempotency_key = find_committed.idempotency_key
             union all
            select p.memory_id, p.status, p.given
              from memory.procedural_memory p
             where p.bank_id = bank and p.idempotency_key = find_committed.idempotency_key) as m;
    if not found then
        return;
    end if;
    if existing.given - 'changed' is distinct from find_committed.given then
        raise exception using errcode = 'ME004', message = find_committed.idempotency_key;
    end if;
    memory_id := existing.memory_id;
    status := existing.status;
    return next;
end $$;
