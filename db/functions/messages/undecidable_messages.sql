-- Returns the number of pending messages recorded before a time that no work item will decide: they lie below their
-- conversation's segmented_through, or there is no 'segment' row for their conversation, or no 'extract' row for their
-- segment. 0 unless rows were written or deleted without these functions. Called by bank_stats. Runs as the owner,
-- because the service may not read memory.work.
create or replace function memory_internal.undecidable_messages(
    bank text, recorded_before timestamptz default 'infinity')
returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
    perform memory_internal.require_bank(bank);
    return (
        select count(*)
          from memory.message m
          left join memory.conversation c
            on c.bank_id = m.bank_id and c.conversation_id = m.conversation_id
          left join memory.work w
            on w.bank_id = m.bank_id
           and w.kind = case when m.segment_id is null then 'segment' else 'extract' end
           and w.subject = coalesce(m.segment_id::text, m.conversation_id)
         where m.bank_id = bank and m.status = 'pending' and m.recorded_at < recorded_before
           and (w.subject is null or m.segment_id is null and m.position <= c.segmented_through));
end $$;
