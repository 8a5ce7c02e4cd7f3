-- Returns the lexeme that `search` of every memory of a bank contains, so that one GIN probe is restricted to the
-- bank. It begins with a blank, which no word of a text does.
create or replace function memory_internal.bank_lexeme(of_bank text) returns text
language sql immutable parallel safe as $$
    select ' ' || of_bank
$$;
