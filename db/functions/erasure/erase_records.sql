-- Deletes the records of reads and requests that may repeat erased text. A trace in `traces`, or with an erased memory
-- among its candidates, is deleted. Of all others the query is emptied: it may repeat erased text without having found
-- it, as the message of a context call does, which is stored only afterwards. The caller holds the bank lock.
create or replace function memory_internal.erase_records(bank text, gone uuid[], traces uuid[], at timestamptz) returns void
language plpgsql as $$
begin
    perform memory_internal.enter_bank(bank);
    delete from memory.retrieval_trace t
     where t.bank_id = bank
       and (t.trace_id = any (traces)
            or exists (select from json_array_elements_text(t.candidates -> 'memory_id') as c
                        where c = any (gone::text[])));
    update memory.retrieval_trace t
       set query = null, parameters = '{}'
     where t.bank_id = bank and (t.query is not null or t.parameters <> '{}');
    perform memory_internal.delete_stored_answers(bank, gone);
end $$;
