-- What the evidence of a fact, what was said of it as such, and its conflicts come to, in the order in which these
-- happened, whenever they became known (DESIGN §4):
--   birth      0.9 where somebody stated, committed or confirmed it, else 0.6, whichever of its evidence says so first
--   evidence   each further episode adds 0.05 of what is missing to 1 (S1 6.2)
--   conflict   an open one takes 0.3 of what the older has when the newer is said (S2), or half of both (S1 6.2); one that
--              was decided for it, or for both, takes nothing
--   judgement  confirmed: at least 0.9; disputed: half
-- Between conflicts and judgements the order of the evidence does not matter. From three episodes on it is at least 0.6
-- as long as no conflict is open. `contested` tells whether one is;
-- `contradicted_at` is when the first open conflict that lowers its confidence fell on it: from then on it decays at
-- durability 1 (memory_internal.decay_exponent). Confidence is null where there is no evidence at all.
create or replace function memory_internal.compute_confidence(
    bank text, of_fact uuid, out confidence double precision, out evidence_count integer, out first_observed timestamptz,
    out last_confirmed timestamptz, out importance double precision, out contested boolean,
    out contradicted_at timestamptz)
language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
    stated_birth constant double precision := 0.9;
    extracted_birth constant double precision := 0.6;
    growth constant double precision := 0.05;
    known_episodes constant integer := 3;
    known_confidence constant double precision := 0.6;
    most_grown constant integer := 1000;  -- 0.95^1000 is 5e-23: no difference to 1; 0.95^14600 underflows, an error
    base double precision;  -- confidence is 1 - (1 - base) (1 - growth)^grown
    grown integer := 0;
    born boolean := true;  -- whether nothing but evidence has come so far
    what record;
begin
    perform memory_internal.enter_bank(bank);
    contested := false;
    for what in
        select e.occurred_at as at, 1 as place, 'evidence' as kind, e.stated, 1::double precision as share, false as open
          from memory.fact_evidence e
         where e.bank_id = bank and e.fact_id = of_fact and e.holds
         union all
        select j.occurred_at, 2, j.verdict, true, 1, false
          from memory.fact_judgement j
         where j.bank_id = bank and j.fact_id = of_fact and j.verdict in ('committed', 'confirmed', 'disputed')
         union all
        select c.at, 3, 'conflict', false, c.share, c.open
          from memory_internal.effective_conflicts(bank, of_fact) as c
         order by at, place
    loop
        contested := contested or what.open;
        if what.open and what.share < 1 then
            contradicted_at := least(contradicted_at, what.at);
        end if;
        continue when what.kind = 'conflict' and what.share = 1;
        if what.kind in ('evidence', 'committed') then
            if base is null then
                base := case when what.stated then stated_birth else extracted_birth end;
            else
                base := case when born and what.stated then greatest(base, stated_birth) else base end;
                grown := grown + 1;
            end if;
        else
            base := 1 - (1 - coalesce(base, extracted_birth)) * power(1 - growth, least(grown, most_grown));
            base := case what.kind when 'confirmed' then greatest(base, stated_birth)
                                   when 'disputed' then base * 0.5
                                   else base * what.share end;
            grown := 0;
            born := false;
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
             where j.bank_id = bank and j.fact_id = of_fact and j.verdict in ('committed', 'confirmed')) as s;
    if base is null then  -- only its end is known: that it was so is as sure as that
        select case when bool_or(e.stated) then stated_birth else extracted_birth end into base
          from memory.fact_evidence e
         where e.bank_id = bank and e.fact_id = of_fact;
    end if;
    confidence := 1 - (1 - base) * power(1 - growth, least(grown, most_grown));
    if evidence_count >= known_episodes and not contested then
        confidence := greatest(confidence, known_confidence);
    end if;
end $$;
