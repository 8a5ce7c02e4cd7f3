-- Returns the columns of a row, a JSON object as text, whose values are not of the column's type, with the reason.
-- Called when import_rows has refused the row, in a savepoint.
create or replace function memory_api.invalid_columns(name text, line text)
returns table (column_name text, problem text)
language plpgsql stable as $$
begin
    for column_name in select c.column_name from memory_api.exported_columns(invalid_columns.name) as c loop
        begin
            execute format(
                'select from json_populate_record(null::memory.%I, json_build_object(%L, $1::json -> %L)) as r '
                'where r is distinct from null',
                invalid_columns.name, column_name, column_name) using line;
        exception when others then
            problem := sqlerrm;
            return next;
        end;
    end loop;
end $$;
