-- Returns the texts to embed for these subjects of work of kind 'procedures': the procedures that an episode states
-- (`stated`, as extracted), or a procedure's own content and situation (`stated` null); and the model to embed them
-- with. Nothing for subjects that are deleted, merged or in quarantine. Called by the worker.
create or replace function memory_api.read_procedure_texts(bank text, subjects uuid[])
returns table (subject_id uuid, stated jsonb, content text, situation text, model_id text)
language plpgsql as $$
begin
    perform memory_internal.enter_bank(bank);
    return query
        select e.memory_id, e.signals -> 'procedures', null::text, null::text, b.embedding_model
          from memory.episodic_memory e
          join memory.bank b on b.bank_id = e.bank_id
         where e.bank_id = bank and e.memory_id = any (subjects) and e.status in ('active', 'archived', 'merged_into')
           and e.signals ? 'procedures' and memory_internal.may_teach(e.source, e.metadata)
         union all
        select p.memory_id, null, p.content, p.situation, b.embedding_model
          from memory.procedural_memory p
          join memory.bank b on b.bank_id = p.bank_id
         where p.bank_id = bank and p.memory_id = any (subjects)
           and p.status not in ('merged_into', 'quarantined', 'failed');
end $$;
