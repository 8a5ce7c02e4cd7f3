-- What these episodes state as facts, and with which model it is embedded; nothing of those that are not kept.
create or replace function memory_api.read_candidate_facts(bank text, episodes uuid[])
returns table (episode_id uuid, candidates jsonb, model_id text)
language plpgsql as $$
begin
    perform memory_api.enter_bank(bank);
    return query
        select e.memory_id, e.candidate_facts, b.embedding_model
          from memory.episodic_memory e
          join memory.bank b on b.bank_id = e.bank_id
         where e.bank_id = bank and e.memory_id = any (episodes) and e.status in ('active', 'archived', 'merged_into')
           and e.candidate_facts <> '[]';
end $$;
