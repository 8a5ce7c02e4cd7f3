-- Returns up to `page` texts that have a vector of the bank's embedding model and none of the other model of its
-- re-embedding, in the order of kind, id and part, after the given place. A row is a whole text: parts below the first
-- reply part are those of the text itself. A lesson that changed after its vector was written is left to the nightly
-- run (read_lessons). No row for a bank that is not copied. `locks` takes the bank lock, for the last texts before the
-- switch in the same transaction. Called by reembed and switch_reembedding.
create or replace function memory_api.reembedding_texts(
    bank text, page integer, after_kind text default 'lesson', after_id uuid default '00000000-0000-0000-0000-000000000000',
    after_part integer default -1, locks boolean default false)
returns table (kind text, id uuid, part integer, content text, form text)
language plpgsql set plan_cache_mode = force_custom_plan as $$
declare
    used_model text;
    new_model text;
begin
    perform memory_internal.require_bank(bank);
    if locks then
        perform from memory.bank b where b.bank_id = bank for no key update;
    end if;
    select b.embedding_model, r.other_model into used_model, new_model
      from memory.bank b
      join memory.reembedding r on r.bank_id = b.bank_id
     where b.bank_id = bank and r.status = 'copying';
    if not found then
        return;
    end if;
    return query
        select m.kind, m.id, m.part::integer, t.content, t.form
          from ((select 'lesson' as kind, v.episode_id as id, 0 as part
                   from memory.lesson_vector v
                   join memory.episodic_memory e
                     on e.bank_id = bank and e.memory_id = v.episode_id and md5(e.lesson) = v.lesson_hash
                  where v.bank_id = bank and v.model_id = used_model
                    and ('lesson', v.episode_id, 0) > (after_kind, after_id, after_part)
                    and not exists (select from memory.lesson_vector n
                                     where n.bank_id = bank and n.model_id = new_model and n.episode_id = v.episode_id
                                       and n.lesson_hash = v.lesson_hash)
                  order by v.episode_id
                  limit page)
                 union all
                (select 'memory', v.memory_id, v.part
                   from memory.memory_vector v
                  where v.bank_id = bank and v.model_id = used_model
                    and v.part in (0, memory_internal.first_reply_part())
                    and after_kind <= 'memory'
                    and v.memory_id >= case after_kind when 'memory' then after_id
                                       else '00000000-0000-0000-0000-000000000000' end
                    and ('memory', v.memory_id, v.part::integer) > (after_kind, after_id, after_part)
                    and not exists (select from memory.memory_vector n
                                     where n.bank_id = bank and n.model_id = new_model and n.memory_id = v.memory_id
                                       and n.part = v.part)
                  order by v.memory_id, v.part
                  limit page)
                 union all
                (select 'norm', v.norm_id, v.part
                   from memory.relational_vector v
                  where v.bank_id = bank and v.model_id = used_model
                    and ('norm', v.norm_id, v.part::integer) > (after_kind, after_id, after_part)
                    and not exists (select from memory.relational_vector n
                                     where n.bank_id = bank and n.model_id = new_model and n.norm_id = v.norm_id
                                       and n.part = v.part)
                  order by v.norm_id, v.part
                  limit page)
                 union all
                (select 'procedure', v.procedure_id, v.part
                   from memory.procedural_vector v
                  where v.bank_id = bank and v.model_id = used_model
                    and ('procedure', v.procedure_id, v.part::integer) > (after_kind, after_id, after_part)
                    and not exists (select from memory.procedural_vector n
                                     where n.bank_id = bank and n.model_id = new_model
                                       and n.procedure_id = v.procedure_id and n.part = v.part)
                  order by v.procedure_id, v.part
                  limit page)) as m
         cross join lateral memory_internal.embedded_text(bank, m.kind, m.id, m.part::integer) as t
         where t.content is not null
         order by m.kind, m.id, m.part
         limit page;
end $$;
