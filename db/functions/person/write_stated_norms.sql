-- Writes the norms that these episodes state (signals.norms) as evidence, in the order of time. Idempotent: an episode
-- is evidence of a slot's value once. Returns the number of new statements. A plainly stated norm holds at once:
--   same slot and value   evidence: confidence + 0.05 x (1 - confidence), and the latest wording unless pinned
--   other value           replaces the norm in force from the time of the statement (insert_norm); a pinned one stays
--   sensitivity 0         ("it is fine to talk about …") ends the sensitivity of its speaker, and one that was observed
--   lifts                 ends the speaker's orders and sensitivities with all words of the matter: a permission those
--                         that forbid, a withdrawal (value "no ...") those that demand, "any" both; with level 0 it is
--                         written only where it ends or replaces an order
--   named speaker         other than the bank's `subject`: a slot with the name, so that norms of several persons hold
--                         together, and a preference begins with the name; the common slot's norm, if pinned, stays
--   removed by a person   statements from before the removal are ignored
-- Called by update_relational, which holds the bank lock.
create or replace function memory_internal.write_stated_norms(bank text, episodes uuid[], at timestamptz)
returns integer
language plpgsql as $$
declare
    stated record;
    present memory.relational_memory;
    new_statements integer := 0;
    norm_id uuid;
    lifted uuid[];
    narrower boolean;
    subject constant text := (select b.settings ->> 'subject' from memory.bank b where b.bank_id = bank);
