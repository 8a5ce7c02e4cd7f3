-- Returns the kinds of things that a text mentions, as a sum: 1 a date or period, 2 a place, 4 a name, 8 a number,
-- 16 a reason. Recall prefers memories that mention the kind of answer a question asks for (when, where, who, how
-- many, why); memory_service/recall/query_analysis.py defines the same kinds. English only: in other languages only
-- names and digits are found. Called by index_episode_words and index_fact_words.
create or replace function memory_internal.mention_kinds(content text) returns smallint
language sql immutable parallel safe as $$
    select ((content ~* ('\[[^][]*\d{4}\]|\m(?:19|20)\d\d\M|\m(?:yesterday|today|tonight|tomorrow|ago|since|weekend|'
                      '(?:last|next|this) (?:week|month|year|night|spring|summer|autumn|fall|winter)|'
                      '(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march \d|april|june|july|august|'
                      'september|october|november|december|(?:days?|weeks?|months?|years?|hours?))\M'))::integer
            + 2 * (content ~ '\m(?:in|at|to|from|near|around|of|on) (?:the )?[[:upper:]]\w+')::integer
            + 4 * (content ~ '[[:alnum:],;)] [[:upper:]][[:lower:]]+')::integer
            + 8 * (content ~* ('\d|\m(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twice|once|dozen|'
                            'hundred|thousand|million|half)\M'))::integer
            + 16 * (content ~* ('\m(?:because|since|so that|in order to|inspired|motivated|that''s why|the reason|'
                             'to help|wanted to)\M'))::integer)::smallint
$$;
