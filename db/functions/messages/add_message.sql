-- Inserts one message and enqueues segmentation of its conversation ('segment'). Returns the message id. This is the
-- only write that a person waits for, so everything that can be done later is: the conversation's row is inserted by
-- the first segmentation.
-- Locks: erasure_lock_key, shared; the conversation's advisory lock, then its work row. The conversation's lock
-- serializes messages and segmentation. A waiting work row therefore needs no update: the worker that claims it sees
-- this message, and all positions below the segmentation watermark (`segmented_through`) are committed.
-- `position` is the conversation's maximum plus one; a sequence would restart below `segmented_through` in a server
-- that a bank is moved to, and those messages would never be segmented.
-- Runs as the owner with the bank in every statement: entering the bank for row security (SET LOCAL) took a seventh
-- of the time.
-- ME080: the bank was moved to another server; 25006, as by enter_bank: it is being moved.
-- A repeated client id returns the existing message's id; with other content it raises ME002. Content that retention
-- has emptied cannot be compared: then the id alone decides.
create or replace function memory_api.add_message(
    bank text, conversation text, agent text, lane integer, id uuid, client_id text, role text, name text,
    content text, occurred timestamptz, metadata text, at timestamptz default now())
returns uuid
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
    existing record;
    bank_known boolean;
    is_moved boolean;
    work_waits boolean;
begin
    if coalesce(nullif(current_setting('memory.bank_id', true), ''), bank) <> bank then
        raise exception using errcode = 'ME005', message = 'one transaction, one bank';
    end if;
    perform pg_advisory_xact_lock_shared(memory_internal.erasure_lock_key(bank));
    perform pg_advisory_xact_lock(memory_internal.conversation_lock_key(bank, conversation));
    select exists (select from memory.bank b where b.bank_id = bank),
           exists (select from memory.work w
                    where w.bank_id = bank and w.kind = 'segment' and w.subject = conversation
                      and w.lease_token is null and w.dead_at is null and w.not_before <= at
                      and w.lane <= add_message.lane),
           (select f.moved from memory.bank_fence f where f.bank = add_message.bank)
      into bank_known, work_waits, is_moved;
    if is_moved is not null then
        raise exception using errcode = case when is_moved then 'ME080' else '25006' end,
            message = format('bank %L is on another server, or is being moved there', bank);
    end if;
    if not bank_known then
        perform memory_internal.require_home(bank);
        raise exception using errcode = 'ME001', message = format('there is no bank %L', bank);
    end if;
    if not work_waits then
        perform memory_internal.enqueue_work(bank, 'segment', conversation, add_message.lane, at, at);
    end if;
    insert into memory.message
        (bank_id, message_id, conversation_id, client_id, position, role, name, agent_id, content, metadata,
         occurred_at, recorded_at)
    values (bank, id, conversation, add_message.client_id,
            1 + coalesce((select max(m.position) from memory.message m
                           where m.bank_id = bank and m.conversation_id = conversation), 0),
            add_message.role::memory.message_role, add_message.name, agent,
            add_message.content, coalesce(add_message.metadata::jsonb, '{}'), coalesce(occurred, at), at)
    on conflict (bank_id, conversation_id, client_id) where client_id is not null do nothing;
    if found then
        return id;
    end if;
    select m.message_id, m.role, m.content, m.expired_at into existing
      from memory.message m
     where m.bank_id = bank and m.conversation_id = conversation and m.client_id = add_message.client_id;
    if existing.expired_at is null
       and (existing.role, existing.content) is distinct from (add_message.role::memory.message_role, add_message.content)
    then
        raise exception using errcode = 'ME002', message = add_message.client_id;
    end if;
    return existing.message_id;
end $$;
