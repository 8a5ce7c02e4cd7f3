-- Increments a norm's version and records its present state, with reason and actor. The caller holds the bank lock.
create or replace function memory_internal.record_norm_version(
    bank text, norm uuid, reason text, actor text, at timestamptz)
returns void
language sql as $$
    with numbered as (
        update memory.relational_memory n
           set version = 1 + coalesce((select max(v.version) from memory.relational_version v
                                        where v.bank_id = bank and v.norm_id = record_norm_version.norm), 0)
         where n.bank_id = bank and n.memory_id = record_norm_version.norm
        returning n.*
    )
    insert into memory.relational_version
        (bank_id, norm_id, version, situation, norm, level, confidence, evidence_count, status, pinned, valid_from, valid_to,
         superseded_by, reason, actor, at)
    select bank, n.memory_id, n.version, n.situation, n.norm, n.level, n.confidence, n.evidence_count, n.status, n.pinned,
           n.valid_from, n.valid_to, n.superseded_by, record_norm_version.reason, record_norm_version.actor,
           record_norm_version.at
      from numbered n;
$$;
