-- Returns the phase of a relationship (docs/design.md, "Relational memory").
create or replace function memory_internal.relationship_phase(
    exchanges integer, days integer, disclosures integer, last_at timestamptz, damages timestamptz[], at timestamptz)
returns text
language sql immutable parallel safe as $$
    select case
        when coalesce(exchanges, 0) < 10 or days < 2 or last_at < at - interval '365 days' then 'early'
        when exchanges >= 50 and days >= 10 and disclosures >= 5 and last_at >= at - interval '180 days'
             and (select count(*) from unnest(damages) as d where d > at - interval '30 days' and d <= at) < 2
            then 'established_trust'
        else 'building'
    end;
$$;
