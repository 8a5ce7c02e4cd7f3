-- The first part number in memory.memory_vector that belongs to the extract of the assistant's reply; parts below it are
-- the memory's own text. memory_service.intake.embed.REPLY_PART is the same number. Inlined into the queries that use it.
create or replace function memory_internal.first_reply_part() returns smallint
language sql immutable parallel safe as $$
    select 1000::smallint
$$;
