-- Deletes sessions of one bank with their checkpoints, the parts that they alone reached, and stored answers about
-- them. Records it once for all. The caller holds their rows `for update`. Takes the locks of their lineages, in order.
create or replace function memory_internal.delete_sessions(
    bank text, sessions text[], actor text, key text, reason text, at timestamptz)
returns void
language plpgsql as $$
declare
    lineages uuid[];
    emptied uuid;
begin
    perform memory_internal.enter_bank(bank);
    lineages := array(select distinct s.lineage from memory.session_memory s
                       where s.bank_id = bank and s.session_id = any (sessions) order by 1);
    foreach emptied in array lineages loop
        perform memory_internal.lock_lineage(emptied, exclusively => true);
    end loop;
    delete from memory.session_memory s where s.bank_id = bank and s.session_id = any (sessions);
    delete from memory.idempotency_key k
     where k.bank_id = bank and k.subject = any (array(select md5('session ' || d)::uuid from unnest(sessions) as d));
    foreach emptied in array lineages loop
        perform memory_internal.delete_unused_parts(bank, emptied);
    end loop;
    perform memory_internal.record_audit(
        'session_deleted', actor, key, bank, sessions, jsonb_build_object('reason', reason), at);
end $$;
