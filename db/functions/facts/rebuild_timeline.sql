-- Brings the facts of one timeline to what their statements make of it, in the order in which these were said, whenever
-- they arrived. A statement of the value that holds continues its period; of another value closes it and begins its own
-- (succession, without a penalty); that a value holds no longer closes it without a successor. Each period is one fact:
--   a late statement may split a fact in two: the later part gets a row of its own, with the same words and vector
--   a period that turns out to be one of two becomes one: the later row is merged into the earlier one, evidence and all
-- An ending alone makes a closed period at its own time: what it ended may still arrive. An ending that names no value
-- ("we broke up") is a row of its own and closes whatever held.
-- Where a fact of another timeline was judged to have replaced one of these, or the other way round (memory_api.record_pair_decisions),
-- each statement of the other ends it, as a statement of another value does; the other timeline is settled with this one.
-- Then the facts are weighed, and with them those that they are in conflict with: all of the timeline, or, where the caller
-- names those whose statements it has `touched`, these and what has moved. The answer is which. The caller holds the
-- bank's lock.
create or replace function memory_internal.rebuild_timeline(
    bank text, line text, reason text, actor text, at timestamptz default now(), touched uuid[] default null,
    deep integer default 2)
returns uuid[]
language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
    said record;
    key text;  -- the value that a statement is about; '' where it names none
    current integer;  -- the period that holds
    of_key integer;  -- the latest period of that value
    keys text[] := '{}';  -- of each period: its value, times, successor, and fact
    begins timestamptz[] := '{}';
    ends timestamptz[] := '{}';
    successors integer[] := '{}';
    beyond uuid[] := '{}';  -- a successor of another timeline
    rows uuid[] := '{}';
    taken uuid;
    statements text[] := '{}';  -- of each statement: what it is, the fact that it stood with, its period
    stood uuid[] := '{}';
    periods integer[] := '{}';
    pinned uuid[];  -- facts to which a pin went
    shifted uuid[];  -- facts of which anything changed
    involved uuid[];
    place integer;
    n integer;
    replaced_line text;
