-- Returns the columns of a table in an export, in their order, each with the expression that reads it from the table
-- `t`, and that which makes it of a row `r` of an export; $1 is the bank. Left out are the bank's name and what a
-- server assigns: identities, transaction ids, leases. The bank's name within other columns is empty in an export, and
-- judgements are numbered within the bank (judgement_numbers). Called by export_query, import_rows and the import's
-- check of columns.
create or replace function memory_api.exported_columns(name text)
returns table (column_name text, reads text, makes text)
language sql stable as $$
    select a.attname::text, coalesce(e.reads, format('t.%I', a.attname)), coalesce(e.makes, format('r.%I', a.attname))
      from pg_attribute a
      left join (values
            -- finish_import makes the identities of judgements.
            ('fact_merge.judgements',
             'array(select n.number from unnest(t.judgements) with ordinality as g (id, place) '
             'join memory_internal.judgement_numbers($1) as n on n.judgement_id = g.id order by g.place)', null),
            ('fact_merge.winner_before',
             'case when t.winner_before ? ''judgements'' then jsonb_set(t.winner_before, ''{judgements}'', '
             'to_jsonb(array(select n.number from jsonb_array_elements_text(t.winner_before -> ''judgements'') '
             'as g (id) join memory_internal.judgement_numbers($1) as n on n.judgement_id = g.id::bigint '
             'order by n.number))) '
             'else t.winner_before end', null),
            ('memory_text.search',
             'ts_delete(t.search, memory_internal.bank_lexeme($1)) '
             '|| array_to_tsvector(array[memory_internal.bank_lexeme('''')])',
             'ts_delete(r.search, memory_internal.bank_lexeme('''')) '
             '|| array_to_tsvector(array[memory_internal.bank_lexeme($1)])'),
            ('word_count.word',
             'case t.word when memory_internal.bank_lexeme($1) then memory_internal.bank_lexeme('''') else t.word end',
             'case r.word when memory_internal.bank_lexeme('''') then memory_internal.bank_lexeme($1) else r.word end'),
            ('work.subject', 'case t.kind when ''relational'' then '''' else t.subject end', null)
        ) as e (place, reads, makes) on e.place = exported_columns.name || '.' || a.attname
     where a.attrelid = format('memory.%I', exported_columns.name)::regclass and a.attnum > 0 and not a.attisdropped
       and a.attidentity = '' and a.attgenerated = '' and a.attname not in ('bank_id', 'xid')
       and not (exported_columns.name = 'work'
                and a.attname in ('generation', 'not_before', 'lease_token', 'claimed_generation'))
     order by a.attnum;
$$;
