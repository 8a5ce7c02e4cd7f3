-- Returns whether procedures may come from an episode: not from the words of tools and assistants (which verbatim banks
-- store), and not from what its sender marked as untrusted.
create or replace function memory_internal.may_teach(source text, metadata jsonb) returns boolean
language sql immutable parallel safe as $$
    select source not in ('tool', 'assistant') and metadata -> 'trusted' is distinct from 'false'::jsonb
$$;
