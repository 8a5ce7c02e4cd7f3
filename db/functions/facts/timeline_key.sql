-- Returns the key of the timeline to which a fact belongs: facts with the same key exclude each other in time. One
-- per subject and attribute if the attribute is single-valued, else one per value; without an attribute, one per
-- fingerprint of the words. A key longer than 1,000 bytes, which an index row could not hold, is hashed.
create or replace function memory_internal.timeline_key(
    subject text, attribute text, value text, cardinality text, fingerprint bigint)
returns text
language sql immutable parallel safe as $$
    select case when octet_length(full_key) > 1000
                then concat_ws(E'\t', split_part(full_key, E'\t', 1), 'long', hashtextextended(full_key, 0))
                else full_key end
      from (select case
                when attribute is null or (value is null and cardinality <> 'one') then
                    concat_ws(E'\t', 'said', lower(subject), fingerprint)
                when cardinality = 'one' then concat_ws(E'\t', 'one', lower(subject), attribute)
                else concat_ws(E'\t', 'many', lower(subject), attribute, lower(value))
            end as full_key) as keys;
$$;
