-- What excludes what in time: of a one-valued attribute all values of a subject, of others each value by itself; what has
-- no attribute goes by its words. A model may write a subject or a value that no index row can hold: what is that long
-- goes by its hash.
create or replace function memory_internal.timeline_key(
    subject text, attribute text, value text, cardinality text, said_key bigint)
returns text
language sql immutable parallel safe as $$
    select case when octet_length(whole) > 1000
                then concat_ws(E'\t', split_part(whole, E'\t', 1), 'long', hashtextextended(whole, 0))
                else whole end
      from (select case
                when attribute is null or (value is null and cardinality <> 'one') then
                    concat_ws(E'\t', 'said', lower(subject), said_key)
                when cardinality = 'one' then concat_ws(E'\t', 'one', lower(subject), attribute)
                else concat_ws(E'\t', 'many', lower(subject), attribute, lower(value))
            end as whole) as line;
$$;
