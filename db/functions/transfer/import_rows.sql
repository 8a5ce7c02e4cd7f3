-- Inserts rows of an export, each a JSON object as text, in their order: identities are assigned anew in that order.
-- `columns` are those of the export (exported_columns); others get their defaults. Errors are those of Postgres;
-- invalid_columns finds the columns that caused one.
create or replace function memory_api.import_rows(bank text, name text, columns text[], lines text[]) returns void
language plpgsql as $$
begin
    perform memory_internal.enter_bank(bank);
    if import_rows.name = 'work' then
        perform memory_internal.import_work(bank, lines);
        return;
    end if;
    execute format(
        'insert into memory.%1$I (bank_id, %2$s) select $1, %3$s '
        'from unnest($2) with ordinality as l (line, place) '
        'cross join lateral json_populate_record(null::memory.%1$I, l.line::json) as r order by l.place',
        import_rows.name,
        (select string_agg(format('%I', c.name), ', ' order by c.place)
           from unnest(columns) with ordinality as c (name, place)),
        (select string_agg(e.makes, ', ' order by c.place)
           from unnest(columns) with ordinality as c (name, place)
           join memory_api.exported_columns(import_rows.name) as e on e.column_name = c.name))
      using bank, lines;
end $$;
