-- The lexeme that every memory of a bank has in `search`, so that one GIN probe finds a word within that bank. It begins
-- with a blank, which no word of a text does.
create or replace function memory_internal.bank_lexeme(of_bank text) returns text
language sql immutable parallel safe as $$
    select ' ' || of_bank
$$;
