-- The advisory lock of a conversation: shared by messages on their way in, exclusive for cutting.
create or replace function memory_api.conversation_lock(bank text, conversation text) returns bigint
language sql immutable parallel safe as $$
    select hashtextextended('conversation' || E'\n' || bank || E'\n' || conversation, 0);
$$;
