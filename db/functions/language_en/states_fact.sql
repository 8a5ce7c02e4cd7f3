-- Returns whether a sentence states a fact, possibly with other things. Prefers precision: wrong evidence raises the
-- confidence of a wrong fact. The tokens of the fact (statement_tokens) must occur in the sentence in order and
-- adjacent, except for
--   articles and possessives; one or two words before a noun ("in his small workshop"), unless the fact is a negation
--   a relative pronoun, a relative clause or an apposition after a name ("Bruno, who repairs old clocks")
--   a phrase that begins with a preposition at the front ("In his garage Marek restores motorcycles")
-- Before the tokens stands the fact's subject and no verb of thinking or reporting; after them a new phrase, not a
-- continuation of the last one ("I love Berlin", "I love Berlin Zoo"). The sentence is neither a question nor a
-- supposition, is a negation exactly if the fact is one, and has the same tense. Called by find_evidence in the
-- nightly run, 0.5 ms per pair. Known limit: a compound matches its second noun ("I have a dog house", "User has a
-- house").
create or replace function memory_internal.states_fact(sentence text, fact text) returns boolean
language plpgsql immutable parallel safe cost 10000 as $$
declare
    supposing constant text := '\m(if|unless|until|till|maybe|perhaps|probably|possibly|might|would|could|should|will|'
        || 'wish|used to|anymore|any longer|pretend\w*|imagin\w*|joking|kidding|supposedly|allegedly|nearly|almost|hardly|'
        || 'barely|rarely|seldom|formerly|hope|hopes|hoping|plan|plans|planning|going to|gonna|in theory|theoretically|'
        || 'on paper)\M';
    thinking constant text[] := '{think,thought,believ,believed,assum,assumed,suppos,guess,suspect,dream,dreamed,dreamt,
        want,wanted,doubt,deni,denied,fals,fear,claim,claimed,insist}';
    saying constant text[] := '{sai,said,tel,told,mention,mentioned,writ,wrot,hear,heard,ask,asked}';
    altering constant text[] := '{fak,former,futur,toi,old,half,other,another,wrong,next,last,dead,past}';
    ending constant text[] := '{again,todai,tonight,yesterdai,last,onli,everi,each,all,twic,sometim,instead,togeth,alon,
        daili,weekli,latel}';
    rewritten constant text[] := '{work,job,goe}';  -- by memory_internal.statement_tokens
    speaker constant text[] := '{who:i,who:we}';
    others constant text[] := '{who:he,who:she,who:they}';
    mark constant text := '^(qx|who:|way:|not$)';
    preposition constant text := '^qx(?!cut|who|and|det|is|hav|can|min)|^way:';
    about_user constant boolean := fact ~* '^\s*(the\s+)?(user|i|we)\M(?!'')';
    of_user constant boolean := fact ~* '^\s*(the\s+)?user''s\M';
    is_common_noun constant boolean := not about_user and not of_user and fact ~ '^\s*([Aa]n?|[Tt]he|[[:lower:]]+)\s';
    f record;
    s record;
    fact_tokens text[];
    tokens text[];
    name_length integer := 0;  -- number of leading words that are a person's name
    word_orders text[];
    word_order text;
    sought text[];
    second_part integer;
    at_sought integer;
    at_token integer;
    extra_words integer;
    clause_end integer;
    token text;
    previous_token text;
