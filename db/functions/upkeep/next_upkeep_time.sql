-- The earliest moment after `at` at which something changes in a bank by time alone; infinity where nothing does. A second
-- later, since at the very moment itself nothing is beyond its limit. Each is a probe of an index, or reads what the caps bound:
--   an active episode turns consolidate_after_days (30) old
--   a fact's confidence falls below deprecation_confidence (memory_internal.decay_time): never that of a stable, pinned,
--   superseded or permanent one
--   a raw message expires, `message_days` after it was recorded unless the bank says otherwise
--   an episode, or a near duplicate that kept one, reaches the age of a storage strategy that the bank turned on
-- Traces are none of it: workers let go of them every hour, and reading a bank does not change it.
create or replace function memory_internal.next_upkeep_time(
    bank text, message_days double precision, at timestamptz default now())
returns timestamptz
language plpgsql as $$
declare
    own jsonb;
    verbatim boolean;
    fades_at timestamptz;
    least_confidence double precision;
    lowest double precision;  -- its logarithm, null for 0
    kept_days double precision;
    kept_years double precision;
    prune_days double precision;
    old constant interval := make_interval(
        secs => (select l.consolidate_after_days from memory_api.bank_limits(bank) as l) * 86400);
begin
    perform memory_internal.enter_bank(bank);
    select b.settings into own from memory.bank b where b.bank_id = bank;
    least_confidence := memory_internal.deprecation_confidence(own);
    lowest := ln(nullif(least_confidence, 0));
    verbatim := own ->> 'intake' is not distinct from 'verbatim';
    kept_days := least(coalesce((own ->> 'message_days')::double precision, message_days), 36500);
    kept_years := (own ->> 'compress_after_years')::double precision;
    prune_days := (own ->> 'prune_after_days')::double precision;
    select min(f.falls_at) into fades_at
      from (select memory_internal.decay_time(
                       greatest(ln(c.confidence) - lowest, 0), c.importance, c.last_confirmed, c.attribute, c.contradicted_at) as falls_at
              from memory.semantic_memory c
             where c.bank_id = bank and c.status = 'tentative' and c.valid_to is null and not c.pinned
               and lowest is not null and c.confidence >= least_confidence
            offset 0) as f
     where f.falls_at >= at;
    return least(
        'infinity',
        fades_at + interval '1 second',
        (select e.occurred_at + old + interval '1 second'
           from memory.episodic_memory e
          where not verbatim and e.bank_id = bank and e.status = 'active' and e.occurred_at >= at - old
          order by e.occurred_at
          limit 1),
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
                 or e.importance <= coalesce((own ->> 'compress_keep_importance')::double precision, 0.7))
            and e.occurred_at >= at - make_interval(secs => kept_years * 365.25 * 86400)
          order by e.occurred_at
          limit 1) + interval '1 second',
        (select e.occurred_at + make_interval(secs => prune_days * 86400)
           from memory.episodic_memory e
          where e.bank_id = bank and e.status in ('active', 'archived', 'deprecated', 'merged_into') and not e.landmark
            and (e.status = 'merged_into'
                 or e.importance < coalesce((own ->> 'prune_below_importance')::double precision, 0.3))
            and e.occurred_at >= at - make_interval(secs => prune_days * 86400)
          order by e.occurred_at
          limit 1) + interval '1 second');
end $$;
