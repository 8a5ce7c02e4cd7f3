-- Returns a fact's subject for display: `user` is replaced by the bank's setting `subject`, if any. Facts are stored
-- and compared as `user`, so that the subject stays the same when the name becomes known.
create or replace function memory_internal.display_subject(bank text, subject text) returns text
language sql stable as $$
    select case when subject = 'user' or subject like 'user''s %'
           then coalesce((select b.settings ->> 'subject' from memory.bank b where b.bank_id = bank), 'user')
                || substr(subject, 5)
           else subject end
$$;
