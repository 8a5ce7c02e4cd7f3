-- Creates a lesson procedure with the words of the lesson of `leader`, taught by `episodes`, and returns its id. It is
-- in force from the third of them on. The caller holds the bank lock.
create or replace function memory_internal.create_lesson(
    bank text, model text, leader uuid, episodes uuid[], actor text, at timestamptz)
returns uuid
language plpgsql as $$
declare
    taught_by constant integer := 3;
    new_id constant uuid := gen_random_uuid();
begin
    perform memory_internal.enter_bank(bank);
    insert into memory.procedural_memory
        (bank_id, memory_id, kind, content, status, confidence, importance, occurred_at, recorded_at, valid_from,
         source, agent_id, extracted_by, fingerprint, words)
    select bank, new_id, 'lesson', e.lesson, 'tentative', 0.6, e.importance, e.occurred_at, at,
           (select n.occurred_at
              from memory.episodic_memory n
             where n.bank_id = bank and n.memory_id = any (episodes)
             order by n.occurred_at, n.memory_id
            offset taught_by - 1
             limit 1),
           e.source, e.agent_id, 'procedures', memory_internal.procedure_fingerprint(e.lesson, ''),
           memory_internal.procedure_words(bank, e.lesson, '', '{}')
      from memory.episodic_memory e
     where e.bank_id = bank and e.memory_id = leader;
    insert into memory.procedural_vector (bank_id, procedure_id, model_id, part, embedding)
    select bank, new_id, model, 0, v.embedding
      from memory.lesson_vector v
     where v.bank_id = bank and v.model_id = model and v.episode_id = leader;
    perform memory_internal.add_lesson_evidence(bank, new_id, episodes, at);
    perform memory_internal.refresh_procedure(
        bank, new_id, 'created', format('taught by %s episodes', cardinality(episodes)), actor, at);
    return new_id;
end $$;
