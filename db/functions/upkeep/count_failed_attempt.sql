-- Notes that a model was asked about these memories, in these states, in vain. At the `most`-th time, true: then they are
-- marked as looked at, as memory_api.set_watermark does. Until then their mark tells how often, and a pass finds them changed.
create or replace function memory_api.count_failed_attempt(
    bank text, pass text, memories uuid[], states text[], most integer)
returns boolean
language plpgsql as $$
declare
    tried integer;
begin
    perform memory_internal.enter_bank(bank);
    select coalesce(max(substring(n.state from ' tried (\d+)$')::integer), 0) + 1 into tried
      from unnest(memories, states) as m (memory_id, state)
      join memory.night_mark n on n.bank_id = bank and n.pass = count_failed_attempt.pass and n.memory_id = m.memory_id
     where starts_with(n.state, m.state || ' tried ');
    perform memory_api.set_watermark(
        bank, count_failed_attempt.pass, memories,
        case when tried >= most then states
             else array(select s || ' tried ' || tried from unnest(states) with ordinality as given (s, place)
                         order by place) end);
    return tried >= most;
end $$;
