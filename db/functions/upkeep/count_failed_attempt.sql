-- Counts a model call without a valid answer for these memories in these states. At the `most`-th attempt, returns
-- true and writes their watermark (set_watermark), so that the pass skips them; until then the watermark contains
-- the number of attempts, and the pass finds them changed.
create or replace function memory_api.count_failed_attempt(
    bank text, pass text, memories uuid[], states text[], most integer)
returns boolean
language plpgsql as $$
declare
    attempt_number integer;
begin
    perform memory_internal.enter_bank(bank);
    select coalesce(max(substring(n.state from ' tried (\d+)$')::integer), 0) + 1 into attempt_number
      from unnest(memories, states) as m (memory_id, state)
      join memory.watermark n on n.bank_id = bank and n.pass = count_failed_attempt.pass and n.memory_id = m.memory_id
     where starts_with(n.state, m.state || ' tried ');
    perform memory_api.set_watermark(
        bank, count_failed_attempt.pass, memories,
        case when attempt_number >= most then states
             else array(select s || ' tried ' || attempt_number from unnest(states) with ordinality as given (s, place)
                         order by place) end);
    return attempt_number >= most;
end $$;
