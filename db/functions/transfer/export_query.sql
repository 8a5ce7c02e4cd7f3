-- Returns the statement that reads a table's rows for an export, each as one line of JSON, in the order of the primary
-- key; events, judgements and merges in the order in which they were written. Its parameter is the bank. The caller
-- reads it with a cursor, so that a table of any size takes little memory. Vectors are those of the bank's embedding
-- model.
create or replace function memory_api.export_query(name text) returns text
language sql stable as $$
    with key as (
        select string_agg(format('t.%I', a.attname), ', ' order by k.place) as columns
          from pg_index i
         cross join unnest(i.indkey) with ordinality as k (number, place)
          join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.number
         where i.indrelid = format('memory.%I', export_query.name)::regclass and i.indisprimary
    )
    select format(
        'select row_to_json(r)::text from (select %s from %s as t where t.bank_id = $1%s order by %s) as r',
        (select string_agg(format('%s as %I', c.reads, c.column_name), ', ')
           from memory_api.exported_columns(export_query.name) as c),
        case export_query.name when 'work' then 'memory_internal.queued_work($1)'
                               else format('memory.%I', export_query.name) end,
        case when exists (select from memory_api.exported_columns(export_query.name) as c
                           where c.column_name = 'model_id')
             then ' and t.model_id = (select b.embedding_model from memory.bank b where b.bank_id = $1)'
             else '' end,
        case export_query.name when 'memory_event' then 't.bank_id, t.xid, t.event_id' else k.columns end)
      from key k;
$$;
