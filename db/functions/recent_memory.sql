-- What a context's RECENT section is made of: the conversation's last messages that are in no active episode yet,
-- and the bank's active episodes of the last 7 days with stored importance >= 0.7 (DESIGN §5).
create or replace function memory_api.recent_memory(
    bank text, conversation text, message_limit integer, episode_limit integer, at timestamptz default now())
returns table (kind text, id uuid, role text, name text, content text, occurred_at timestamptz,
               importance double precision, source text)
language plpgsql as $$
begin
    perform memory_api.require_bank(bank);
    return query
        (select 'message', m.message_id, m.role::text, m.name, m.content, m.occurred_at, null::double precision, null
           from memory.message m
          where m.bank_id = bank and m.conversation_id = conversation and m.expired_at is null
            and m.occurred_at <= at
            and not exists (
                select from memory.episodic_memory e
                 where e.bank_id = bank and e.memory_id = m.memory_id and e.status in ('active', 'merged_into',
                       'quarantined'))
          order by m.position desc
          limit message_limit)
        union all
        (select 'episode', e.memory_id, null, null, e.summary, e.occurred_at, e.importance, e.source
           from memory.episodic_memory e
          where e.bank_id = bank and e.status = 'active' and e.importance >= 0.7
            and e.occurred_at > at - interval '7 days' and e.occurred_at <= at
          order by e.occurred_at desc, e.memory_id desc
          limit episode_limit);
end $$;
