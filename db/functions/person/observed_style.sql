-- Returns the style labels of a group of exchanges from the means of their figures; '' where nothing stands out.
create or replace function memory_internal.observed_style(
    words double precision, casual double precision, polite double precision, technical double precision,
    emoji double precision)
returns table (slot text, label text, norm text)
language sql immutable parallel safe as $$
    select s.slot, s.label,
           case s.label
               when 'brief' then 'writes short messages'
               when 'detailed' then 'writes long, detailed messages'
               when 'informal' then 'writes informally'
               when 'formal' then 'writes formally and politely'
               when 'technical' then 'goes into technical depth'
               when 'emojis' then 'uses emojis'
               else ''
           end
      from (values
          ('length', case when words <= 12 then 'brief' when words >= 50 then 'detailed' else '' end),
          ('formality', case when casual >= 0.4 then 'informal' when casual <= 0.05 and polite >= 0.3 then 'formal'
                             else '' end),
          ('depth', case when technical >= 0.5 then 'technical' else '' end),
          ('emojis', case when emoji >= 0.3 then 'emojis' else '' end)
      ) as s (slot, label);
$$;
