-- Records a person's decision on a procedure: retracted (was wrong: in no read, of no time), pinned (kept above the
-- cap) or unpinned. Returns the procedure, or no row if it does not exist. Repeating it changes nothing. Raises ME015
-- for one that is merged, in quarantine or, except for retracting, retracted. Takes the bank lock.
create or replace function memory_api.review_procedure(
    bank text, memory uuid, review text, actor text, at timestamptz default now())
returns setof memory_api.procedure_entry
language plpgsql as $$
declare
    former memory.procedural_memory;
begin
    perform memory_internal.lock_bank(bank);
    select p.* into former from memory.procedural_memory p where p.bank_id = bank and p.memory_id = memory;
    if not found then
        return;
    end if;
    if review = 'pinned' and former.pinned or review = 'unpinned' and not former.pinned
       or review = 'retracted' and former.retracted_at is not null then
        return query select * from memory_api.read_procedure(bank, memory);
        return;
    end if;
    if former.status = 'merged_into' then
        raise exception using errcode = 'ME015', message = 'merged into ' || former.merged_into_id;
    elsif former.status in ('quarantined', 'failed') or former.retracted_at is not null then
        raise exception using errcode = 'ME015',
            message = case when former.retracted_at is null then former.status else 'retracted' end;
    end if;
    update memory.procedural_memory p
       set status = case when review = 'retracted' then 'deprecated' else p.status end,
           retracted_at = case when review = 'retracted' then review_procedure.at end,
           pinned = case when review = 'retracted' then p.pinned else review = 'pinned' end
     where p.bank_id = bank and p.memory_id = memory;
    perform memory_internal.record_procedure(
        bank, memory, review_procedure.review, former.status, review_procedure.review, review_procedure.actor, at);
    perform memory_internal.mark_bank_due(bank, 0, at);
    return query select * from memory_api.read_procedure(bank, memory);
end $$;
