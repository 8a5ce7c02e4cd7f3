-- Returns the text search configuration of a bank with these settings (default: english).
create or replace function memory_internal.text_language(settings jsonb) returns regconfig
language sql stable parallel safe as $$
    select coalesce(settings ->> 'language', 'english')::regconfig
$$;
