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
create or replace function memory_api.segment_conversation(
    bank text, conversation text, token uuid, lane integer, quiet interval,
    default_intake text default 'exchange', at timestamptz default now())
returns integer
language plpgsql as $$
declare
    intake text;
    segment_of jsonb;
    segments text[];
    since timestamptz[];
    ended timestamptz;
    mark bigint;
    last_open timestamptz;
    last_cut bigint;
begin
    perform memory_internal.enter_bank(bank);
    -- Waits for messages on their way in and keeps others out (see add_message), then checks the lease.
    perform pg_advisory_xact_lock(memory_internal.conversation_lock_key(bank, conversation));
    if not memory_internal.lock_lease(bank, 'cut', conversation, token) then
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

    -- One pass and no join: what a conversation has waiting is unknown to the planner and may be thousands.
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
        select s.position, s.recorded_at, gen_random_uuid() as id,
               s.part * 1000000 + (row_number() over (partition by s.part order by s.position) - 1) / 40 as part
          from started s
    ),
    parted as (
        select u.position, u.recorded_at, first_value(u.id) over in_part as segment_id,
               case intake
                   when 'verbatim' then true
                   when 'snippet' then count(*) over in_part = 6
                   else u.part < max(u.part) over ()
               end as full_part,
               max(u.recorded_at) over in_part as last_at
          from uncut u
        window in_part as (partition by u.part order by u.position
                           rows between unbounded preceding and unbounded following)
    ),
    closing as (
        select p.position, p.recorded_at, p.segment_id, p.last_at,
               p.full_part or p.last_at + quiet <= at or p.last_at <= ended as closed,
               row_number() over (partition by p.segment_id) = 1 as counts
          from parted p
    )
    select coalesce(jsonb_object_agg(c.position, c.segment_id) filter (where c.closed), '{}'),
           coalesce(array_agg(c.segment_id::text) filter (where c.closed and c.counts), '{}'),
           coalesce(array_agg(c.last_at) filter (where c.closed and c.counts), '{}'),
           max(c.recorded_at) filter (where not c.closed),
           max(c.position) filter (where c.closed)
      into segment_of, segments, since, last_open, last_cut
      from closing c;
    update memory.message m
       set segment_id = (segment_of ->> m.position::text)::uuid
     where m.bank_id = bank and m.conversation_id = conversation and m.position > mark and m.position <= last_cut
       and m.segment_id is null and segment_of ? m.position::text;
    perform memory_internal.enqueue_new(
        bank, 'extract', segments, array_fill(lane, array[cardinality(segments)]), at, since);
    update memory.conversation c
       set cut_through = last_cut
     where c.bank_id = bank and c.conversation_id = conversation and c.cut_through < last_cut;

    perform memory_api.complete_work(bank, 'cut', conversation, token, last_open + quiet, at);
    return cardinality(segments);
end $$;
