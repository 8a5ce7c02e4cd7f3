-- Returns how a norm gives an allergy as its reason, one row:
--   with_reason  the norm with the suffix that intake appends where another sentence gives the reason
--   plain        the norm without that suffix and without final full stops
--   directive    the norm without a clause that gives an allergy as the reason
--   is_reason    whether it has such a clause
--   is_named     whether it names an allergy anywhere
-- The words and the suffix of SQL; those of intake are in memory_service/rules/norms/norms.py. A norm has no column for
-- its reason, because persons correct and commit norms as text. Called by lifted_norms, norm_coverage,
-- remove_norms_of_fact and write_stated_norms.
create or replace function memory_internal.allergy_reason(norm text)
returns table (with_reason text, plain text, directive text, is_reason boolean, is_named boolean)
language sql immutable parallel safe as $$
    select norm || ' because of an allergy', regexp_replace(norm, '( because of an allergy)?[.]*$', ''),
           regexp_replace(norm, '(,|;|\m(because|since|as)\M)[^,;]*(' || w.words || ').*$', '', 'i'),
           norm ~* ('(,|;|\m(because|since|as)\M)[^,;]*(' || w.words || ')'), norm ~* w.words
      from (values ('allerg|coeliac|celiac|intoleran|anaphyla')) as w (words);
$$;
