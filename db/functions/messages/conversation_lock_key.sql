-- Returns the key of a conversation's advisory lock, held exclusively by add_message and segment_conversation.
create or replace function memory_internal.conversation_lock_key(bank text, conversation text) returns bigint
language sql immutable parallel safe as $$
    select hashtextextended('conversation' || E'\n' || bank || E'\n' || conversation, 0);
$$;
