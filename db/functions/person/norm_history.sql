-- Returns the versions of a norm with reason and actor, the oldest first; no row for an unknown norm.
create or replace function memory_api.norm_history(bank text, norm uuid)
returns table (version integer, norm_text text, situation text, level double precision, confidence double precision,
               evidence_count integer, status text, pinned boolean, valid_from timestamptz, valid_to timestamptz,
               superseded_by uuid, reason text, actor text, at timestamptz)
language plpgsql as $$
begin
    perform memory_internal.require_bank(bank);
    return query
        select v.version, v.norm, v.situation, v.level, v.confidence, v.evidence_count, v.status, v.pinned, v.valid_from,
               v.valid_to, v.superseded_by, v.reason, v.actor, v.at
          from memory.relational_version v
         where v.bank_id = bank and v.norm_id = norm_history.norm
         order by v.version;
end $$;
