-- How long the answer to a request with an idempotency key is kept.
create or replace function memory_internal.idempotency_key_lifetime() returns interval
language sql immutable parallel safe as $$
    select interval '24 hours';
$$;
