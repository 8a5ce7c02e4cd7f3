-- Returns whether `latest` says when the same activity is done now as `former` says it ("goes to yoga on wednesdays",
-- "goes to yoga on mondays"): both name days, parts of the day, hours, or how often. "three times a week" does not
-- replace "on mondays", nor do times at weekends replace those on weekdays. `is_named`: `latest` is the former time
-- itself ("instead of Mondays"): the same days or parts of the day, or, without either, the same frequency.
-- Called by facts_ended_by.
create or replace function memory_internal.replaces_schedule(latest text, former text, is_named boolean)
returns boolean
language sql immutable parallel safe as $$
    select n.activity <> '' and n.activity = f.activity
       and case when is_named
                then n.days = f.days and n.days <> '{}' or n.days = '{}' and n.parts = f.parts and n.parts <> '{}'
                     or n.days || f.days || n.parts || f.parts = '{}'
                        and coalesce(
                            substring(lower(latest) from o.often) = substring(lower(former) from o.often), false)
                when '{weekday}' <@ n.days and f.days && '{weekend,saturday,sunday}'
                     or '{weekday}' <@ f.days and n.days && '{weekend,saturday,sunday}' then false
                else n.days <> '{}' and f.days <> '{}' or n.parts <> '{}' and f.parts <> '{}'
                     or n.has_hour and f.has_hour or n.has_interval and (f.has_interval or f.has_count)
                     or n.has_count and (f.has_count or f.has_interval and f.days = '{}') end
      from memory_internal.schedule_of(latest) as n, memory_internal.schedule_of(former) as f,
           (values ('\m((every|each|once|twice|\w+ times) .*|daily|nightly|weekly|fortnightly|monthly|yearly)$')) as o (often)
$$;
