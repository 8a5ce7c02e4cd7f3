-- Work for what these episodes state as facts; imports go behind.
create or replace function memory_api.enqueue_facts(bank text, episodes uuid[], at timestamptz) returns void
language plpgsql as $$
declare
    stating text[];
    lanes integer[];
begin
    perform memory_api.enter_bank(bank);
    select array_agg(e.memory_id::text order by e.memory_id),
           array_agg((e.source = 'import')::integer order by e.memory_id)
      into stating, lanes
      from memory.episodic_memory e
     where e.bank_id = bank and e.memory_id = any (episodes) and e.candidate_facts <> '[]';
    if stating is not null then
        perform memory_api.enqueue_new(bank, 'facts', stating, lanes, at);
    end if;
end $$;