begin
    if sentence ~ '\?\W*$'
       or sentence ~* supposing
          and not array(select lower(m.hedge[1]) from regexp_matches(sentence, supposing, 'gi') as m (hedge))
                  <@ array(select lower(m.hedge[1]) from regexp_matches(fact, supposing, 'gi') as m (hedge)) then
        return false;
    end if;
    select * into f from memory_internal.parse_statement(fact);
    select * into s from memory_internal.parse_statement(sentence);
    if f.words = '{}' or f.negated <> s.negated or not f.numbers <@ s.numbers
       or not array(select word from unnest(f.words) as word where word <> all (rewritten)) <@ s.words
       or exists (
           select from (select split_part(sense, ':', 1) as kind from unnest(f.senses) as sense
                         where sense <> all (s.senses)) as fact_only
             join (select split_part(sense, ':', 1) as kind from unnest(s.senses) as sense
                    where sense <> all (f.senses)) as sentence_only using (kind)
            where kind <> 'who') then
        return false;
    end if;
    tokens := memory_internal.statement_tokens(regexp_replace(sentence, '\W+$', ''));
    fact_tokens := array_remove(memory_internal.statement_tokens(regexp_replace(fact, '\W+$', '')), 'qxdet');
    if about_user then
        fact_tokens := case when fact_tokens[1] = any (speaker) then fact_tokens[2:] else fact_tokens end;
        fact_tokens := array(select case when word = any (others) then 'qxmin' else word end
                          from unnest(fact_tokens) with ordinality as w (word, n) order by n);
    elsif of_user then
        fact_tokens := array_prepend('qxmin', fact_tokens);
    elsif not is_common_noun then
        name_length := least(
            cardinality(regexp_split_to_array(
                btrim(substring(fact from '^\s*((?:[[:upper:]][[:alpha:]]*\s+)*)')), '\s+')),
            cardinality(fact_tokens) - 1);
    end if;
    if cardinality(fact_tokens) = 0 then
        return false;
    end if;
    -- The fact's own order and, for each of its prepositional phrases, the order that begins with it.
    word_orders := array_to_string(fact_tokens, ' ') || array(
        select concat_ws(' ', front, array_to_string(fact_tokens[front:], ' '), case when about_user then 'who:i' end,
                         array_to_string(fact_tokens[:front - 1], ' '))
          from generate_series(greatest(name_length + 2, 3), cardinality(fact_tokens) - 1) as front
         where fact_tokens[front] ~ preposition);
    foreach word_order in array word_orders loop
        sought := string_to_array(word_order, ' ');
        second_part := null;
        if sought[1] ~ '^[0-9]+$' and word_order <> word_orders[1] then
            second_part := cardinality(fact_tokens) - sought[1]::integer + 2;  -- start of the second part
            sought := sought[2:];
        end if;
        for start in 1..cardinality(tokens) loop
            continue when tokens[start] <> sought[1]
                or second_part is not null and start > 1 and tokens[start - 1] <> 'qxcut';
            at_sought := 1;
            at_token := start;
            extra_words := 0;
            while at_sought <= cardinality(sought) loop
                token := tokens[at_token];
                exit when token is null;
                if token = sought[at_sought] or sought[at_sought] = 'who:i' and token = any (speaker) then
                    at_sought := at_sought + 1;
                    extra_words := 0;
                elsif token = 'qxdet' or about_user and token = 'qxmin' or not about_user and token = any (others) then
                    null;
                elsif token = 'qxcut' and at_sought = second_part then
                    null;
                elsif token in ('qxcut', 'qxwho') and second_part is null and at_sought = name_length + 1
                    and name_length > 0 then
                    if token = 'qxcut' and tokens[at_token + 1] = 'qxwho' and tokens[at_token + 2] = sought[at_sought] then
                        at_token := at_token + 1;
                    elsif token = 'qxcut' and not (tokens[start - 1] = 'qxcut'
                                                   and tokens[at_token + 1] = sought[at_sought]) then
                        clause_end := array_position(tokens, 'qxcut', at_token + 1);
                        exit when clause_end is null or clause_end > at_token + 8 or tokens[at_token + 1] = 'qxand'
                                  or tokens[clause_end + 1] is distinct from sought[at_sought];
                        at_token := clause_end;
                    end if;
                elsif not f.negated and at_sought > greatest(name_length, 1) and extra_words < 2 and token !~ mark
                      and sought[at_sought] !~ mark and token <> all (altering)
                      and (extra_words > 0 or token ~ 'li$' or tokens[at_token - 1] ~ mark
                           and tokens[at_token - 1] not in ('qxcut', 'qxand', 'qxwho', 'qxis', 'qxcan', 'not')
                           and tokens[at_token - 1] <> all (speaker))
                      and (tokens[at_token + 1] = sought[at_sought]
                           or extra_words = 0 and tokens[at_token + 1] !~ mark
                               and tokens[at_token + 2] = sought[at_sought]) then
                    extra_words := extra_words + 1;
                else
                    exit;
                end if;
                at_token := at_token + 1;
            end loop;
            continue when at_sought <= cardinality(sought);

            token := tokens[at_token];
            continue when f.negated and token <> 'qxcut';  -- "eats no meat on Sundays" does not state "eats no meat"
            continue when token is not null and tokens[at_token - 1] !~ '^[0-9]'
                and (token in ('qxof', 'qxis', 'qxhav', 'qxcan')
                     or token !~ mark and token !~ '^[0-9]' and token <> all (ending));
            previous_token := coalesce(
                case when tokens[start - 1] = 'qxdet' then tokens[start - 2] else tokens[start - 1] end, '');
            continue when second_part is null and case
                when about_user then start > 1 and previous_token <> all (speaker)
                when is_common_noun then start > 1 and tokens[start - 1] <> 'qxdet' and tokens[start - 1] <> 'qxmin'
                                 and tokens[start - 1] !~ '^who:'
                                 or previous_token ~ preposition or previous_token = 'not'
                else (previous_token ~ preposition or previous_token = 'not')
                     and (tokens[start + name_length] is null or tokens[start + name_length] not in ('qxcut', 'qxwho')
                          or tokens[start + name_length] = 'qxcut'
                              and tokens[start + name_length + 1] is distinct from 'qxwho')
                end;
            continue when exists (
                select from unnest(tokens[:start - 1]) with ordinality as earlier (word, n)
                 where word = any (thinking)
                    or word = any (saying) and coalesce(tokens[n - 1], '') <> all (speaker));
            return true;
        end loop;
    end loop;
    return false;
end $$;
