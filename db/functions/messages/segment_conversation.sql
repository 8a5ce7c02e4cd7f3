-- Divides the unsegmented messages of a conversation into segments, according to the bank's intake
-- (bank_intake), and completes the work row in the same transaction. Returns the number of segments, or null if
-- the lease was lost. Called by the worker. Locks: the conversation's advisory lock, then the work row.
-- The commit does not wait for the disk: segmentation that a power cut loses is repeated from the messages.
--   exchange  a user message with its replies, the first one also with what the agent wrote before it; closed by the
--             next user message, after `quiet`, or by the end of an import
--   snippet   six messages; fewer are closed after `quiet`
--   verbatim  every message is a segment, at once
-- Only messages above the watermark `segmented_through` are read, however long the conversation is; add_message
-- explains why none can appear below it. An unclosed remainder keeps the work row until its quiet period ends.
create or replace function memory_api.segment_conversation(
    bank text, conversation text, token uuid, lane integer, quiet interval,
    default_intake text default null, at timestamptz default now())
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
    last_segmented bigint;
begin
    perform memory_internal.enter_bank(bank);
    -- Serializes with add_message, then checks the lease.
    perform pg_advisory_xact_lock(memory_internal.conversation_lock_key(bank, conversation));
    if not memory_internal.lock_lease(bank, 'segment', conversation, token) then
        return null;
    end if;
    perform set_config('synchronous_commit', 'off', true);
    select memory_internal.bank_intake(b.settings, default_intake) into intake
      from memory.bank b
     where b.bank_id = bank;
    insert into memory.conversation (bank_id, conversation_id, agent_id, created_at)
    select bank, conversation, m.agent_id, m.recorded_at
      from memory.message m
     where m.bank_id = bank and m.conversation_id = conversation
     order by m.position
     limit 1
    on conflict on constraint conversation_pkey do nothing;
    select coalesce(c.import_ended_at, '-infinity'), c.segmented_through into ended, mark
      from memory.conversation c
     where c.bank_id = bank and c.conversation_id = conversation;

    -- One pass without joins: the planner cannot estimate the backlog, which may be thousands of messages.
    with pending_messages as (
        select m.position, m.recorded_at,
               case intake
                   when 'verbatim' then row_number() over by_position
                   when 'snippet' then (row_number() over by_position - 1) / 6
                   -- Messages before the first user message belong to its exchange: a reply to the agent's opening.
                   else greatest(count(*) filter (where m.role = 'user') over by_position, 1)
               end as group_number
          from memory.message m
         where m.bank_id = bank and m.conversation_id = conversation
           and m.position > mark and m.segment_id is null and m.status = 'pending'
        window by_position as (order by m.position)
    ),
    sized as (
        -- An exchange is closed at 40 messages, which bounds the input of one model call.
        select s.position, s.recorded_at, gen_random_uuid() as id,
               s.group_number * 1000000
               + (row_number() over (partition by s.group_number order by s.position) - 1) / 40 as group_number
          from pending_messages s
    ),
    grouped as (
        select u.position, u.recorded_at, first_value(u.id) over in_group as segment_id,
               case intake
                   when 'verbatim' then true
                   when 'snippet' then count(*) over in_group = 6
                   else u.group_number < max(u.group_number) over ()
               end as is_full,
               max(u.recorded_at) over in_group as last_at
          from sized u
        window in_group as (partition by u.group_number order by u.position
                           rows between unbounded preceding and unbounded following)
    ),
    closing as (
        select p.position, p.recorded_at, p.segment_id, p.last_at,
               p.is_full or p.last_at + quiet <= at or p.last_at <= ended as closed,
               row_number() over (partition by p.segment_id) = 1 as is_first
          from grouped p
    )
    select coalesce(jsonb_object_agg(c.position, c.segment_id) filter (where c.closed), '{}'),
           coalesce(array_agg(c.segment_id::text) filter (where c.closed and c.is_first), '{}'),
           coalesce(array_agg(c.last_at) filter (where c.closed and c.is_first), '{}'),
           max(c.recorded_at) filter (where not c.closed),
           max(c.position) filter (where c.closed)
      into segment_of, segments, since, last_open, last_segmented
      from closing c;
    update memory.message m
       set segment_id = (segment_of ->> m.position::text)::uuid
     where m.bank_id = bank and m.conversation_id = conversation and m.position > mark and m.position <= last_segmented
       and m.segment_id is null and segment_of ? m.position::text;
    perform memory_internal.enqueue_new(
        bank, 'extract', segments, array_fill(lane, array[cardinality(segments)]), at, since);
    update memory.conversation c
       set segmented_through = last_segmented
     where c.bank_id = bank and c.conversation_id = conversation and c.segmented_through < last_segmented;

    perform memory_api.complete_work(bank, 'segment', conversation, token, last_open + quiet, at);
    return cardinality(segments);
end $$;
