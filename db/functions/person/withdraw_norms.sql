-- Withdraws what these episodes state of norms, as withdraw_evidence does for facts: their evidence is deleted, and a
-- norm without any other is deleted with it, unless a person stated, corrected, pinned or removed it. Norms that the
-- episodes or the deleted norms ended are in force again, or end where the next norm of their slot begins or where
-- another episode lifts them. Called when the content of an episode changes; the new content states its norms again.
-- The caller holds the bank lock.
create or replace function memory_internal.withdraw_norms(
    bank text, episodes uuid[], reason text, actor text, at timestamptz)
returns void
language plpgsql as $$
declare
    stated uuid[];
    removed uuid[];
    returned uuid[];
begin
    perform memory_internal.enter_bank(bank);
    returned := array(
        select n.memory_id
          from memory.relational_memory n
         where n.bank_id = bank and n.superseded_by is null and n.valid_to is not null
           and (exists (select from memory.relational_evidence v
                         where v.bank_id = bank and v.norm_id = n.memory_id and v.episode_id = any (episodes)
                           and v.occurred_at = n.valid_to)
                or exists (select from memory.relational_version v
                            where v.bank_id = bank and v.norm_id = n.memory_id and v.valid_to = n.valid_to
                              and v.reason = any (array(select 'lifted in ' || e from unnest(episodes) as e)))));
    with withdrawn as (
        delete from memory.relational_evidence v
         where v.bank_id = bank and v.episode_id = any (episodes) and v.stated
        returning v.norm_id
    )
    select array_agg(w.norm_id) into stated from withdrawn w where w.norm_id <> all (returned);
    removed := array(
        select n.memory_id
          from memory.relational_memory n
         where n.bank_id = bank and n.memory_id = any (stated) and n.extracted_by not in ('stated', 'observation')
           and not n.pinned and n.removed_at is null
           and not exists (select from memory.relational_evidence v where v.bank_id = bank and v.norm_id = n.memory_id));
    update memory.relational_memory n
       set evidence_count = (select count(*) from memory.relational_evidence v
                              where v.bank_id = bank and v.norm_id = n.memory_id)
     where n.bank_id = bank and n.memory_id = any (stated);
    returned := returned || array(
        select n.memory_id
          from memory.relational_memory n
         where n.bank_id = bank and n.superseded_by = any (removed) and n.memory_id <> all (removed));
    delete from memory.relational_memory n where n.bank_id = bank and n.memory_id = any (removed);
    if returned = '{}' then
        perform memory_internal.end_instruction_facts(bank, at);
        return;
    end if;
    -- A norm that began earlier and arrived since is in force in their slot: unless pinned, it ends where they begin.
    returned := array(
        select n.memory_id
          from memory.relational_memory n
         where n.bank_id = bank and n.memory_id = any (returned)
           and not exists (select from memory.relational_memory o
                            where o.bank_id = bank and o.kind = n.kind and o.slot = n.slot and o.memory_id <> n.memory_id
                              and o.valid_to is null and o.status <> 'deprecated' and o.pinned
                              and o.valid_from < n.valid_from));
    update memory.relational_memory o
       set valid_to = n.valid_from, superseded_by = n.memory_id
      from memory.relational_memory n
     where n.bank_id = bank and n.memory_id = any (returned) and o.bank_id = bank and o.kind = n.kind
       and o.slot = n.slot and o.memory_id <> n.memory_id and o.valid_to is null and o.status <> 'deprecated'
       and o.valid_from < n.valid_from;
    update memory.relational_memory n
       set valid_to = following.valid_from, superseded_by = following.memory_id
      from unnest(returned) as one
      left join lateral (
            select o.valid_from, o.memory_id
              from memory.relational_memory p
              join memory.relational_memory o
                on o.bank_id = bank and o.kind = p.kind and o.slot = p.slot and o.valid_from >= p.valid_from
               and o.memory_id <> p.memory_id and o.status <> 'deprecated'
             where p.bank_id = bank and p.memory_id = one
             order by o.valid_from, o.memory_id
             limit 1) as following on true
     where n.bank_id = bank and n.memory_id = one;
    perform memory_internal.record_norm_version(bank, one, withdraw_norms.reason, withdraw_norms.actor, at)
       from unnest(returned) as one;
    perform memory_internal.write_stated_norms(bank, array(
        select e.memory_id
          from memory.episodic_memory e
         cross join lateral jsonb_array_elements(e.signals -> 'norms') as given (norm)
         cross join lateral jsonb_to_record(given.norm) as c (
               kind text, slot text, value text, level double precision, speaker text, lifts text[])
         where e.bank_id = bank and e.signals ? 'norms' and e.memory_id <> all (episodes)
           and (c.kind = 'sensitivity' and c.level = 0
                    and exists (select from memory.relational_memory n
                                 where n.bank_id = bank and n.memory_id = any (returned) and n.kind = c.kind
                                   and n.slot = c.slot and n.valid_from < e.occurred_at)
                or exists (select from memory_internal.lifted_norms(
                                       bank, coalesce(c.speaker, 'user'), c.lifts,
                                       case when c.kind = 'sensitivity' and c.level > 0 then 'no' else c.value end,
                                       c.kind, c.slot, e.occurred_at) as l
                            where l.ended && returned))), at);
    perform memory_internal.end_instruction_facts(bank, at);
end $$;
