-- Returns one page of the events of a bank, newest first, each with the present text of its memory, null once that is
-- deleted. Left out is the end of processing (pending_embedding to active), which follows each creation. Called by the
-- page of the timeline; programs read list_changes, which returns each event once.
create or replace function memory_api.list_timeline(bank text, page integer, before_id bigint default null)
returns table (change_id bigint, memory_id uuid, type text, event text, from_status text, to_status text, reason text,
               actor text, at timestamptz, fields text[], replaced_by uuid, content text)
language plpgsql stable as $$
begin
    perform memory_internal.require_bank(bank);
    return query
        select e.event_id, e.memory_id, e.memory_type, e.event, e.from_status, e.to_status, e.reason, e.actor, e.at,
               array(select jsonb_array_elements_text(coalesce(e.detail -> 'fields', '[]'))),
               (e.detail ->> 'replaced_by')::uuid,
               case e.memory_type
                   when 'episodic' then (select m.summary from memory.episodic_memory m
                                          where m.bank_id = bank and m.memory_id = e.memory_id)
                   when 'semantic' then (select f.fact from memory.semantic_memory f
                                          where f.bank_id = bank and f.memory_id = e.memory_id)
                   else (select p.content from memory_api.procedure_item p
                          where p.bank_id = bank and p.memory_id = e.memory_id)
               end
          from memory.memory_event e
         where e.bank_id = bank and (before_id is null or e.event_id < before_id)
           and (e.from_status, e.to_status) is distinct from ('pending_embedding', 'active')
         order by e.event_id desc
         limit page;
end $$;
