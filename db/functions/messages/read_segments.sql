-- Returns the messages of the segments, and up to `context_size` earlier messages of the same conversation for each
-- (`in_segment` false). Called by the worker for extraction.
create or replace function memory_api.read_segments(bank text, segments uuid[], context_size integer)
returns table (segment_id uuid, conversation_id text, agent_id text, in_segment boolean, message_id uuid,
               role text, name text, content text, metadata jsonb, occurred_at timestamptz)
language plpgsql as $$
begin
    perform memory_internal.enter_bank(bank);
    return query
        with segment_messages as (
            select m.* from memory.message m where m.bank_id = bank and m.segment_id = any (segments)
        ),
        starts as (
            select o.segment_id, o.conversation_id, min(o.position) as first_position
              from segment_messages o group by o.segment_id, o.conversation_id
        )
        select r.segment_id, r.conversation_id, r.agent_id, r.in_segment, r.message_id, r.role::text, r.name, r.content,
               r.metadata, r.occurred_at
          from (
            select o.segment_id, o.conversation_id, o.agent_id, true as in_segment, o.message_id, o.role, o.name,
                   o.content, o.metadata, o.occurred_at, o.position
              from segment_messages o
            union all
            select s.segment_id, s.conversation_id, null, false, e.message_id, e.role, e.name, e.content,
                   '{}'::jsonb, e.occurred_at, e.position
              from starts s
             cross join lateral (
                select m.* from memory.message m
                 where m.bank_id = bank and m.conversation_id = s.conversation_id
                   and m.position < s.first_position and m.expired_at is null
                 order by m.position desc
                 limit context_size
             ) as e
          ) as r
         order by r.segment_id, r.position;
end $$;
