-- Acknowledges messages: they, and the work that they make, in one statement. The same client id again is accepted
-- and stored once; with other content it is refused, and then nothing of the call is stored.
-- The work row comes before the messages: calls on one conversation queue up on it instead of deadlocking on
-- each other's client ids. It is enqueue_work written out, and the whole runs as the owner, because this is the one
-- path that a person waits for: the nested definer call and the row security checks were a fifth of its time. The
-- bank is in every statement.
create or replace function memory_api.add_messages(
    bank text, conversation text, agent text, lane integer,
    ids uuid[], client_ids text[], roles text[], names text[], contents text[], occurred timestamptz[],
    metadata text[], at timestamptz default now())
returns uuid[]
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    added integer;
    offender text;
    answer uuid[];
begin
    perform memory_api.enter_bank(bank);
    insert into memory.conversation (bank_id, conversation_id, agent_id, created_at)
    values (bank, conversation, agent, at)
    on conflict on constraint conversation_pkey do nothing;
    insert into memory.work as w (bank_id, kind, subject, lane, not_before, wanted_at, enqueued_at)
    values (bank, 'cut', conversation, add_messages.lane, at, at, at)
    on conflict on constraint work_pkey do update
       set generation = w.generation + 1,
           lane = least(w.lane, excluded.lane),
           wanted_at = least(w.wanted_at, excluded.wanted_at),
           not_before = case when w.lease_token is null then least(w.not_before, excluded.not_before)
                             else w.not_before end,
           attempts = case when w.dead_at is null then w.attempts else 0 end,
           dead_at = null
     where w.lease_token is not null or w.dead_at is not null
        or w.not_before > excluded.not_before or w.lane > excluded.lane;
    insert into memory.message
        (bank_id, message_id, conversation_id, client_id, role, name, agent_id, content, metadata,
         occurred_at, recorded_at)
    select bank, m.id, conversation, m.client_id, m.role, m.name, agent, m.content,
           coalesce(m.metadata::jsonb, '{}'), coalesce(m.occurred_at, at), at
      from unnest(ids, client_ids, roles, names, contents, occurred, add_messages.metadata)
        as m (id, client_id, role, name, content, occurred_at, metadata)
    on conflict (bank_id, conversation_id, client_id) where client_id is not null do nothing;
    get diagnostics added = row_count;
    if added = cardinality(ids) then
        return ids;
    end if;
    -- Some client ids were known. Emptied content (retention) can no longer be compared: the id alone decides.
    select min(m.client_id) into offender
      from unnest(client_ids, roles, contents) as m (client_id, role, content)
      join memory.message known
        on known.bank_id = bank and known.conversation_id = conversation and known.client_id = m.client_id
     where known.expired_at is null and (known.role, known.content) is distinct from (m.role, m.content);
    if offender is not null then
        raise exception using errcode = 'ME002', message = offender;
    end if;
    select array_agg(coalesce(known.message_id, m.id) order by m.ordinality) into answer
      from unnest(ids, client_ids) with ordinality as m (id, client_id, ordinality)
      left join memory.message known
        on known.bank_id = bank and known.conversation_id = conversation and known.client_id = m.client_id;
    return answer;
end $$;
