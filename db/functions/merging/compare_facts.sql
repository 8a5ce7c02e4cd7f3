-- Whether two facts are one: 'same', 'apart', or 'doubt', which a model may settle. Precision first.
--   apart  other subjects; a merge of the two that was undone; both of what a subject has one of; texts that cannot both be
--          true (memory_internal.contradiction_rule), or that differ in more than words (memory_api.text_difference): another number, name,
--          day, person or direction is another fact, whatever a model says
--   same   the same words of the same attribute and value, as far as these are known; or judged so while the texts were these
-- Facts of one timeline are what that makes of them (memory_internal.rebuild_timeline), and no matter of this.
create or replace function memory_internal.compare_facts(
    bank text, one memory.semantic_memory, other memory.semantic_memory)
returns text
language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
    differs text;
    judged boolean;
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
    -- In one order, whichever of the two was asked about first.
    differs := memory_api.text_difference(least(one.fact, other.fact), greatest(one.fact, other.fact));
    if differs <> 'words'
       or memory_internal.contradiction_rule(least(one.fact, other.fact), greatest(one.fact, other.fact)) is not null then
        return 'apart';
    end if;
    select v.same into judged
      from memory.merge_verdict v
     where v.bank_id = bank and v.one_id = least(one.memory_id, other.memory_id)
       and v.other_id = greatest(one.memory_id, other.memory_id)
       and v.texts = md5(least(one.fact, other.fact) || E'\n' || greatest(one.fact, other.fact));
    if not found then  -- what was said of them when the later of the two was new
        select p.verdict = 'same' into judged
          from memory.fact_pair p
         where p.bank_id = bank and p.one_id = least(one.memory_id, other.memory_id)
           and p.other_id = greatest(one.memory_id, other.memory_id);
    end if;
    if judged is not null then
        return case when judged then 'same' else 'apart' end;
    end if;
    return case
        when differs is not null or one.attribute <> other.attribute or lower(one.value) <> lower(other.value) then 'doubt'
        else 'same'
    end;
end $$;
