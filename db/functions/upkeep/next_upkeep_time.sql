-- Returns the earliest time after `at` at which a bank changes by time alone, or infinity. Called by
-- complete_upkeep. One second is added, because at the exact time nothing exceeds its limit yet. Each is an index
-- probe, or reads rows bounded by the caps:
--   an active episode reaches consolidate_after_days (30), unless the bank is verbatim
--   30 days pass, if the bank is verbatim by `default_intake` alone: the service may have another default then, with
--   caps and consolidation
--   a fact's confidence falls below deprecation_confidence (decay_time); never for stable, pinned, superseded or
--   permanent facts
--   a raw message expires, `message_days` after it was recorded unless the bank has its own setting
--   an episode, or a duplicate merged into it, reaches the age of a storage strategy that the bank enabled
--   the vectors of the former model of a re-embedding are kept until then
--   a silence reaches 180 or 365 days, which may lower the phase of the relationship (relationship_phase)
-- Traces are not included: workers expire them every hour, and reading a bank does not change it.
create or replace function memory_internal.next_upkeep_time(
    bank text, message_days double precision, at timestamptz default now(), default_intake text default null)
returns timestamptz
language plpgsql as $$
declare
    bank_settings constant jsonb := memory_internal.bank_settings(bank);
    verbatim constant boolean := memory_internal.bank_intake(bank_settings, default_intake) = 'verbatim';
    fades_at timestamptz;
    least_confidence double precision;
    log_limit double precision;  -- logarithm of least_confidence, null for 0
    kept_days double precision;
    kept_years double precision;
    prune_days double precision;
    consolidation_age constant interval := make_interval(
        secs => (select l.consolidate_after_days from memory_api.bank_limits(bank) as l) * 86400);
begin
    least_confidence := memory_internal.deprecation_confidence(bank_settings);
    log_limit := ln(nullif(least_confidence, 0));
    kept_days := least(coalesce((bank_settings ->> 'message_days')::double precision, message_days), 36500);
    kept_years := (bank_settings ->> 'compress_after_years')::double precision;
    prune_days := (bank_settings ->> 'prune_after_days')::double precision;
    select min(f.falls_at) into fades_at
      from (select memory_internal.decay_time(
                       greatest(ln(c.confidence) - log_limit, 0), c.importance, c.last_confirmed,
                       memory_internal.decay_attribute(c.attribute, c.extracted_by),
                       c.contradicted_at) as falls_at
              from memory.semantic_memory c
             where c.bank_id = bank and c.status = 'tentative' and c.valid_to is null and not c.pinned
               and log_limit is not null and c.confidence >= least_confidence
            offset 0) as f
     where f.falls_at >= at;
    return least(
        'infinity',
        fades_at + interval '1 second',
        (select e.occurred_at + consolidation_age + interval '1 second'
           from memory.episodic_memory e
          where not verbatim and e.bank_id = bank and e.status = 'active' and e.occurred_at >= at - consolidation_age
          order by e.occurred_at
          limit 1),
        case when verbatim and bank_settings ->> 'intake' is null then at + interval '30 days' end,
        (select m.recorded_at + make_interval(secs => kept_days * 86400)
           from memory.message m
          where m.bank_id = bank and m.expired_at is null and m.status in ('stored', 'refused')
            and m.recorded_at >= at - make_interval(secs => kept_days * 86400)
          order by m.recorded_at
          limit 1) + interval '1 second',
        (select e.occurred_at + make_interval(secs => kept_years * 365.25 * 86400)
           from memory.episodic_memory e
          where e.bank_id = bank and e.status in ('active', 'archived', 'deprecated', 'merged_into') and not e.landmark
            and (e.status = 'merged_into'
                 or e.importance <= memory_internal.compress_keep_importance(bank_settings))
            and e.occurred_at >= at - make_interval(secs => kept_years * 365.25 * 86400)
          order by e.occurred_at
          limit 1) + interval '1 second',
        (select e.occurred_at + make_interval(secs => prune_days * 86400)
           from memory.episodic_memory e
          where e.bank_id = bank and e.status in ('active', 'archived', 'deprecated', 'merged_into') and not e.landmark
            and (e.status = 'merged_into'
                 or e.importance < memory_internal.prune_below_importance(bank_settings))
            and e.occurred_at >= at - make_interval(secs => prune_days * 86400)
          order by e.occurred_at
          limit 1) + interval '1 second',
        (select min(r.last_at + s.silence)
           from memory.relationship r
          cross join unnest(array[interval '180 days', interval '365 days']) as s (silence)
          where r.bank_id = bank and r.last_at + s.silence >= at) + interval '1 second',
        (select r.keep_until from memory.reembedding r where r.bank_id = bank and r.keep_until >= at) + interval '1 second');
end $$;
