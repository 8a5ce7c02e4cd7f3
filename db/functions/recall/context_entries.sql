-- Returns what a context prints beside the candidates of recall_candidates, in one call, which saves round trips and
-- busy sessions: the rows of its RECENT section and its clarification question (docs/design.md, "Context"), then those
-- of person_entries, each with the columns of the other null.
--   message   the conversation's messages that wait for a decision or for their vector, newest first
--   episode   active episodes of the last recent_days (7) with at least recent_importance (0.7), newest first
--   message   refused messages among the conversation's last `refused`, to keep the thread; not those refused by the
--             harm check
--   question  the open clarification between two believed facts with the highest importance, oldest first; `facts`
--             are the two
--   death     the fact that a person died, their `name`, and since when; not where facts name two persons so
-- A message that became an episode is listed as that episode; a quarantined one is not listed. `memory_id` is the
-- episode of the entry, or of its message: a restored one may lack its vector. Episodes whose valence differs from
-- `valence` by more than `max_valence_difference` are left out. `historical` leaves out entries after `at`. Raises
-- ME001, and ME061 if `model` is not the bank's embedding model.
-- Plans are generic, because planning took 0.9 ms of 1.4 ms; but for the episodes, of which either the important or
-- the recent ones are few. `stable`: all its statements see one state.
create or replace function memory_api.context_entries(
    bank text, model text, query public.halfvec, conversation text, undecided integer, episodes integer, refused integer,
    valence double precision default null, max_valence_difference double precision default null,
    historical boolean default false, at timestamptz default now())
returns table (kind text, id uuid, content text, occurred_at timestamptz, role text, name text, source text,
               facts uuid[], memory_id uuid, situation text, cosine double precision, detail jsonb)
language plpgsql stable set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
    limits record;
begin
    perform memory_internal.require_bank(bank);
    select * into limits from memory_api.bank_limits(bank);
    return query
        select 'message', m.message_id, m.content, m.occurred_at, m.role::text, m.name, null::text, null::uuid[],
               m.memory_id, null::text, null::double precision, null::jsonb
          from memory.message m
         where m.bank_id = bank and m.conversation_id = conversation and m.expired_at is null
           and (not historical or m.occurred_at <= at)
           and (m.status = 'pending' or exists (
               select from memory.episodic_memory e
                where e.bank_id = bank and e.memory_id = m.memory_id and e.status = 'pending_embedding'))
         order by m.position desc
         limit undecided;
    perform set_config('plan_cache_mode', 'force_custom_plan', true);
    return query
        select 'episode', e.memory_id, e.summary, e.occurred_at, null::text, null::text, e.source, null::uuid[],
               e.memory_id, null::text, null::double precision, null::jsonb
          from memory.episodic_memory e
         where e.bank_id = bank and e.status = 'active' and e.importance >= limits.recent_importance
           and e.occurred_at > at - make_interval(secs => limits.recent_days * 86400)
           and (not historical or e.occurred_at <= at)
           and (context_entries.valence is null or e.emotional_valence is null
                or abs(e.emotional_valence - context_entries.valence) <= max_valence_difference)
         order by e.occurred_at desc, e.memory_id desc
         limit episodes;
    perform set_config('plan_cache_mode', 'force_generic_plan', true);
    return query
        (select 'message', m.message_id, m.content, m.occurred_at, m.role::text, m.name, null, null::uuid[], null::uuid,
                null, null::double precision, null::jsonb
           from (select * from memory.message l
                  where l.bank_id = bank and l.conversation_id = conversation and l.expired_at is null
                    and (not historical or l.occurred_at <= at)
                  order by l.position desc
                  limit refused) as m
          where m.status = 'refused'
            and not exists (
                select from memory.gate_decision d
                 where d.bank_id = bank and d.segment_id = m.segment_id and starts_with(d.reason, 'harm_check:'))
          order by m.position desc)
        union all
        (select 'question', c.clarification_id, c.question, c.created_at, null, null, null, array[c.one_id, c.other_id],
                null, null, null, null
           from memory.clarification c
          where c.bank_id = bank and c.status = 'open' and (not historical or c.created_at <= at)
            and 2 = (select count(*)
                       from memory.semantic_memory f
                      where f.bank_id = bank and f.memory_id in (c.one_id, c.other_id)
                        and memory_internal.is_believed(f, 0, at))
          order by c.importance desc, c.created_at, c.clarification_id
          limit 1);
    return query
        select 'death', f.memory_id, f.fact, f.valid_from, null::text, named.one[1], null::text, null::uuid[], null::uuid,
               null::text, null::double precision, null::jsonb
          from memory.semantic_memory f
         cross join lateral regexp_match(
                   f.fact, '((?:[[:upper:]][[:alpha:]-]*[[:lower:]] )*[[:upper:]][[:alpha:]-]*[[:lower:]]) died') as named (one)
         where f.bank_id = bank and f.attribute in ('died', 'has_died') and named.one is not null
           and memory_internal.is_believed(f, 0, at)
           and 1 >= (select count(distinct case when o.attribute ~ '^(partner|wife|husband|spouse|boyfriend|girlfriend)'
                                                then 'partner' else memory_internal.kind_of_role(
                                                    replace(replace(o.attribute, '_name', ''), '_', ' ')) end)
                       from memory.semantic_memory o
                      where o.bank_id = bank and lower(o.value) = lower(named.one[1]) and o.retracted_at is null
                        and o.status <> 'merged_into' and (o.valid_to is null or o.valid_to > o.valid_from)
                        and (o.attribute = 'partner' or memory_internal.names_someone(o.attribute)))
         order by f.valid_from desc
         limit 100;
    return query
        select p.kind, p.id, p.content, p.occurred_at, null::text, null::text, null::text, null::uuid[], null::uuid,
               p.situation, p.cosine, p.detail
          from memory_api.person_entries(bank, model, query, at) as p;
end $$;
