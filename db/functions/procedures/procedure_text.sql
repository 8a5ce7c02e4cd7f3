-- Returns a procedure as one text, as reads show it: the content, with its steps by number unless it contains them all.
create or replace function memory_internal.procedure_text(content text, steps text[]) returns text
language sql immutable parallel safe as $$
    select case when exists (select from unnest(steps) as s (step) where strpos(lower(content), lower(s.step)) = 0)
                then content || (select string_agg(format(' (%s) %s', s.place, s.step), '' order by s.place)
                                   from unnest(steps) with ordinality as s (step, place))
                else content end
$$;
