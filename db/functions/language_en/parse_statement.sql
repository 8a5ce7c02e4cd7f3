-- Parses a text into the parts that text_difference and contradiction_rules compare because similarity does not
-- distinguish them. Number words become numbers, other words stems, some synonyms one word. `words`: content words;
-- `named`: those of them that are capitalized somewhere; `senses`: function words that distinguish texts only if
-- each has one of a kind that the other lacks ('way:from' against 'way:to'); `said`: the parts whose order matters:
-- content words, numbers, 'not', persons, directions. Words not listed here count as content words: the lists make
-- texts more alike, never different.
create or replace function memory_internal.parse_statement(
    content text, out numbers text[], out negated boolean, out words text[], out named text[], out senses text[],
    out said text[])
language sql immutable parallel safe as $$
    with tokens as (
        select m.place, m.found[1] as written, lower(m.found[1]) as lowered
          from regexp_matches(
                   regexp_replace(regexp_replace(regexp_replace(regexp_replace(
                       replace(content, '’', ''''),
                       '\mcan(''t|not)\M', 'can not', 'gi'),
                       '\mwon''t\M', 'will not', 'gi'),
                       'n''t\M', ' not', 'gi'),
                       '''(m|ve|ll|re|d|s)\M', ' \1', 'gi'),
                   '[[:alpha:]]+|[0-9]+(?:[.,:/][0-9]+)*', 'g') with ordinality as m (found, place)
    ), recognized as (
        select t.place, t.written, t.lowered, function_word.words ->> t.lowered as function_word,
               case when t.written ~ '^[0-9]' then regexp_replace(t.written, ',(?=[0-9]{3}(?![0-9]))', '', 'g')
                    else number.words ->> t.lowered end as number
          from tokens t
         cross join (select '{
               "zero": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7",
               "eight": "8", "nine": "9", "ten": "10", "eleven": "11", "twelve": "12", "thirteen": "13",
               "fourteen": "14", "fifteen": "15", "sixteen": "16", "seventeen": "17", "eighteen": "18",
               "nineteen": "19", "twenty": "20", "thirty": "30", "forty": "40", "fifty": "50", "sixty": "60",
               "seventy": "70", "eighty": "80", "ninety": "90"}'::jsonb) as number (words)
         cross join (select '{
               "not": "not", "no": "not", "never": "not", "neither": "not", "nor": "not", "without": "not",
               "dont": "not", "cant": "not", "i": "who:i", "me": "who:i", "my": "who:i", "mine": "who:i",
               "we": "who:we", "us": "who:we", "our": "who:we", "ours": "who:we", "you": "who:you",
               "your": "who:you", "yours": "who:you", "he": "who:he", "him": "who:he", "his": "who:he",
               "she": "who:she", "her": "who:she", "hers": "who:she", "they": "who:they", "them": "who:they",
               "their": "who:they", "theirs": "who:they", "who": "ask:who", "where": "ask:where",
               "when": "ask:when", "why": "ask:why", "to": "way:to", "from": "way:from", "for": "side:for",
               "with": "side:with", "am": "time:now", "m": "time:now", "is": "time:now", "are": "time:now",
               "re": "time:now", "do": "time:now", "does": "time:now", "have": "time:now", "ve": "time:now",
               "has": "time:now", "was": "time:then", "were": "time:then", "did": "time:then",
               "had": "time:then", "the": "", "a": "", "an": "", "it": "", "its": "", "this": "", "that": "",
               "these": "", "those": "", "there": "", "here": "", "be": "", "been": "", "being": "", "s": "", "d": "",
               "can": "", "could": "", "in": "", "on": "", "at": "", "of": "", "by": "", "as": "", "about": "",
               "and": "", "so": "", "then": "", "than": "", "some": "", "any": "", "what": "", "which": "",
               "how": "", "just": "", "really": "", "very": "", "quite": "", "too": "", "also": "", "actually": "",
               "basically": "", "exactly": "", "totally": "", "absolutely": "", "definitely": "", "certainly": "",
               "truly": "", "honestly": "", "currently": "", "still": "", "already": "", "now": "", "please": "",
               "well": "", "oh": "", "hey": "", "user": ""}'::jsonb) as function_word (words)
    ), stemmed as materialized (
        select k.place, k.written, k.function_word, k.number,
               case when k.function_word is null and k.number is null then memory_internal.word_stem(k.lowered) end as stem
          from recognized k
    ), normalized as (
        select s.place, s.written, s.function_word, s.number, coalesce(synonym.words ->> s.stem, s.stem) as word
          from stemmed s
         cross join (select '{
               "mom": "mother", "mum": "mother", "dad": "father", "kid": "child", "children": "child",
               "bui": "purchas", "bought": "purchased", "larg": "big", "begin": "start", "film": "movi",
               "photo": "pictur", "il": "sick", "glad": "happi", "fast": "quick", "resid": "liv", "tv": "television",
               "bik": "bicicl", "fridg": "refrigerator", "flat": "apartment", "favourit": "favorit",
               "colour": "color", "grei": "grai", "neighbour": "neighbor", "stopped": "quit"}'::jsonb) as synonym (words)
    )
    select coalesce(array_agg(distinct c.number) filter (where c.number is not null), '{}'),
           coalesce(bool_or(c.function_word = 'not' or c.word in ('nobodi', 'noth', 'non', 'quit')), false),
           coalesce(array_agg(distinct c.word) filter (where c.word is not null), '{}'),
           coalesce(array_agg(distinct c.word) filter (where c.word is not null and c.written ~ '^[[:upper:]]'), '{}'),
           coalesce(array_agg(distinct c.function_word) filter (where c.function_word like '%:%'), '{}'),
           coalesce(array_agg(coalesce(c.word, c.number, c.function_word) order by c.place)
                    filter (where c.function_word is null or c.function_word ~ '^(not|who:|way:)'), '{}')
      from normalized c;
$$;
