-- Exchanges after which style, sensitivity and phase are updated.
create or replace function memory_internal.relational_exchanges() returns integer
language sql immutable parallel safe as $$ select 10 $$;
