-- Writes one further statement of a committed fact, which states several: a committed fact with the time, actor,
-- filters and importance of `whole` and, in `given`, its id as `part_of`, by which an erasure finds it
-- (erasure_selection). A statement that something has ended ends the known facts that it concerns (facts_ended_by), as
-- of the time of the commit; like any commit, it does not concern facts stated later. `part` is a statement as
-- place_committed_fact takes it, with memory_id, holds and embedding. Called by place_committed_fact, which holds the
-- bank lock.
create or replace function memory_internal.place_part(
    bank text, model text, whole uuid, part jsonb, at timestamptz, judge_pairs boolean)
returns void
language plpgsql as $$
declare
    committed memory.semantic_memory;
    vector constant public.halfvec := (part ->> 'embedding')::public.halfvec;
    part_id constant uuid := (part ->> 'memory_id')::uuid;
    part_subject text;
    part_fingerprint constant bigint := memory_internal.text_fingerprint(part ->> 'text');
    ended record;
begin
    perform memory_internal.enter_bank(bank);
    select f.* into committed from memory.semantic_memory f where f.bank_id = bank and f.memory_id = whole;
    if not (part ->> 'holds')::boolean then
        part_subject := memory_internal.resolve_person(bank, part ->> 'subject');
        for ended in
            select f.memory_id, f.timeline
              from memory.semantic_memory f
             where f.bank_id = bank and f.valid_to is null and f.valid_from < committed.occurred_at
               and f.memory_id in (
                   select memory_internal.facts_ended_by(
                       bank, whole, part_subject, part ->> 'attribute', part ->> 'value', committed.occurred_at)
                    union all
                   select k.memory_id
                     from memory.semantic_memory k
                    where k.bank_id = bank and k.status <> 'merged_into' and k.retracted_at is null
                      and k.timeline = memory_internal.timeline_key(
                          part_subject, part ->> 'attribute', part ->> 'value', part ->> 'cardinality', part_fingerprint)
                      and (part ->> 'value' is null or lower(k.value) = lower(part ->> 'value')))
             order by f.memory_id
        loop
            insert into memory.fact_judgement (bank_id, fact_id, judgement, occurred_at, recorded_at, actor)
            values (bank, ended.memory_id, 'ended', committed.occurred_at, committed.recorded_at,
                    coalesce(committed.agent_id, 'caller'));
            perform memory_internal.rebuild_timeline(
                bank, ended.timeline, 'stated in ' || whole, coalesce(committed.agent_id, 'caller'), at,
                array[ended.memory_id]);
        end loop;
        return;
    end if;
    insert into memory.semantic_memory
        (bank_id, memory_id, fact, timeline, fingerprint, importance, occurred_at, recorded_at, first_observed,
         last_confirmed, valid_from, source, agent_id, tags, recipients, metadata, given)
    values (bank, part_id, part ->> 'text',
            memory_internal.timeline_key(null, null, null, 'many', part_fingerprint), part_fingerprint,
            committed.importance, committed.occurred_at, committed.recorded_at, committed.occurred_at,
            committed.occurred_at, committed.occurred_at, committed.source, committed.agent_id, committed.tags,
            committed.recipients, committed.metadata, (committed.given - array['changed', 'content'])
                || jsonb_build_object('content', part ->> 'text', 'part_of', whole));
    insert into memory.fact_judgement (bank_id, fact_id, judgement, occurred_at, recorded_at, actor)
    select bank, part_id, 'committed', committed.occurred_at, committed.recorded_at, j.actor
      from memory.fact_judgement j
     where j.bank_id = bank and j.fact_id = whole and j.judgement = 'committed'
     order by j.judgement_id
     limit 1;
    perform memory_internal.place_fact(bank, model, part_id, part, vector, at, judge_pairs);
end $$;
