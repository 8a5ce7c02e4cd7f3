-- All privileges of memory_service and of readers, granted on every migration. memory.work, memory.upkeep and the
-- vector partitions are omitted deliberately: the queues are accessed through security definer functions, the
-- partitions through their parent.
revoke all on schema memory, memory_api, memory_internal, analytics from public;
revoke all on all tables in schema memory from memory_service;
revoke execute on all functions in schema memory_api, memory_internal from public;

grant usage on schema memory, memory_api, memory_internal, analytics to memory_service;
grant execute on all functions in schema memory_api, memory_internal to memory_service;
grant select on all tables in schema memory_api to memory_service;
-- Only views of this service: users may create their own in the same schema.
do $$
declare
    own_view regclass;
begin
    for own_view in
        select c.oid from pg_class c
         where c.relnamespace = 'analytics'::regnamespace and c.relowner = 'memory_owner'::regrole and c.relkind = 'v'
    loop
        execute format('grant select on %s to memory_service, memory_analyst, memory_reader', own_view);
    end loop;
end $$;

grant select on memory.installation, memory.embedding_model, memory.bank_fence to memory_service;
grant select, insert, update on
    memory.bank, memory.conversation, memory.message, memory.episodic_memory, memory.memory_vector,
    memory.gate_decision, memory.memory_text
    to memory_service;
grant delete on memory.memory_vector, memory.episodic_memory, memory.memory_link, memory.memory_entity to memory_service;
grant select, insert, update, delete on memory.vector_index, memory.indexed_vector, memory.reembedding to memory_service;
grant select, insert, update on memory.model_call to memory_service;
grant select, insert on
    memory.memory_event, memory.episode_version, memory.memory_link, memory.memory_entity, memory.person,
    memory.word_count
    to memory_service;
grant select, insert, update, delete on memory.retrieval_trace, memory.idempotency_key to memory_service;
grant select, insert, update, delete on memory.session_memory to memory_service;
grant select, insert, delete on memory.session_checkpoint, memory.session_part to memory_service;
grant select, insert, update on memory.semantic_memory, memory.fact_conflict, memory.clarification, memory.fact_judgement to memory_service;
grant select, insert on memory.fact_version, memory.fact_pair to memory_service;
grant select, insert, update, delete on memory.fact_evidence, memory.fact_mention to memory_service;
grant select, insert, update, delete on
    memory.relational_memory, memory.relational_evidence, memory.relational_vector, memory.relationship
    to memory_service;
grant select, insert on memory.relational_version to memory_service;
grant select, insert, update, delete on memory.emotional_thread, memory.emotional_thread_episode to memory_service;
grant select, insert on memory.emotional_thread_act to memory_service;
grant select, insert, update, delete on
    memory.procedural_memory, memory.procedure_evidence, memory.procedural_vector, memory.lesson_vector
    to memory_service;
grant select, insert on memory.procedure_version to memory_service;
-- Written by a security definer function; read by analytics.job_run.
grant select on memory.job_run to memory_service;
-- Append-only: written by a security definer function.
grant select on memory.audit_event to memory_service;
-- Written by erase, as the owner.
grant select on memory.erasure, memory.erased_item to memory_service;
grant select, insert, update on memory.fact_merge, memory.merge_decision, memory.watermark to memory_service;

-- Readers of several banks: select alone, and the functions that the views call.
revoke all on all tables in schema memory, memory_api from memory_analyst, memory_reader;
grant usage on schema analytics, memory, memory_internal to memory_analyst, memory_reader;
grant select on memory_api.fact_entry, memory_api.memory_entry, memory_api.procedure_entry to memory_analyst, memory_reader;
grant execute on function
    memory_internal.display_subject, memory_internal.list_contradictions, memory_internal.version_history,
    memory_internal.effective_confidence, memory_internal.decay_exponent, memory_internal.decay_factor,
    memory_internal.decay_attribute,
    memory_internal.thread_course, memory_internal.procedure_weight, memory_internal.is_avoided,
    memory_internal.server_slot_of
    to memory_analyst, memory_reader;
grant select on memory.analyst_grant to memory_analyst;
do $$
declare
    readable regclass;
begin
    for readable in
        select p.polrelid from pg_policy p join pg_class c on c.oid = p.polrelid
         where p.polname = c.relname || '_of_analyst' and not c.relispartition
    loop
        execute format('grant select on %s to memory_analyst, memory_reader', readable);
    end loop;
end $$;
