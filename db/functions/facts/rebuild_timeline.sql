-- Recomputes the facts of one timeline from their statements, in the order of their times, independent of the order
-- of arrival (docs/design.md, "Facts and time"). Each period is one fact:
--   a late statement may split a fact in two: the later part becomes a new row with the same words and vector
--   (split_fact)
--   two periods that turn out to be one become one fact: the later row is merged into the earlier, with its evidence
-- An ending alone makes a closed period at its own time, because the statement that it ends may still arrive. An
-- ending without a value ("we broke up") is a separate row and closes any value.
-- A statement of an announced beginning or ending counts from that time (`starts_at`); one with an announced end
-- (`ends_at`) ends its value then, unless a later one, before that end, announces another. A beginning that a later
-- statement denies before its time ("the job fell through") does not take place, nor an ending that one denies in words
-- ("I still work at Nokia", a beginning at the time of that statement).
-- If pair judging found that a fact of another timeline replaced one of these, or the reverse
-- (record_pair_decisions), each statement of the other ends it, as a statement of another value does; the other
-- timeline is rebuilt as well (up to `max_depth` levels).
-- Then refresh_facts updates these facts and those in conflict with them: all of the timeline or, if the caller
-- passes the facts whose statements it has `changed`, these and the ones changed here. Returns the updated facts of
-- the timeline. The caller holds the bank lock.
create or replace function memory_internal.rebuild_timeline(
    bank text, of_timeline text, reason text, actor text, at timestamptz default now(), changed uuid[] default null,
    max_depth integer default 2)
returns uuid[]
language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
    statement_row record;
    value_key text;  -- value of the statement, '' without a value
    open_period integer;  -- number of the open period
    period_values text[] := '{}';  -- per period: value, times, successor and fact
    period_starts timestamptz[] := '{}';
    period_ends timestamptz[] := '{}';
    period_successors integer[] := '{}';
    foreign_successors uuid[] := '{}';  -- successor in another timeline
    period_facts uuid[] := '{}';
    period_fact uuid;
    statements text[] := '{}';  -- per statement: its id, its fact so far, its period
    statement_facts uuid[] := '{}';
    statement_periods integer[] := '{}';
    pinned uuid[];  -- facts that received a pin
    changed_facts uuid[];  -- facts with any change
    involved uuid[];
    target_period integer;
    open_slot integer;
    linked_timeline text;
