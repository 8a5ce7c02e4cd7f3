-- Returns the activity of a habit, in stems, without the words that say when, and what those words name: days,
-- parts of the day, hours, an interval, a count. "goes to yoga on mondays" is {yoga, {monday}}, "works out every
-- morning" {work out, {morning}} with an interval. A habit without such words at its end has no `times`.
-- Called by replaces_schedule.
create or replace function memory_internal.schedule_of(
    habit text, out activity text, out days text[], out parts text[], out has_hour boolean, out has_interval boolean,
    out has_count boolean)
language plpgsql immutable parallel safe as $$
declare
    words text[] := regexp_split_to_array(
        trim(regexp_replace(lower(habit), '[^[:alnum:]:''-]+', ' ', 'g')), ' ');
    times text := '';
begin
    while words[cardinality(words)] ~ (
        '^(on|in|the|at|a|an|per|and|or|to|every|each|other|second|third|fourth|first|last|once|twice|two|three|four|'
        'five|six|times|daily|nightly|weekly|fortnightly|monthly|yearly|days?|mornings?|evenings?|nights?|afternoons?|'
        'noon|midnight|weeks?|weekends?|weekdays?|months?|years?|(mon|tues|wednes|thurs|fri|satur|sun)days?|am|pm|'
        '\d{1,2}(:\d\d)?(am|pm)?)$') loop
        times := words[cardinality(words)] || ' ' || times;
        words := words[1 : cardinality(words) - 1];
    end loop;
    activity := regexp_replace(
        array_to_string(words, ' '),
        '^((goes|go|gets|get) to |(does|do|has|have|attends|attend|takes|take) )?'
        '((the|a|an|my|our|their|his|her) )?', '');
    activity := coalesce(nullif(regexp_replace(
        activity, '( (class|classes|lessons?|practice|training|sessions?|meetings?|is|are))+$', ''), ''), activity);
    select coalesce(string_agg(memory_internal.word_stem(w.word), ' ' order by w.place), '') into activity
      from unnest(regexp_split_to_array(activity, ' ')) with ordinality as w (word, place);
    select coalesce(array_agg(distinct rtrim(w.word, 's')) filter (
                        where w.word ~ '^((mon|tues|wednes|thurs|fri|satur|sun|week)days?|weekends?)$'), '{}'),
           coalesce(array_agg(distinct rtrim(w.word, 's')) filter (
                        where w.word ~ '^(mornings?|evenings?|nights?|nightly|afternoons?)$'), '{}')
      into days, parts
      from unnest(regexp_split_to_array(times, ' ')) as w (word);
    has_hour := times ~ '\mat \d|\m(noon|midnight)\M';
    has_interval := times ~ '\m(every|each|daily|nightly|weekly|fortnightly|monthly|yearly)\M';
    has_count := times ~ '\m(once|twice|times)\M';
end $$;
