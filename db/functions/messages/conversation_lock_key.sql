-- The advisory lock of a conversation: held exclusively by a message on its way in, and by a cut.
create or replace function memory_internal.conversation_lock_key(bank text, conversation text) returns bigint
language sql immutable parallel safe as $$
    select hashtextextended('conversation' || E'\n' || bank || E'\n' || conversation, 0);
$$;
