-- Returns the phase of a relationship (docs/design.md, "Relational memory"):
--   early              fewer than 10 exchanges, exchanges on fewer than 2 days, or a silence of more than a year
--   established_trust  from 50 exchanges on 10 days with 5 personal disclosures, unless the person said twice within 30
--                      days that the assistant let them down, or was silent for more than 180 days
--   building           otherwise
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
