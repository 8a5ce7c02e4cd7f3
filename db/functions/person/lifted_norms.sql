-- Returns the speaker's instructions and sensitivities in force at `at` that a permission or withdrawal with this value
-- lifts: those whose words and situation fit each of `lifts`, a web search query ("job or work"). A value "no …" lifts
-- those that demand, "any" all, other values those that forbid. An order with other content words is narrower and stays
-- ("never suggest recipes with peanuts" at "you can suggest recipes again"): only its first verb, general words, for
-- "no ..." also "code" and how often, and a reason that names an allergy need no match. Such a reason keeps it from all
-- values but "any", and "any" ends nothing where several orders fit. `stays`: whether a fitting order is kept so. While
-- the norm of the given slot is in force, which is replaced, the slot's variants for a situation stay. Pinned norms
-- stay. Called by write_stated_norms.
create or replace function memory_internal.lifted_norms(
    bank text, speaker text, lifts text[], value text, kind text, slot text, at timestamptz)
returns table (ended uuid[], stays boolean)
language sql stable as $$
    select case when lifted_norms.value = 'any' and count(*) filter (where not kept.stays) > 1 then '{}'
                else coalesce(array_agg(n.memory_id order by n.memory_id) filter (where not kept.stays), '{}') end,
           coalesce(bool_or(kept.stays), false)
      from memory.relational_memory n
     cross join lateral memory_internal.allergy_reason(
           substr(n.norm, char_length(lifted_norms.speaker) + 2)) as allergy
     cross join lateral (
           select regexp_replace(
                      allergy.directive,
                      '^(wants|needs|prefers|does not want)( the assistant)?( (never|not|always|only))*'
                      '( to( (never|not|always))*( (?!(delete|remove|skip|cancel|edit)\M)[[:alpha:]]+)?)?',
                      '') as words) as stripped
     cross join lateral (
           select lifted_norms.value <> 'any' and allergy.is_named
                  or exists (
                   select from regexp_split_to_table(
                              regexp_replace(
                                  stripped.words || ' ' || n.situation, '\m(the (user|assistant)|by hand)\M', ' ', 'g'),
                              '[^[:alnum:]_-]+') as given (word)
                    where to_tsvector('english', given.word) <> ''
                      and lower(given.word) not in (
                              'always', 'ever', 'never', 'anything', 'everything', 'goes', 'folder', 'mistakes', 'stuff',
                              lower(lifted_norms.speaker))
                      and not (lifted_norms.value ~ '^no( |$)' and lower(given.word) in (
                                   'code', 'daily', 'day', 'evening', 'every', 'morning', 'night', 'week', 'weekly'))
                      and not exists (select from unnest(lifted_norms.lifts) as word
                                       where word !~ '^-'
                                         and to_tsvector('english', given.word) @@ websearch_to_tsquery('english', word)))
                  as stays) as kept
     where n.bank_id = bank and cardinality(lifted_norms.lifts) > 0 and n.kind in ('instruction', 'sensitivity')
       and n.valid_to is null and n.status <> 'deprecated' and not n.pinned and n.valid_from < lifted_norms.at
       and (n.kind, n.slot) is distinct from (lifted_norms.kind, lifted_norms.slot)
       and starts_with(n.norm, lifted_norms.speaker || ' ')
       and case when lifted_norms.value ~ '^no( |$)' then n.kind = 'instruction' and coalesce(n.value, '') !~ '^no( |$)'
                when lifted_norms.value = 'any' then true
                else n.kind = 'sensitivity' or n.value ~ '^no( |$)' end
       and not exists (select from unnest(lifted_norms.lifts) as word
                        where not to_tsvector('english', n.norm || ' ' || n.situation)
                                  @@ websearch_to_tsquery('english', word))
       and not (starts_with(n.slot, lifted_norms.slot || ':')
                and (memory_internal.norm_in_force(bank, lifted_norms.kind, lifted_norms.slot)).memory_id is not null);
$$;