begin
    perform memory_internal.enter_bank(bank);
    for stated in
        select e.memory_id, e.occurred_at, e.agent_id, e.source, e.extracted_by, c.kind, c.situation, c.value,
               case when c.kind = 'sensitivity' then c.level end as level,
               c.kind = 'instruction' and c.level is not distinct from 0 as only_lifts, c.lifts,
               coalesce(c.speaker, 'user') as speaker, c.slot as common_slot, other.name is not null as of_other,
               left(coalesce(lower(other.name) || ': ', '') || c.slot, 120) as slot,
               case when c.kind = 'preference' and position(lower(other.name) in lower(c.norm)) = 0
                    then other.name || ': ' || c.norm else c.norm end as norm
          from memory.episodic_memory e
         cross join lateral jsonb_array_elements(e.signals -> 'norms') with ordinality as given (norm, place)
         cross join lateral jsonb_to_record(given.norm) as c (
               kind text, norm text, situation text, slot text, value text, level double precision,
               speaker text, lifts text[])
         cross join lateral (
               select case when c.kind in ('instruction', 'preference') and lower(c.speaker) <> lower(coalesce(subject, ''))
                           then c.speaker end as name) as other
         where e.bank_id = bank and e.memory_id = any (episodes)
           and (e.status in ('active', 'archived', 'merged_into')
                or e.status = 'pending_embedding' and memory_internal.was_embedded(bank, e.memory_id))
         order by e.occurred_at, e.memory_id, given.place
    loop
        continue when stated.of_other
                      and (memory_internal.norm_in_force(bank, stated.kind, stated.common_slot)).pinned;
        continue when exists (
            select from memory.relational_evidence v
              join memory.relational_memory n on n.bank_id = v.bank_id and n.memory_id = v.norm_id
             where v.bank_id = bank and v.episode_id = stated.memory_id
               and (n.kind = stated.kind and n.slot = stated.slot and n.value is not distinct from stated.value
                    and (n.level > 0) is not distinct from (stated.level > 0)
                    or stated.level > 0 and n.kind = 'instruction' and n.superseded_by is null
                    and n.valid_to = stated.occurred_at));
        continue when exists (
            select from memory.relational_memory n
             where n.bank_id = bank and n.kind = stated.kind and n.slot = stated.slot
               and n.value is not distinct from stated.value and n.removed_at >= stated.occurred_at);
        present := memory_internal.norm_in_force(bank, stated.kind, stated.slot);
        select l.ended, l.stays and stated.norm like '% allows the assistant %' into lifted, narrower
          from memory_internal.lifted_norms(
                   bank, stated.speaker, stated.lifts, case when stated.level > 0 then 'no' else stated.value end,
                   stated.kind, stated.slot, stated.occurred_at) as l;
        update memory.relational_memory n set valid_to = stated.occurred_at
         where n.bank_id = bank and n.memory_id = any (lifted);
        perform memory_internal.record_norm_version(
                    bank, one, 'lifted in ' || stated.memory_id, stated.extracted_by, at)
           from unnest(lifted) as one;
        if (stated.only_lifts or narrower)
           and (present.memory_id is null or present.value is not distinct from stated.value)
           and not exists (select from memory.relational_memory n
                            where n.bank_id = bank and n.memory_id = any (lifted) and n.kind = 'instruction')
           or stated.level > 0 and lifted <> '{}' then
            insert into memory.relational_evidence (bank_id, norm_id, episode_id, stated, occurred_at, recorded_at)
            select bank, one, stated.memory_id, true, stated.occurred_at, at from unnest(lifted) as one
            on conflict on constraint relational_evidence_pkey do nothing;
            new_statements := new_statements + cardinality(lifted);
            continue;
        end if;
        continue when stated.kind = 'sensitivity' and stated.level = 0
                      and present.norm like '% does not want to talk about %'
                      and not starts_with(present.norm, stated.speaker || ' does not want ');
        if stated.kind = 'sensitivity' and stated.level = 0 then
            norm_id := memory_internal.end_norm(
                bank, 'sensitivity', stated.slot, stated.occurred_at, 'stated as ended', stated.extracted_by, at);
            continue when norm_id is null;
        elsif stated.kind = 'sensitivity' and present.level = 1
           or stated.kind <> 'sensitivity' and present.memory_id is not null
              and present.value is not distinct from stated.value then
            norm_id := present.memory_id;
            update memory.relational_memory n
               set confidence = n.confidence + 0.05 * (1 - n.confidence),
                   norm = case when n.pinned or stated.occurred_at < n.last_confirmed
                                    or exists (select from memory_internal.allergy_reason(stated.norm) as allergy
                                                where starts_with(n.norm, allergy.with_reason)) then n.norm
                               else stated.norm end,
                   situation = case when n.pinned or stated.occurred_at < n.last_confirmed then n.situation
                                    else stated.situation end,
                   status = case when n.evidence_count >= 2 then 'stable' else n.status end,
                   first_observed = least(n.first_observed, stated.occurred_at),
                   valid_from = least(n.valid_from, stated.occurred_at),
                   last_confirmed = greatest(n.last_confirmed, stated.occurred_at),
                   evidence_count = n.evidence_count + 1
             where n.bank_id = bank and n.memory_id = norm_id;
            if not present.pinned and stated.occurred_at >= present.last_confirmed
               and (present.norm, present.situation) is distinct from (stated.norm, stated.situation) then
                delete from memory.relational_vector v where v.bank_id = bank and v.norm_id = present.memory_id;
            end if;
            perform memory_internal.record_norm_version(
                bank, norm_id, 'stated in ' || stated.memory_id, stated.extracted_by, at);
        elsif present.pinned
              or (stated.lifts <> '{}' and stated.value <> 'any' or stated.value = 'yes' and present.value = 'no')
                 and exists (select from memory_internal.allergy_reason(present.norm) as allergy
                              where allergy.is_reason) then
            continue;
        else
            norm_id := memory_internal.insert_norm(
                bank, stated.kind, stated.slot, stated.norm, stated.situation, stated.value, stated.level, 0.9, 'tentative',
                false, stated.source, stated.agent_id, stated.extracted_by, stated.occurred_at,
                'stated in ' || stated.memory_id, stated.extracted_by, at);
            update memory.relational_memory n set evidence_count = 1 where n.bank_id = bank and n.memory_id = norm_id;
        end if;
        update memory.relational_memory n set superseded_by = norm_id
         where n.bank_id = bank and n.memory_id = any (lifted) and n.kind = 'instruction' and n.memory_id <> norm_id;
        insert into memory.relational_evidence (bank_id, norm_id, episode_id, stated, occurred_at, recorded_at)
        values (bank, norm_id, stated.memory_id, true, stated.occurred_at, at)
        on conflict on constraint relational_evidence_pkey do nothing;
        new_statements := new_statements + 1;
    end loop;
    return new_statements;
end $$;
