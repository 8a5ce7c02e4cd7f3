-- Returns the candidate facts of these episodes, or the text of these committed facts (`candidates` null), and the
-- model to embed them with; nothing for deleted or merged subjects. Called by the worker ('facts').
create or replace function memory_api.read_candidate_facts(bank text, subjects uuid[])
returns table (subject_id uuid, candidates jsonb, text text, model_id text)
language plpgsql as $$
begin
    perform memory_internal.enter_bank(bank);
    return query
        select e.memory_id, e.candidate_facts, null::text, b.embedding_model
          from memory.episodic_memory e
          join memory.bank b on b.bank_id = e.bank_id
         where e.bank_id = bank and e.memory_id = any (subjects) and e.status in ('active', 'archived', 'merged_into')
           and e.candidate_facts <> '[]'
         union all
        select f.memory_id, null, f.fact, b.embedding_model
          from memory.semantic_memory f
          join memory.bank b on b.bank_id = f.bank_id
         where f.bank_id = bank and f.memory_id = any (subjects) and f.status <> 'merged_into';
end $$;
