-- Returns the text that the vectors of a memory (episode or fact), norm, procedure or lesson are made of, from this
-- part on; null where there is none. `form`: `whole` has one vector, `parts` one for each piece that the model can
-- read, `sentences` (summaries of clusters) those and one for each sentence.
create or replace function memory_internal.embedded_text(
    bank text, kind text, id uuid, part integer, out content text, out form text)
language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
    perform memory_internal.enter_bank(bank);
    form := 'whole';
    case kind
    when 'memory' then
        select case when part >= memory_internal.first_reply_part() then e.reply
                    else coalesce(e.full_text ->> 'each', e.summary) end,
               case when part = 0 and e.summarizes = 'cluster' then 'sentences' else 'parts' end
          into content, form
          from memory.episodic_memory e
         where e.bank_id = bank and e.memory_id = id;
        if not found then
            form := 'whole';
            select f.fact into content from memory.semantic_memory f where f.bank_id = bank and f.memory_id = id;
        end if;
    when 'norm' then
        select case part when 0 then n.norm else n.situation end into content
          from memory.relational_memory n
         where n.bank_id = bank and n.memory_id = id;
    when 'procedure' then
        select case part when 0 then p.content else p.situation end into content
          from memory.procedural_memory p
         where p.bank_id = bank and p.memory_id = id;
    when 'lesson' then
        select e.lesson into content from memory.episodic_memory e where e.bank_id = bank and e.memory_id = id;
    end case;
end $$;
