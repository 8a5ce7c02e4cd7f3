-- Resolves every open conflict of a fact according to the user's statement about it: it still holds, or it does not.
-- Returns the number resolved. `segment` as in resolve_conflict. Called by apply_replies and write_statements for facts
-- that the preceding context showed. The caller holds the bank lock.
create or replace function memory_internal.answer_conflicts(
    bank text, of_fact uuid, still_holds boolean, reason text, valid_at timestamptz, at timestamptz,
    segment uuid default null)
returns integer
language plpgsql as $$
declare
    other uuid;
    decided integer := 0;
begin
    perform memory_internal.enter_bank(bank);
    for other in
        select c.other_id
          from memory_internal.effective_conflicts(bank, of_fact) as c
         where c.open
         order by c.other_id
    loop
        perform memory_internal.decide_conflict(
            bank, of_fact, other, case when still_holds then of_fact else other end, reason, 'user', valid_at, at,
            segment);
        decided := decided + 1;
    end loop;
    return decided;
end $$;
