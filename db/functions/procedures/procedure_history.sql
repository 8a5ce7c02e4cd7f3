-- Returns one page of the versions of a procedure, oldest first; no row if it does not exist.
create or replace function memory_api.procedure_history(
    bank text, memory uuid, page integer, after_version integer default 0)
returns table (version integer, at timestamptz, reason text, actor text, content text, situation text, steps text[],
               why text, status text, confidence double precision, importance double precision,
               evidence_count integer, worked integer, failed integer, pinned boolean, valid_from timestamptz,
               valid_to timestamptz, superseded_by uuid)
language plpgsql as $$
begin
    perform memory_internal.require_bank(bank);
    return query
        select v.version, v.at, v.reason, v.actor, v.content, v.situation, v.steps, v.why, v.status, v.confidence,
               v.importance, v.evidence_count, v.worked, v.failed, v.pinned, v.valid_from, v.valid_to, v.superseded_by
          from memory.procedure_version v
         where v.bank_id = bank and v.procedure_id = memory and v.version > after_version
         order by v.version
         limit page;
end $$;
