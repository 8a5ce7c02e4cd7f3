-- Memories of all types in one form. `embedding` is that of the bank's present model, of the first part of a long
-- text; it is read only if selected.
create or replace view memory_api.memory_entry with (security_invoker = true) as
with entry as (
    select e.bank_id, e.memory_id, e.summary as content, 'episodic'::text as memory_type, e.occurred_at as "timestamp",
           e.metadata, e.tags, e.importance, e.status
      from memory.episodic_memory e
     union all
    select f.bank_id, f.memory_id, f.fact, 'semantic', f.occurred_at, f.metadata, f.tags, f.importance, f.status
      from memory.semantic_memory f
     union all
    select p.bank_id, p.memory_id, p.content, 'procedural', p.occurred_at, p.metadata, p.tags, p.importance, p.status
      from memory.procedural_memory p
)
select y.memory_id, y.bank_id as user_id, y.content, y.memory_type, y."timestamp",
       coalesce(
           (select v.embedding
              from memory.memory_vector v
              join memory.bank b on b.bank_id = v.bank_id and b.embedding_model = v.model_id
             where v.bank_id = y.bank_id and v.memory_id = y.memory_id
             order by v.part
             limit 1),
           (select v.embedding
              from memory.procedural_vector v
              join memory.bank b on b.bank_id = v.bank_id and b.embedding_model = v.model_id
             where v.bank_id = y.bank_id and v.procedure_id = y.memory_id and v.part = 0)) as embedding,
       y.metadata, y.tags, y.importance, y.status
  from entry y;
