-- Returns the mood of an episode, or no row if it has no clear one (docs/design.md, "Emotional thread"): `mood` is its
-- strength, 0.3 to 1, with the sign; `emotion` its first label of that sign, null without one; `family` the one of its
-- first label, whatever its sign. Labels after `neutral` are faint and do not count.
create or replace function memory_internal.read_mood(valence double precision, emotions text[])
returns table (mood double precision, emotion text, family text)
language sql immutable parallel safe rows 1 as $$
    with named as materialized (
        select l.label, l.side, l.family, l.alone, l.share, e.place
          from unnest(emotions) with ordinality as e (label, place)
          join memory_internal.mood_labels() as l on l.label = e.label
         where e.place < coalesce(array_position(emotions, 'neutral'), 1000)
    ),
    felt as (
        select case when abs(read_mood.valence) >= 0.2 then sign(read_mood.valence)
                    else (select n.side from named n where n.alone > 0 order by n.place limit 1) end as side
    ),
    strength as (
        select f.side, n.label as emotion,
               coalesce(n.share, 1) * greatest(
                   case when abs(read_mood.valence) >= 0.2 then abs(read_mood.valence) end, n.alone) as strength
          from felt f
          left join lateral (select o.label, o.alone, o.share from named o
                              where o.side = f.side order by o.place limit 1) as n on true
    )
    select s.side * s.strength, s.emotion, (select n.family from named n order by n.place limit 1)
      from strength s
     where s.strength >= 0.3
$$;
