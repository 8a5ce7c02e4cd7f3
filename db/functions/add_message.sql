-- Acknowledges one message: it, and the work that it makes, in one statement. This is the only path that a person
-- waits for, so it is two inserts and nothing else: the conversation's own row comes with the first cut.
-- The work row comes first. Calls on one conversation line up on it until they commit, and so does cutting, which
-- makes positions commit in their order: cutting can go by a high-water mark instead of an index. It is
-- enqueue_work written out, and runs as the owner, because the nested definer call and the row security checks were
-- a fifth of the time; the bank is in every statement.
-- The same client id again answers with the message that is there; with other content it is refused. Content that
-- retention has emptied can no longer be compared: then the id alone decides.
create or replace function memory_api.add_message(
    bank text, conversation text, agent text, lane integer, id uuid, client_id text, role text, name text,
    content text, occurred timestamptz, metadata text, at timestamptz default now())
returns uuid
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
    known record;
begin
    perform memory_api.enter_bank(bank);
    insert into memory.work as w (bank_id, kind, subject, lane, not_before, wanted_at, enqueued_at)
    values (bank, 'cut', conversation, add_message.lane, at, at, at)
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
    values (bank, id, conversation, add_message.client_id, add_message.role, add_message.name, agent,
            add_message.content, coalesce(add_message.metadata::jsonb, '{}'), coalesce(occurred, at), at)
    on conflict (bank_id, conversation_id, client_id) where client_id is not null do nothing;
    if found then
        return id;
    end if;
    select m.message_id, m.role, m.content, m.expired_at into known
      from memory.message m
     where m.bank_id = bank and m.conversation_id = conversation and m.client_id = add_message.client_id;
    if known.expired_at is null and (known.role, known.content) is distinct from (add_message.role, add_message.content)
    then
        raise exception using errcode = 'ME002', message = add_message.client_id;
    end if;
    return known.message_id;
end $$;
