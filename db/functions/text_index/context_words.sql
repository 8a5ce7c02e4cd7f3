-- Returns the words of a memory's neighbours from their `search`: weight B for a question that it answers, D for
-- others. Only weight A is taken, which leaves out bank_lexeme.
create or replace function memory_internal.context_words(before tsvector, is_question boolean, after tsvector) returns tsvector
language sql immutable parallel safe as $$
    select setweight(ts_filter(coalesce(before, ''), '{a}'), case when is_question then 'B' else 'D' end::"char")
           || setweight(ts_filter(coalesce(after, ''), '{a}'), 'D')
$$;
