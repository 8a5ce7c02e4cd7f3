-- Returns confidence and derived columns of a fact from its evidence, judgements and conflicts, in the order of
-- their times, independent of the order of arrival (docs/design.md, "Confidence"). Called by refresh_facts.
-- `contested`: whether a conflict is open.
-- `contradicted_at`: when the first open conflict that lowers the confidence took effect; from then on the fact
-- decays at a decay factor of 1 (decay_exponent). Confidence is null without any evidence.
create or replace function memory_internal.compute_confidence(
    bank text, of_fact uuid, out confidence double precision, out evidence_count integer, out first_observed timestamptz,
    out last_confirmed timestamptz, out importance double precision, out contested boolean,
    out contradicted_at timestamptz)
language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
    stated_birth constant double precision := 0.9;
    extracted_birth constant double precision := 0.6;
    growth constant double precision := 0.05;
    stable_confidence constant double precision := 0.6;
    max_growth_steps constant integer := 1000;  -- 0.95^1000 is 5e-23, negligible; 0.95^14600 raises an underflow error
    base double precision;  -- confidence is 1 - (1 - base) (1 - growth)^growth_steps
    growth_steps integer := 0;
    only_evidence boolean := true;  -- no judgement or conflict so far
    event record;
begin
    perform memory_internal.enter_bank(bank);
    contested := false;
    for event in
        select e.occurred_at as at, 1 as tie_order, 'evidence' as kind, e.stated, 1::double precision as share, false as open
          from memory.fact_evidence e
         where e.bank_id = bank and e.fact_id = of_fact and e.holds
         union all
        select j.occurred_at, 2, j.judgement, true, 1, false
          from memory.fact_judgement j
         where j.bank_id = bank and j.fact_id = of_fact and j.judgement in ('committed', 'confirmed', 'disputed')
         union all
        select c.at, 3, 'conflict', false, c.share, c.open
          from memory_internal.effective_conflicts(bank, of_fact) as c
         order by at, tie_order
    loop
        contested := contested or event.open;
        if event.open and event.share < 1 then
            contradicted_at := least(contradicted_at, event.at);
        end if;
        continue when event.kind = 'conflict' and event.share = 1;
        if event.kind in ('evidence', 'committed') then
            if base is null then
                base := case when event.stated then stated_birth else extracted_birth end;
            else
                base := case when only_evidence and event.stated then greatest(base, stated_birth) else base end;
                growth_steps := growth_steps + 1;
            end if;
        else
            base := 1 - (1 - coalesce(base, extracted_birth)) * power(1 - growth, least(growth_steps, max_growth_steps));
            base := case event.kind when 'confirmed' then greatest(base, stated_birth)
                                   when 'disputed' then base * 0.5
                                   else base * event.share end;
            growth_steps := 0;
            only_evidence := false;
        end if;
    end loop;

    select count(*) filter (where s.holds and s.of_episode), coalesce(min(s.at) filter (where s.holds), min(s.at)),
           coalesce(max(s.at) filter (where s.holds), max(s.at)), max(s.importance)
      into evidence_count, first_observed, last_confirmed, importance
      from (select e.holds, true as of_episode, e.occurred_at as at, e.importance
              from memory.fact_evidence e
             where e.bank_id = bank and e.fact_id = of_fact
             union all
            select true, false, j.occurred_at, null
              from memory.fact_judgement j
             where j.bank_id = bank and j.fact_id = of_fact and j.judgement in ('committed', 'confirmed')) as s;
    if base is null then  -- only its end is known: the fact is as certain as its end
        select case when bool_or(e.stated) then stated_birth else extracted_birth end into base
          from memory.fact_evidence e
         where e.bank_id = bank and e.fact_id = of_fact;
    end if;
    confidence := 1 - (1 - base) * power(1 - growth, least(growth_steps, max_growth_steps));
    if evidence_count >= memory_internal.stable_evidence() and not contested then
        confidence := greatest(confidence, stable_confidence);
    end if;
end $$;
