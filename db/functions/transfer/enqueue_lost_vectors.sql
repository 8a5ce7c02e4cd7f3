-- Enqueues the embedding of an imported bank's memories without a vector of its model, in the lane of imports, and of
-- its norms. Lessons are embedded by the nightly run.
create or replace function memory_internal.enqueue_lost_vectors(bank text, at timestamptz) returns void
language plpgsql as $$
declare
    model text;
    lost text[];
begin
    perform memory_internal.enter_bank(bank);
    select b.embedding_model into model from memory.bank b where b.bank_id = bank;
    lost := array(
        select m.memory_id::text
          from (select e.memory_id from memory.episodic_memory e
                 where e.bank_id = bank and e.status in ('active', 'archived', 'merged_into')
                union all
                select f.memory_id from memory.semantic_memory f where f.bank_id = bank) as m
         where not exists (select from memory.memory_vector v
                            where v.bank_id = bank and v.model_id = model and v.memory_id = m.memory_id)
        union all
        select p.memory_id::text
          from memory.procedural_memory p
         where p.bank_id = bank and p.status not in ('pending_embedding', 'merged_into', 'quarantined', 'failed')
           and not exists (select from memory.procedural_vector v
                            where v.bank_id = bank and v.model_id = model and v.procedure_id = p.memory_id));
    perform memory_internal.enqueue_new(bank, 'embed', lost, array_fill(1, array[cardinality(lost)]), at);
    if exists (select from memory.relational_memory n where n.bank_id = bank) then
        perform memory_internal.enqueue_work(bank, 'relational', bank, 1, at, at);
    end if;
end $$;