begin
    perform memory_internal.enter_bank(bank);
    for said in
        select 'e' || e.episode_id as statement, e.fact_id, e.holds, e.occurred_at as moment,
               coalesce(lower(f.value), '') as value, f.memory_id as fact, null::uuid as replaced_by
          from memory.semantic_memory f
          join memory.fact_evidence e on e.bank_id = f.bank_id and e.fact_id = f.memory_id
         where f.bank_id = bank and f.timeline = line and f.status <> 'merged_into' and f.retracted_at is null
         union all
        select 'j' || j.judgement_id, j.fact_id, j.verdict <> 'ended', j.occurred_at, coalesce(lower(f.value), ''),
               f.memory_id, null
          from memory.semantic_memory f
          join memory.fact_judgement j on j.bank_id = f.bank_id and j.fact_id = f.memory_id
         where f.bank_id = bank and f.timeline = line and f.status <> 'merged_into' and f.retracted_at is null
           and j.verdict in ('committed', 'confirmed', 'ended')
         union all
        select 'p', f.memory_id, false, told.moment, coalesce(lower(f.value), ''), f.memory_id, o.memory_id
          from memory.semantic_memory f
          join memory.fact_pair p
            on p.bank_id = f.bank_id and (p.one_id = f.memory_id or p.other_id = f.memory_id) and p.verdict = 'successor'
          join memory.semantic_memory judged
            on judged.bank_id = f.bank_id
           and judged.memory_id = case when p.one_id = f.memory_id then p.other_id else p.one_id end
          join memory.semantic_memory o
            on o.bank_id = f.bank_id and o.timeline = judged.timeline
           and lower(o.value) is not distinct from lower(judged.value)
         cross join lateral (
            select e.occurred_at as moment
              from memory.fact_evidence e
             where e.bank_id = bank and e.fact_id = o.memory_id and e.holds
             union all
            select j.occurred_at
              from memory.fact_judgement j
             where j.bank_id = bank and j.fact_id = o.memory_id and j.verdict in ('committed', 'confirmed')) as told
         where f.bank_id = bank and f.timeline = line and f.retracted_at is null
           and judged.timeline <> line and o.status <> 'merged_into' and o.retracted_at is null
         order by moment, holds desc, value, statement
    loop
        key := said.value;
        if said.replaced_by is not null then
            if current is not null and keys[current] = key and begins[current] < said.moment then
                ends[current] := said.moment;
                beyond[current] := said.replaced_by;
                current := null;
            end if;
            continue;
        end if;
        if said.holds then
            if current is not null and keys[current] = key then
                place := current;
            else
                keys := keys || key;
                begins := begins || said.moment;
                ends := ends || null::timestamptz;
                successors := successors || null::integer;
                beyond := beyond || null::uuid;
                rows := rows || null::uuid;
                place := cardinality(keys);
                if current is not null then
                    ends[current] := said.moment;
                    successors[current] := place;
                end if;
                current := place;
            end if;
        else
            if current is not null and (key = '' or keys[current] = key) then
                ends[current] := said.moment;
                place := case when keys[current] = key then current end;
                current := null;
            else
                place := null;
            end if;
            if place is null then
                select max(p) into of_key from unnest(keys) with ordinality as k (k, p) where k = key and key <> '';
                place := of_key;
            end if;
            if place is null then
                keys := keys || key;
                begins := begins || said.moment;
                ends := ends || said.moment;
                successors := successors || null::integer;
                beyond := beyond || null::uuid;
                rows := rows || null::uuid;
                place := cardinality(keys);
            end if;
        end if;
        statements := statements || said.statement;
        stood := stood || said.fact;
        periods := periods || place;
    end loop;

    -- Each period takes the fact of its first statement; of two that want the same the earlier one, but what is only an
    -- ending comes last, so that a fact that was believed stays the same row. The others take another fact of theirs, or a
    -- new one.
    select array_agg(w.fact order by w.period) into rows
      from (select c.period,
                   case when row_number() over (
                       partition by c.fact order by begins[c.period] is not distinct from ends[c.period], c.period) = 1
                   then c.fact end as fact
              from (select s.period, (array_agg(s.fact order by s.nth))[1] as fact
                      from unnest(stood, periods) with ordinality as s (fact, period, nth)
                     group by s.period) as c) as w;
    for n in
        select i
          from generate_subscripts(rows, 1) as i
         where rows[i] is null
         order by begins[i] is not distinct from ends[i], i
    loop
        select s.fact into taken
          from unnest(stood, periods) with ordinality as s (fact, period, nth)
         where s.period = n and s.fact <> all (array_remove(rows, null))
         order by s.nth
         limit 1;
        if taken is null then
            taken := memory_internal.split_fact(
                bank, (select s.fact from unnest(stood, periods) as s (fact, period) where s.period = n limit 1), at);
        end if;
        rows[n] := taken;
    end loop;

    with moved as (
        update memory.fact_evidence e
           set fact_id = rows[s.period]
          from unnest(statements, stood, periods) as s (statement, fact, period)
         where e.bank_id = bank and e.fact_id = s.fact and s.statement = 'e' || e.episode_id
           and s.fact <> rows[s.period]
        returning s.fact, e.fact_id
    )
    select array_agg(m.fact) || array_agg(m.fact_id) into shifted from moved m;
    with moved as (
        update memory.fact_judgement j
           set fact_id = rows[s.period]
          from unnest(statements, stood, periods) as s (statement, fact, period)
         where j.bank_id = bank and j.fact_id = s.fact and s.statement = 'j' || j.judgement_id
           and s.fact <> rows[s.period]
        returning s.fact, j.fact_id
    )
    select shifted || array_agg(m.fact) || array_agg(m.fact_id) into shifted from moved m;
    -- A doubt or a pin is about the fact as it was then: where that is split or merged, it goes with the last of its
    -- periods that had begun.
    with moved as (
        update memory.fact_judgement j
           set fact_id = t.fact
          from (select j.judgement_id, j.fact_id as was,
                       (select rows[s.period]
                          from unnest(stood, periods) as s (fact, period)
                         where s.fact = j.fact_id
                         order by begins[s.period] > j.occurred_at, s.period desc
                         limit 1) as fact
                  from memory.fact_judgement j
                 where j.bank_id = bank and j.fact_id = any (stood)
                   and j.verdict in ('disputed', 'pinned', 'unpinned')) as t
         where j.bank_id = bank and j.judgement_id = t.judgement_id and j.fact_id <> t.fact
        returning j.verdict, t.was, t.fact
    )
    select shifted || array_agg(m.was) || array_agg(m.fact), array_agg(m.fact) filter (where m.verdict <> 'disputed')
      into shifted, pinned
      from moved m;
    if pinned is not null then
        update memory.semantic_memory f
           set pinned = coalesce((select j.verdict = 'pinned'
                                    from memory.fact_judgement j
                                   where j.bank_id = bank and j.fact_id = f.memory_id
                                     and j.verdict in ('pinned', 'unpinned')
                                   order by j.occurred_at desc, j.judgement_id desc
                                   limit 1), false)
         where f.bank_id = bank and f.memory_id = any (stood || rows);
        shifted := shifted || stood || rows;
    end if;
    -- What an answer closed in favour of a fact of another timeline stays superseded by that.
    with moved as (
        update memory.semantic_memory f
           set valid_from = p.valid_from,
               valid_to = p.valid_to,
               superseded_by = coalesce(p.successor, case
                   when f.valid_to = p.valid_to and not exists (
                       select from memory.semantic_memory s
                        where s.bank_id = bank and s.memory_id = f.superseded_by and s.timeline = line)
                   then f.superseded_by end)
          from (select rows[i] as fact, begins[i] as valid_from, ends[i] as valid_to,
                       coalesce(rows[successors[i]], beyond[i]) as successor
                  from generate_subscripts(keys, 1) as i) as p
         where f.bank_id = bank and f.memory_id = p.fact
           and (f.valid_from, f.valid_to, f.superseded_by) is distinct from (p.valid_from, p.valid_to, p.successor)
        returning f.memory_id
    )
    select shifted || array_agg(m.memory_id) into shifted from moved m;
    -- A fact whose statements all belong to another's period is that other.
    update memory.semantic_memory f
       set status = 'merged_into', merged_into_id = m.into_id, superseded_by = null
      from (select s.fact, (array_agg(rows[s.period] order by s.nth))[1] as into_id
              from unnest(stood, periods) with ordinality as s (fact, period, nth)
             where s.fact <> all (rows)
             group by s.fact) as m
     where f.bank_id = bank and f.memory_id = m.fact;

    involved := case
        when touched is null then array(
            select f.memory_id from memory.semantic_memory f where f.bank_id = bank and f.timeline = line)
        else array(select distinct i from unnest(touched || shifted) as i where i is not null)
    end;
    perform memory_internal.refresh_facts(
        bank,
        involved || array(
            select case when c.one_id = any (involved) then c.other_id else c.one_id end
              from memory.fact_conflict c
             where c.bank_id = bank and (c.one_id = any (involved) or c.other_id = any (involved))),
        reason, actor, at);
    perform memory_internal.create_clarifications(bank, involved, at);
    -- What says of one of these when it holds says of the others when they do not.
    for replaced_line in
        select distinct o.timeline
          from memory.semantic_memory f
          join memory.fact_pair p
            on p.bank_id = f.bank_id and (p.one_id = f.memory_id or p.other_id = f.memory_id) and p.verdict = 'successor'
          join memory.semantic_memory o
            on o.bank_id = f.bank_id and o.memory_id = case when p.one_id = f.memory_id then p.other_id else p.one_id end
         where f.bank_id = bank and f.timeline = line and deep > 0 and o.timeline <> line
         order by o.timeline
    loop
        perform memory_internal.rebuild_timeline(bank, replaced_line, reason, actor, at, deep => deep - 1);
    end loop;
    return involved;
end $$;
