-- Returns the first part number in memory.memory_vector that belongs to the extract of the assistant's reply; lower
-- parts are the memory's own text. memory_service.intake.embed.REPLY_PART is the same number. Inlined into the
-- queries that call it.
create or replace function memory_internal.first_reply_part() returns smallint
language sql immutable parallel safe as $$
    select 1000::smallint
$$;
