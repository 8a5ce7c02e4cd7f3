-- Resolves every open conflict of a fact according to the user's statement about it: it still holds, or it does not.
-- Returns the number resolved. Called by apply_replies and write_statements for facts that the preceding context
-- showed. The caller holds the bank lock.
create or replace function memory_internal.answer_conflicts(
    bank text, doubted uuid, still_holds boolean, reason text, moment timestamptz, at timestamptz)
returns integer
language plpgsql as $$
declare
    other uuid;
    decided integer := 0;
begin
    perform memory_internal.enter_bank(bank);
    for other in
        select c.other_id
          from memory_internal.effective_conflicts(bank, doubted) as c
         where c.open
         order by c.other_id
    loop
        perform memory_internal.decide_conflict(
            bank, doubted, other, case when still_holds then doubted else other end, reason, 'user', moment, at);
        decided := decided + 1;
    end loop;
    return decided;
end $$;
