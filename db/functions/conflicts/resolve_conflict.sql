-- Records the resolution of the open conflict of two facts, for `keep` or, if null, for both, and answers its
-- clarification question. `segment`: a reply or statement in it decides. The facts themselves are updated by the
-- caller, which holds the bank lock.
create or replace function memory_internal.resolve_conflict(
    bank text, one uuid, other uuid, keep uuid, actor text, at timestamptz, segment uuid default null)
returns void
language plpgsql as $$
begin
    perform memory_internal.enter_bank(bank);
    update memory.fact_conflict c
       set resolution = case when keep is null then 'both' else 'kept' end, kept_id = keep, resolved_at = at,
           resolved_by = resolve_conflict.actor, segment_id = segment
     where c.bank_id = bank and c.one_id = least(one, other) and c.other_id = greatest(one, other)
       and c.resolution is null;
    update memory.clarification q
       set status = 'answered', kept_id = keep, answered_at = at, actor = resolve_conflict.actor
     where q.bank_id = bank and q.one_id = least(one, other) and q.other_id = greatest(one, other) and q.status = 'open';
end $$;
