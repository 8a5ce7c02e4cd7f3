-- Returns one word for a role that has several, in lower case: "grandma" and "granny" are "grandmother", "puppy" is
-- "dog"; other roles unchanged. Called by facts_of_lost.
create or replace function memory_internal.kin_word(role text) returns text
language sql immutable parallel safe as $$
    select case when lower(role) = any ('{mummy,mum,mom,mama,mam}') then 'mother'
                when lower(role) = any ('{daddy,dad,papa}') then 'father'
                when lower(role) = any ('{grandmum,grandma,granma,granny,gran,nanna,nana,nan}') then 'grandmother'
                when lower(role) = any ('{grandpa,granpa,granddad,grandad,gramps}') then 'grandfather'
                when lower(role) = 'puppy' then 'dog'
                when lower(role) = 'kitten' then 'cat'
                when lower(role) = 'bunny' then 'rabbit'
                when lower(role) = 'pony' then 'horse'
                else lower(role) end
$$;
