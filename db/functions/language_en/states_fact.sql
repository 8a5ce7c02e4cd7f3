-- Whether a sentence says what a fact says, perhaps among other things. Precision first: a wrong support raises the
-- confidence of a wrong fact. The words of the fact (memory_internal.statement_tokens) stand in the sentence in their order and
-- next to each other, except that there may be
--   articles and possessives; one or two words before a noun ("in his small workshop"), unless the fact is a negation
--   a relative pronoun, a relative clause or an apposition after a name ("Bruno, who repairs old clocks")
--   a phrase that begins with a preposition at the front ("In his garage Marek restores motorcycles")
-- Before the words stands the fact's subject, and no verb of thinking or reporting; after them a new phrase, not more of
-- the last one ("I love Berlin", "I love Berlin Zoo"). The sentence is no question and no supposition, is a negation
-- exactly where the fact is one, and has the same tense. Called at night for similar pairs (memory_api.find_evidence),
-- 0.5 ms a pair. Known limit: a compound passes for its second noun ("I have a dog house", "User has a house").
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
    self constant boolean := fact ~* '^\s*(the\s+)?(user|i|we)\M(?!'')';
    mine constant boolean := fact ~* '^\s*(the\s+)?user''s\M';
    titled constant boolean := not self and not mine and fact ~ '^\s*([Aa]n?|[Tt]he|[[:lower:]]+)\s';
    f record;
    s record;
    wanted text[];
    here text[];
    called integer := 0;  -- how many words of `wanted` are a person's name
    orders text[];
    one text;
    seeking text[];
    joint integer;
    at_word integer;
    place integer;
    extra integer;
    cut integer;
    token text;
    before text;
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
                         where sense <> all (s.senses)) as here
             join (select split_part(sense, ':', 1) as kind from unnest(s.senses) as sense
                    where sense <> all (f.senses)) as there using (kind)
            where kind <> 'who') then
        return false;
    end if;
    here := memory_internal.statement_tokens(regexp_replace(sentence, '\W+$', ''));
    wanted := array_remove(memory_internal.statement_tokens(regexp_replace(fact, '\W+$', '')), 'qxdet');
    if self then
        wanted := case when wanted[1] = any (speaker) then wanted[2:] else wanted end;
        wanted := array(select case when word = any (others) then 'qxmin' else word end
                          from unnest(wanted) with ordinality as w (word, n) order by n);
    elsif mine then
        wanted := array_prepend('qxmin', wanted);
    elsif not titled then
        called := least(
            cardinality(regexp_split_to_array(
                btrim(substring(fact from '^\s*((?:[[:upper:]][[:alpha:]]*\s+)*)')), '\s+')),
            cardinality(wanted) - 1);
    end if;
    if cardinality(wanted) = 0 then
        return false;
    end if;
    -- The order of the fact itself, and for each of its phrases the one that begins with it.
    orders := array_to_string(wanted, ' ') || array(
        select concat_ws(' ', front, array_to_string(wanted[front:], ' '), case when self then 'who:i' end,
                         array_to_string(wanted[:front - 1], ' '))
          from generate_series(greatest(called + 2, 3), cardinality(wanted) - 1) as front
         where wanted[front] ~ preposition);
    foreach one in array orders loop
        seeking := string_to_array(one, ' ');
        joint := null;
        if seeking[1] ~ '^[0-9]+$' and one <> orders[1] then
            joint := cardinality(wanted) - seeking[1]::integer + 2;  -- where the second part begins
            seeking := seeking[2:];
        end if;
        for start in 1..cardinality(here) loop
            continue when here[start] <> seeking[1] or joint is not null and start > 1 and here[start - 1] <> 'qxcut';
            at_word := 1;
            place := start;
            extra := 0;
            while at_word <= cardinality(seeking) loop
                token := here[place];
                exit when token is null;
                if token = seeking[at_word] or seeking[at_word] = 'who:i' and token = any (speaker) then
                    at_word := at_word + 1;
                    extra := 0;
                elsif token = 'qxdet' or self and token = 'qxmin' or not self and token = any (others) then
                    null;
                elsif token = 'qxcut' and at_word = joint then
                    null;
                elsif token in ('qxcut', 'qxwho') and joint is null and at_word = called + 1 and called > 0 then
                    if token = 'qxcut' and here[place + 1] = 'qxwho' and here[place + 2] = seeking[at_word] then
                        place := place + 1;
                    elsif token = 'qxcut' and not (here[start - 1] = 'qxcut' and here[place + 1] = seeking[at_word]) then
                        cut := array_position(here, 'qxcut', place + 1);
                        exit when cut is null or cut > place + 8 or here[place + 1] = 'qxand'
                                  or here[cut + 1] is distinct from seeking[at_word];
                        place := cut;
                    end if;
                elsif not f.negated and at_word > greatest(called, 1) and extra < 2 and token !~ mark
                      and seeking[at_word] !~ mark and token <> all (altering)
                      and (extra > 0 or token ~ 'li$' or here[place - 1] ~ mark
                           and here[place - 1] not in ('qxcut', 'qxand', 'qxwho', 'qxis', 'qxcan', 'not')
                           and here[place - 1] <> all (speaker))
                      and (here[place + 1] = seeking[at_word]
                           or extra = 0 and here[place + 1] !~ mark and here[place + 2] = seeking[at_word]) then
                    extra := extra + 1;
                else
                    exit;
                end if;
                place := place + 1;
            end loop;
            continue when at_word <= cardinality(seeking);

            token := here[place];
            continue when f.negated and token <> 'qxcut';  -- who eats no meat on Sundays may eat it
            continue when token is not null and here[place - 1] !~ '^[0-9]'
                and (token in ('qxof', 'qxis', 'qxhav', 'qxcan')
                     or token !~ mark and token !~ '^[0-9]' and token <> all (ending));
            before := coalesce(case when here[start - 1] = 'qxdet' then here[start - 2] else here[start - 1] end, '');
            continue when joint is null and case
                when self then start > 1 and before <> all (speaker)
                when titled then start > 1 and here[start - 1] <> 'qxdet' and here[start - 1] <> 'qxmin'
                                 and here[start - 1] !~ '^who:'
                                 or before ~ preposition or before = 'not'
                else (before ~ preposition or before = 'not')
                     and (here[start + called] is null or here[start + called] not in ('qxcut', 'qxwho')
                          or here[start + called] = 'qxcut' and here[start + called + 1] is distinct from 'qxwho')
                end;
            continue when exists (
                select from unnest(here[:start - 1]) with ordinality as said (word, n)
                 where word = any (thinking)
                    or word = any (saying) and coalesce(here[n - 1], '') <> all (speaker));
            return true;
        end loop;
    end loop;
    return false;
end $$;
