-- A fact's subject as it is shown: `user` is called by the name that the bank's settings have for its person, if any. Facts
-- are stored and compared as `user`, so that they stay one subject when the name becomes known.
create or replace function memory_internal.display_subject(bank text, subject text) returns text
language sql stable as $$
    select case when subject = 'user' or subject like 'user''s %'
           then coalesce((select b.settings ->> 'subject' from memory.bank b where b.bank_id = bank), 'user')
                || substr(subject, 5)
           else subject end
$$;
