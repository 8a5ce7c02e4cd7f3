-- Cuts what no segment holds yet into segments, as the bank's intake setting (or the service's) says (DESIGN §1, §2),
-- and completes
-- the work row in the same transaction:
--   exchange  a user message with its reply; closes at the next user message, after `quiet`, or where an import ended
--   snippet   six messages; a shorter rest closes after `quiet`
--   verbatim  every message by itself, at once
-- What lies beyond the conversation's high-water mark is all that is read, however long it has become; add_message
-- tells why nothing can come in behind the mark.
-- An open rest keeps the work row for when its quiet ends. The answer is the number of segments, or null where
-- the lease is no longer ours.
create or replace function memory_api.cut_conversation(
    bank text, conversation text, token uuid, lane integer, quiet interval,
    default_intake text default 'exchange', at timestamptz default now())
returns integer
language plpgsql as $$
declare
    intake text;
    cut integer;
    ended timestamptz;
    mark bigint;
    last_open timestamptz;
begin
    perform memory_api.enter_bank(bank);
    -- Waits for messages on their way in and keeps others out (see add_message), then checks the lease.
    perform pg_advisory_xact_lock(memory_api.conversation_lock(bank, conversation));
    if not memory_api.hold_work(bank, 'cut', conversation, token) then
        return null;
    end if;
    select coalesce(b.settings ->> 'intake', default_intake) into intake from memory.bank b where b.bank_id = bank;
    insert into memory.conversation (bank_id, conversation_id, agent_id, created_at)
    select bank, conversation, m.agent_id, m.recorded_at
      from memory.message m
     where m.bank_id = bank and m.conversation_id = conversation
     order by m.position
     limit 1
    on conflict on constraint conversation_pkey do nothing;
    select coalesce(c.import_ended_at, '-infinity'), c.cut_through into ended, mark
      from memory.conversation c
     where c.bank_id = bank and c.conversation_id = conversation;

    with started as (
        select m.position, m.recorded_at,
               case intake
                   when 'verbatim' then row_number() over by_position
                   when 'snippet' then (row_number() over by_position - 1) / 6
                   else count(*) filter (where m.role = 'user') over by_position
               end as part
          from memory.message m
         where m.bank_id = bank and m.conversation_id = conversation
           and m.position > mark and m.segment_id is null and m.status = 'pending'
        window by_position as (order by m.position)
    ),
    uncut as (
        -- An exchange of forty messages is full: what one model call reads stays bounded.
        select s.position, s.recorded_at,
               s.part * 1000000 + (row_number() over (partition by s.part order by s.position) - 1) / 40 as part
          from started s
    ),
    parts as materialized (
        select u.part, gen_random_uuid() as segment_id,
               case intake
                   when 'verbatim' then true
                   when 'snippet' then count(*) = 6 or max(u.recorded_at) + quiet <= at or max(u.recorded_at) <= ended
                   else u.part < max(u.part) over () or max(u.recorded_at) + quiet <= at
                        or max(u.recorded_at) <= ended
               end as closed
          from uncut u
         group by u.part
    ),
    assigned as (
        update memory.message m
           set segment_id = p.segment_id
          from uncut u
          join parts p on p.part = u.part and p.closed
         where m.bank_id = bank and m.conversation_id = conversation and m.position = u.position
           and m.segment_id is null
        returning m.segment_id, m.position
    ),
    enqueued as materialized (
        select memory_api.enqueue_work(bank, 'extract', s.segment_id::text, lane, at, at)
          from (select distinct a.segment_id from assigned a) as s
    ),
    still_open as (
        select max(u.recorded_at) as last_at from uncut u join parts p on p.part = u.part and not p.closed
    )
    select (select count(*) from enqueued), (select o.last_at from still_open o),
           (select max(a.position) from assigned a)
      into cut, last_open, mark;
    update memory.conversation c
       set cut_through = mark
     where c.bank_id = bank and c.conversation_id = conversation and c.cut_through < mark;

    perform memory_api.complete_work(bank, 'cut', conversation, token, last_open + quiet, at);
    return cut;
end $$;