begin
    perform memory_internal.enter_bank(bank);
    for statement_row in
        select 'e' || e.episode_id as statement, e.fact_id, e.holds and withdrawn.is_so is not true as holds,
               coalesce(e.starts_at, e.occurred_at) as moment,
               coalesce(lower(f.value), '') as value, f.memory_id as fact, null::uuid as replaced_by,
               false as is_announced_end
          from memory.semantic_memory f
          join memory.fact_evidence e on e.bank_id = f.bank_id and e.fact_id = f.memory_id
         cross join lateral (
            select case when e.starts_at > e.occurred_at then exists (
                       select from memory.semantic_memory k
                         join memory.fact_evidence o on o.bank_id = k.bank_id and o.fact_id = k.memory_id
                        where k.bank_id = bank and k.timeline = of_timeline and k.status <> 'merged_into'
                          and k.retracted_at is null and o.occurred_at > e.occurred_at and o.occurred_at < e.starts_at
                          and (e.holds and not o.holds and lower(k.value) = lower(f.value)
                               or not e.holds and o.holds and lower(k.value) = coalesce(lower(f.value), lower(k.value))
                                  and o.starts_at < o.occurred_at + interval '1 day')) end as is_so) as withdrawn
         where f.bank_id = bank and f.timeline = of_timeline and f.status <> 'merged_into' and f.retracted_at is null
           and (e.holds or withdrawn.is_so is not true)
         union all
        select 'u', e.fact_id, false, e.ends_at, coalesce(lower(f.value), ''), f.memory_id, null, true
          from memory.semantic_memory f
          join memory.fact_evidence e on e.bank_id = f.bank_id and e.fact_id = f.memory_id
         where f.bank_id = bank and f.timeline = of_timeline and f.status <> 'merged_into' and f.retracted_at is null
           and e.holds and e.ends_at is not null
           and not exists (
               select from memory.semantic_memory k
                 join memory.fact_evidence o on o.bank_id = k.bank_id and o.fact_id = k.memory_id
                where k.bank_id = bank and k.timeline = of_timeline
                  and lower(k.value) is not distinct from lower(f.value)
                  and o.holds and o.ends_at is not null and o.occurred_at > e.occurred_at and o.occurred_at < e.ends_at)
         union all
        select 'j' || j.judgement_id, j.fact_id, j.judgement <> 'ended', j.occurred_at, coalesce(lower(f.value), ''),
               f.memory_id, null, false
          from memory.semantic_memory f
          join memory.fact_judgement j on j.bank_id = f.bank_id and j.fact_id = f.memory_id
         where f.bank_id = bank and f.timeline = of_timeline and f.status <> 'merged_into' and f.retracted_at is null
           and j.judgement in ('committed', 'confirmed', 'ended')
         union all
        select 'p', f.memory_id, false, replacement.moment, coalesce(lower(f.value), ''), f.memory_id, o.memory_id, false
          from memory.semantic_memory f
          join memory.fact_pair p
            on p.bank_id = f.bank_id and (p.one_id = f.memory_id or p.other_id = f.memory_id) and p.decision = 'successor'
          join memory.semantic_memory judged_fact
            on judged_fact.bank_id = f.bank_id
           and judged_fact.memory_id = case when p.one_id = f.memory_id then p.other_id else p.one_id end
          join memory.semantic_memory o
            on o.bank_id = f.bank_id and o.timeline = judged_fact.timeline
           and lower(o.value) is not distinct from lower(judged_fact.value)
         cross join lateral (
            select coalesce(e.starts_at, e.occurred_at) as moment
              from memory.fact_evidence e
             where e.bank_id = bank and e.fact_id = o.memory_id and e.holds
             union all
            select j.occurred_at
              from memory.fact_judgement j
             where j.bank_id = bank and j.fact_id = o.memory_id and j.judgement in ('committed', 'confirmed')) as replacement
         where f.bank_id = bank and f.timeline = of_timeline and f.retracted_at is null
           and judged_fact.timeline <> of_timeline and o.status <> 'merged_into' and o.retracted_at is null
         order by moment, holds desc, value, statement
    loop
        value_key := statement_row.value;
        if statement_row.replaced_by is not null or statement_row.is_announced_end then
            if open_period is not null and period_values[open_period] = value_key
                and period_starts[open_period] < statement_row.moment then
                period_ends[open_period] := statement_row.moment;
                foreign_successors[open_period] := statement_row.replaced_by;
                open_period := null;
            end if;
            continue;
        end if;
        target_period := case when period_values[open_period] = value_key then open_period end;
        if not statement_row.holds then
            if target_period is not null or value_key = '' and open_period is not null then
                period_ends[open_period] := statement_row.moment;
                open_period := null;
            end if;
            if target_period is null then  -- the latest period of the value
                select max(p) into target_period
                  from unnest(period_values) with ordinality as k (k, p)
                 where k = value_key and value_key <> '';
            end if;
        end if;
        if target_period is null then
            period_values := period_values || value_key;
            period_starts := period_starts || statement_row.moment;
            period_ends := period_ends || case when not statement_row.holds then statement_row.moment end;
            period_successors := period_successors || null::integer;
            foreign_successors := foreign_successors || null::uuid;
            period_facts := period_facts || null::uuid;
            target_period := cardinality(period_values);
            if statement_row.holds then
                if open_period is not null then
                    period_ends[open_period] := statement_row.moment;
                    period_successors[open_period] := target_period;
                end if;
                open_period := target_period;
            end if;
        end if;
        statements := statements || statement_row.statement;
        statement_facts := statement_facts || statement_row.fact;
        statement_periods := statement_periods || target_period;
    end loop;

    -- Each period gets the fact of its first statement. Of two periods with the same fact the earlier gets it, but mere
    -- endings come last, so that a believed fact keeps its row. The others get another fact of their statements, or a
    -- new one.
    select array_agg(w.fact order by w.period) into period_facts
      from (select c.period,
                   case when row_number() over (
                       partition by c.fact order by period_starts[c.period] is not distinct from period_ends[c.period],
                       c.period) = 1
                   then c.fact end as fact
              from (select s.period, (array_agg(s.fact order by s.nth))[1] as fact
                      from unnest(statement_facts, statement_periods) with ordinality as s (fact, period, nth)
                     group by s.period) as c) as w;
    for open_slot in
        select i
          from generate_subscripts(period_facts, 1) as i
         where period_facts[i] is null
         order by period_starts[i] is not distinct from period_ends[i], i
    loop
        select s.fact into period_fact
          from unnest(statement_facts, statement_periods) with ordinality as s (fact, period, nth)
         where s.period = open_slot and s.fact <> all (array_remove(period_facts, null))
         order by s.nth
         limit 1;
        if period_fact is null then
            period_fact := memory_internal.split_fact(
                bank,
                (select s.fact
                   from unnest(statement_facts, statement_periods) as s (fact, period)
                  where s.period = open_slot
                  limit 1),
                at);
        end if;
        period_facts[open_slot] := period_fact;
    end loop;

    with moved as (
        update memory.fact_evidence e
           set fact_id = period_facts[s.period]
          from unnest(statements, statement_facts, statement_periods) as s (statement, fact, period)
         where e.bank_id = bank and e.fact_id = s.fact and s.statement = 'e' || e.episode_id
           and s.fact <> period_facts[s.period]
        returning s.fact, e.fact_id
    )
    select array_agg(m.fact) || array_agg(m.fact_id) into changed_facts from moved m;
    with moved as (
        update memory.fact_judgement j
           set fact_id = period_facts[s.period]
          from unnest(statements, statement_facts, statement_periods) as s (statement, fact, period)
         where j.bank_id = bank and j.fact_id = s.fact and s.statement = 'j' || j.judgement_id
           and s.fact <> period_facts[s.period]
        returning s.fact, j.fact_id
    )
    select changed_facts || array_agg(m.fact) || array_agg(m.fact_id) into changed_facts from moved m;
    -- A dispute or pin concerns the fact as it was then: after a split or merge it goes to the last period that had
    -- begun.
    with moved as (
        update memory.fact_judgement j
           set fact_id = t.fact
          from (select j.judgement_id, j.fact_id as previous_fact,
                       (select period_facts[s.period]
                          from unnest(statement_facts, statement_periods) as s (fact, period)
                         where s.fact = j.fact_id
                         order by period_starts[s.period] > j.occurred_at, s.period desc
                         limit 1) as fact
                  from memory.fact_judgement j
                 where j.bank_id = bank and j.fact_id = any (statement_facts)
                   and j.judgement in ('disputed', 'pinned', 'unpinned')) as t
         where j.bank_id = bank and j.judgement_id = t.judgement_id and j.fact_id <> t.fact
        returning j.judgement, t.previous_fact, t.fact
    )
    select changed_facts || array_agg(m.previous_fact) || array_agg(m.fact),
    array_agg(m.fact) filter (where m.judgement <> 'disputed')
      into changed_facts, pinned
      from moved m;
    if pinned is not null then
        perform memory_internal.apply_pins(bank, statement_facts || period_facts);
        changed_facts := changed_facts || statement_facts || period_facts;
    end if;
    -- A fact superseded by one of another timeline (resolved conflict) stays superseded by it.
    with moved as (
        update memory.semantic_memory f
           set valid_from = p.valid_from,
               valid_to = p.valid_to,
               superseded_by = coalesce(p.successor, case
                   when f.valid_to = p.valid_to and not exists (
                       select from memory.semantic_memory s
                        where s.bank_id = bank and s.memory_id = f.superseded_by and s.timeline = of_timeline)
                   then f.superseded_by end)
          from (select period_facts[i] as fact, period_starts[i] as valid_from, period_ends[i] as valid_to,
                       coalesce(period_facts[period_successors[i]], foreign_successors[i]) as successor
                  from generate_subscripts(period_values, 1) as i) as p
         where f.bank_id = bank and f.memory_id = p.fact
           and (f.valid_from, f.valid_to, f.superseded_by) is distinct from (p.valid_from, p.valid_to, p.successor)
        returning f.memory_id
    )
    select changed_facts || array_agg(m.memory_id) into changed_facts from moved m;
    -- A fact without any statement left is merged into the fact that has them.
    update memory.semantic_memory f
       set status = 'merged_into', merged_into_id = m.into_id, superseded_by = null
      from (select s.fact, (array_agg(period_facts[s.period] order by s.nth))[1] as into_id
              from unnest(statement_facts, statement_periods) with ordinality as s (fact, period, nth)
             where s.fact <> all (period_facts)
             group by s.fact) as m
     where f.bank_id = bank and f.memory_id = m.fact;

    involved := case
        when changed is null then array(
            select f.memory_id from memory.semantic_memory f where f.bank_id = bank and f.timeline = of_timeline)
        else array(select distinct i from unnest(changed || changed_facts) as i where i is not null)
    end;
    perform memory_internal.refresh_facts(
        bank,
        involved || array(
            select case when c.one_id = any (involved) then c.other_id else c.one_id end
              from memory.fact_conflict c
             where c.bank_id = bank and (c.one_id = any (involved) or c.other_id = any (involved))),
        reason, actor, at);
    perform memory_internal.create_clarifications(bank, involved, at);
    -- Timelines linked by a 'successor' decision: a statement of one ends facts of the other.
    for linked_timeline in
        select distinct o.timeline
          from memory.semantic_memory f
          join memory.fact_pair p
            on p.bank_id = f.bank_id and (p.one_id = f.memory_id or p.other_id = f.memory_id) and p.decision = 'successor'
          join memory.semantic_memory o
            on o.bank_id = f.bank_id and o.memory_id = case when p.one_id = f.memory_id then p.other_id else p.one_id end
         where f.bank_id = bank and f.timeline = of_timeline and max_depth > 0 and o.timeline <> of_timeline
         order by o.timeline
    loop
        perform memory_internal.rebuild_timeline(bank, linked_timeline, reason, actor, at, max_depth => max_depth - 1);
    end loop;
    return involved;
end $$;
