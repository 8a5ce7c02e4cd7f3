-- A word in lower case without the endings that leave its sense alone: plural, third person, -ing, possessive.
-- The past keeps its own: "I lived there" is no "I live there".
create or replace function memory_api.word_stem(word text) returns text
language sql immutable parallel safe as $$
    select replace(regexp_replace(regexp_replace(regexp_replace(regexp_replace(
        word, '(?<=...)(?<![siu])s$', ''),
        '(?<=[aeiouy].*)(?<=..)ing$', ''),
        '(?<=...)e$|(?<=i)e$', ''),
        '(.)\1$', '\1'),
        'y', 'i');
$$;
