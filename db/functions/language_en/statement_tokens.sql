-- Returns the words of a text in order for states_fact: `said` of parse_statement, plus a mark for each structural
-- word that `said` omits. Marks begin with 'qx', as no English word does: 'qxcut' punctuation, 'qxwho' a relative
-- pronoun, 'qxand' a conjunction, 'qxdet' an article, 'qxis' and 'qxhav' the present tense of be and have, 'qxcan'
-- can, 'qxmin' my and our, 'qxin' in, on and at, 'qxof' and the like further prepositions. 'who:i' is then the
-- speaker as the subject. Adverbs of frequency are dropped.
create or replace function memory_internal.statement_tokens(content text) returns text[]
language plpgsql immutable parallel safe as $$
declare
    marked text := replace(content, '’', '''');
begin
    marked := regexp_replace(marked, '\mcan(''t|not)\M', 'can not', 'gi');
    marked := regexp_replace(marked, '\mwon''t\M', 'will not', 'gi');
    marked := regexp_replace(marked, 'n''t\M', ' not', 'gi');
    marked := regexp_replace(marked, '(?:''ve|\mha(?:ve|s))\s+been\s+(?=[[:alpha:]]+ing\M)', ' ', 'gi');
    marked := regexp_replace(marked, '\mgoes\M', 'go', 'gi');
    marked := regexp_replace(marked, '\m(?:work(?:s|ing)?|ha(?:s|ve) a job) as\M', 'qxis', 'gi');
    marked := regexp_replace(
        marked, '(?:(?:''ve|\mha(?:ve|s))\s+)?\mgot\s+(?=(?:an?|the|[0-9]+|my|our)\M)', ' qxhav ', 'gi');
    marked := regexp_replace(marked, '(?:''m|''re|\m(?:am|is|are))\M', ' qxis', 'gi');
    marked := regexp_replace(marked, '(?:''ve|\m(?:have|has))\M', ' qxhav', 'gi');
    marked := regexp_replace(marked, '\mcan\M', ' qxcan', 'gi');
    marked := regexp_replace(marked, '[,;()"“”—]|:(?![0-9])|\s[-–]+(?=\s)', ' qxcut ', 'g');
    marked := regexp_replace(marked, '\m(?:my|our|mine|ours)\M', 'qxmin', 'gi');
    marked := regexp_replace(marked, '\m(?:who|whom|which|where)\M', 'qxwho', 'gi');
    marked := regexp_replace(
        marked, '\m(?:and|but|because|so|while|although|though|since|when|as|or)\M', 'qxand', 'gi');
    marked := regexp_replace(marked, '\m(?:a|an|the|this|these|those|some)\M', 'qxdet', 'gi');
    marked := regexp_replace(marked, '\m(?:in|at|on)\M', 'qxin', 'gi');
    marked := regexp_replace(
        marked, '\m(of|for|with|about|by|near|behind|beside|under|over|above|after|before|during|through|across|around|'
                'along|between|among|against|beyond|into|onto|than|unlike|next)\M', 'qx\1', 'gi');
    marked := regexp_replace(
        marked, '\m(?:usually|often|always|mostly|generally|normally|typically|regularly|mainly|especially|even)\M', ' ',
        'gi');
    return (memory_internal.parse_statement(marked)).said;
end $$;
