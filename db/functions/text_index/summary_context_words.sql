-- Returns the neighbour_words of the episodes of a summary, together.
create or replace function memory_internal.summary_context_words(bank text, summary uuid) returns tsvector
language sql stable as $$
    select coalesce(string_agg(t.neighbour_words::text, ' '), '')::tsvector
      from memory.memory_link l
     cross join lateral (select t.neighbour_words
                           from memory.memory_text t
                          where t.bank_id = bank and t.memory_id = l.linked_id
                         offset 0) as t
     where l.bank_id = bank and l.memory_id = summary and l.reason = 'summary'
$$;
