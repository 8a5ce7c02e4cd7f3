-- Returns norms with their present state, the latest confirmed first: those in force at `as_of`; with `all_states`
-- ended and deprecated ones too. `derived_from` are the episodes that state the norm. Raises ME001.
create or replace function memory_api.list_norms(
    bank text, as_of timestamptz default null, all_states boolean default false, norm uuid default null)
returns table (memory_id uuid, kind text, norm_text text, situation text, slot text, value text, level double precision,
               confidence double precision, evidence_count integer, status text, pinned boolean,
               first_observed timestamptz, last_confirmed timestamptz, valid_from timestamptz, valid_to timestamptz,
               superseded_by uuid, source text, extracted_by text, version integer, derived_from uuid[])
language plpgsql as $$
declare
    valid_at constant timestamptz := coalesce(as_of, now());
begin
    perform memory_internal.require_bank(bank);
    return query
        select n.memory_id, n.kind, n.norm, n.situation, n.slot collate "default", n.value, n.level, n.confidence,
               n.evidence_count, n.status, n.pinned, n.first_observed, n.last_confirmed, n.valid_from, n.valid_to,
               n.superseded_by, n.source, n.extracted_by, n.version,
               array(select v.episode_id from memory.relational_evidence v
                      where v.bank_id = bank and v.norm_id = n.memory_id
                      order by v.occurred_at, v.episode_id)
          from memory.relational_memory n
         where n.bank_id = bank and (list_norms.norm is null or n.memory_id = list_norms.norm)
           and (all_states or list_norms.norm is not null
                or n.status <> 'deprecated' and n.valid_from <= valid_at
                   and (n.valid_to is null or n.valid_to > valid_at))
         order by n.last_confirmed desc, n.memory_id;
end $$;
