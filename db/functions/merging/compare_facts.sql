-- Returns whether two facts are the same: 'same', 'apart', or 'doubt', which pair judging may decide. Prefers
-- precision. Called by merge_candidates and plan_merge.
--   apart  other subjects; an undone merge of the two; two values of a single-valued attribute; texts that
--          contradict (contradiction_rule) or differ in more than words (text_difference): another number, name,
--          day, person or direction is another fact, whatever a model decides
--   same   the same words, attribute and value, as far as known; or judged the same while the texts were these
-- Facts of one timeline are 'apart': rebuild_timeline decides about them.
create or replace function memory_internal.compare_facts(
    bank text, one memory.semantic_memory, other memory.semantic_memory)
returns text
language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
    difference text;
    judged_same boolean;
begin
    perform memory_internal.enter_bank(bank);
    if lower(one.subject) is distinct from lower(other.subject)
       or one.timeline = other.timeline
       or one.attribute is not null and other.attribute is not null
          and one.cardinality <> 'many' and other.cardinality <> 'many'
       or exists (
           select from memory.fact_merge m
            where m.bank_id = bank and m.undone_at is not null
              and (m.loser_id = one.memory_id and m.winner_id = other.memory_id
                   or m.loser_id = other.memory_id and m.winner_id = one.memory_id)) then
        return 'apart';
    end if;
    -- Sorted, so that the result does not depend on the argument order.
    difference := memory_api.text_difference(least(one.fact, other.fact), greatest(one.fact, other.fact));
    if difference <> 'words'
       or memory_internal.contradiction_rule(least(one.fact, other.fact), greatest(one.fact, other.fact)) is not null then
        return 'apart';
    end if;
    select v.same into judged_same
      from memory.merge_decision v
     where v.bank_id = bank and v.one_id = least(one.memory_id, other.memory_id)
       and v.other_id = greatest(one.memory_id, other.memory_id)
       and v.texts_hash = md5(least(one.fact, other.fact) || E'\n' || greatest(one.fact, other.fact));
    if not found then  -- else the decision of pair judging when the later of the two was new
        select p.decision = 'same' into judged_same
          from memory.fact_pair p
         where p.bank_id = bank and p.one_id = least(one.memory_id, other.memory_id)
           and p.other_id = greatest(one.memory_id, other.memory_id);
    end if;
    if judged_same is not null then
        return case when judged_same then 'same' else 'apart' end;
    end if;
    return case
        when difference is not null or one.attribute <> other.attribute
            or lower(one.value) <> lower(other.value) then 'doubt'
        else 'same'
    end;
end $$;
