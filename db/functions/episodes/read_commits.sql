-- Returns the committed episodes among these that still wait for annotation.
create or replace function memory_api.read_commits(bank text, memories uuid[])
returns setof memory.episodic_memory
language plpgsql as $$
begin
    perform memory_internal.enter_bank(bank);
    return query
        select * from memory.episodic_memory e
         where e.bank_id = bank and e.memory_id = any (memories) and e.status = 'pending_embedding';
end $$;
