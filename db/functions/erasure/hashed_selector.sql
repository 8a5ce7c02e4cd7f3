-- Returns the selector of an erasure with each id replaced by its hash (erased_id_hash); times stay as they are. Norms
-- are named among `memory_ids`, and hashed as memories.
create or replace function memory_internal.hashed_selector(selector jsonb) returns jsonb
language sql stable as $$
    select coalesce(jsonb_object_agg(s.name, case s.name
               when 'memory_ids' then (
                   select jsonb_agg(encode(memory_internal.erased_id_hash('memory', i.id::uuid::text), 'hex') order by i.place)
                     from jsonb_array_elements_text(s.value) with ordinality as i (id, place))
               when 'conversation_id' then
                   to_jsonb(encode(memory_internal.erased_id_hash('conversation', s.value #>> '{}'), 'hex'))
               when 'agent_id' then to_jsonb(encode(memory_internal.erased_id_hash('agent', s.value #>> '{}'), 'hex'))
               else s.value end), '{}')
      from jsonb_each(selector) as s (name, value);
$$;
