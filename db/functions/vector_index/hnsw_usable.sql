-- Returns whether this pgvector maintains HNSW indexes correctly: 0.8.0 to 0.8.3 have faults in their vacuum. With
-- those every bank is searched exactly.
create or replace function memory_internal.hnsw_usable()
returns boolean
language sql stable as $$
    select string_to_array(substring(e.extversion from '^[0-9]+(?:\.[0-9]+)*'), '.')::integer[] >= array[0, 8, 4]
      from pg_extension e
     where e.extname = 'vector';
$$;
