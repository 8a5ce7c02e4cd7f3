-- Writes candidate facts as evidence of the facts they state, inserting new facts with vector and words; then
-- rebuilds the timelines and finds conflicts. Idempotent: an episode is evidence of a fact once. Returns the number
-- of new statements. Called by upsert_facts and consolidate_episodes, which hold the bank lock.
-- A candidate is {episode_id, memory_id, text, subject, attribute, value, cardinality, opposes, holds, stated} and,
-- if not extracted with the episode, extracted_by; `if_known`: written only if the bank knows the person by name;
-- `starts_at`: when it begins, or the ending takes effect, if that is announced; `ends_at`: its announced end;
-- canonical as memory_service/rules/facts/attributes.py makes it;
-- memory_id is the id of the fact if it is new.
--   known fact   find_matching_fact: same timeline and value, same words, or a near vector, without a difference
--   other facts  that an ending ends beside those of its timeline (facts_ended_by); not one that the episode states
--                itself ("my dentist is Dr Bell now", said once more), but for the name of a person in the news of
--                their death
--   ending       of an unknown fact is stored too, as a closed period: the statement that it ends may still arrive;
--                not that of a schedule, a job, a life, a treatment, which no statement has as its attribute
--   `job_resumed`  "I take back my resignation": no fact, but one more statement of the job (resume_job)
--   retracted    statements from before a retraction belong to the retracted fact (find_retracted_fact)
--   `resolve_conflicts`  these are recent statements by the user, which resolve conflicts that the last context showed
--   `judge_pairs`        enqueue pair judging for new facts (record_pair_decisions)
create or replace function memory_internal.write_statements(
    bank text, model text, episodes uuid[], facts jsonb, embeddings public.halfvec[],
    resolve_conflicts boolean default true, at timestamptz default now(), judge_pairs boolean default false)
returns integer
language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
    new_statements integer := 0;
    candidate record;
    statement_timeline text;
    matched uuid;
    restated_fact uuid;
    is_new boolean;
    ended_fact uuid;
    affected_timelines text[] := '{}';
    stated_subject text;
    resolve_key text;
    is_naming boolean;
    resolved jsonb := '{}';
begin
    perform memory_internal.enter_bank(bank);
    for candidate in
        select f.episode_id, f.memory_id, f.text, f.subject, f.attribute, f.value, f.cardinality, f.opposes, f.holds,
               f.stated, f.if_known, f.starts_at, f.ends_at, given.place,
               e.occurred_at, e.segment_id, e.source, e.agent_id, e.tags, e.recipients,
               coalesce(f.extracted_by, e.extracted_by) as extracted_by,
               memory_internal.text_fingerprint(f.text) as fingerprint,
               memory_internal.evidence_importance(bank, e.memory_id, e.importance) as importance
          from jsonb_array_elements(facts) with ordinality as given (fact, place)
         cross join lateral jsonb_to_record(given.fact) as f (
               episode_id uuid, memory_id uuid, text text, subject text, attribute text, value text, cardinality text,
               opposes text, holds boolean, stated boolean, if_known boolean, starts_at timestamptz, ends_at timestamptz,
               extracted_by text)
          join memory.episodic_memory e on e.bank_id = bank and e.memory_id = f.episode_id
         where f.episode_id = any (episodes) and e.status in ('active', 'archived', 'merged_into')
         order by e.occurred_at, given.place
    loop
        -- By subject and segment once; a person who speaks in the segment is no friend or relative of another speaker.
        stated_subject := candidate.subject;
        resolve_key := concat_ws(E'\t', candidate.segment_id, stated_subject);
        if resolved ? resolve_key then
            candidate.subject := resolved ->> resolve_key;
        elsif not exists (
            select from memory.message m
             where m.bank_id = bank and m.segment_id = candidate.segment_id and lower(m.name) = lower(stated_subject))
        then
            candidate.subject := memory_internal.resolve_person(bank, stated_subject);
        end if;
        is_naming := candidate.value is not null and memory_internal.names_someone(candidate.attribute);
        resolved := case when is_naming then '{}' else resolved || jsonb_build_object(resolve_key, candidate.subject) end;
        continue when candidate.if_known and candidate.subject !~ '''s ';
        if candidate.attribute = 'job_resumed' then
            new_statements := new_statements + memory_internal.resume_job(
                bank, candidate.episode_id, candidate.subject, candidate.importance, candidate.occurred_at,
                coalesce(candidate.extracted_by, 'worker'), write_statements.at);
            continue;
        end if;
        for ended_fact, statement_timeline in
            select f.memory_id, f.timeline
              from memory_internal.facts_ended_by(
                   bank, candidate.episode_id, candidate.subject, candidate.attribute, candidate.value,
                   candidate.occurred_at) as ended
              join memory.semantic_memory f on f.bank_id = bank and f.memory_id = ended
             where not candidate.holds
               and (candidate.value is not null or candidate.cardinality <> 'one'
                    or candidate.attribute = 'partner' or candidate.attribute like '%\_date')
               and (candidate.attribute = 'alive' or not exists (
                   select from jsonb_array_elements(facts) as other (fact)
                    where (other.fact ->> 'episode_id')::uuid = candidate.episode_id
                      and (other.fact ->> 'holds')::boolean
                      and lower(other.fact ->> 'subject') is not distinct from lower(stated_subject)
                      and lower(other.fact ->> 'value') = lower(f.value)))
        loop
            insert into memory.fact_evidence
                (bank_id, fact_id, episode_id, holds, stated, importance, occurred_at, recorded_at, starts_at)
            values (bank, ended_fact, candidate.episode_id, false, candidate.stated, candidate.importance,
                    candidate.occurred_at, write_statements.at, candidate.starts_at);
            new_statements := new_statements + 1;
            perform memory_internal.rebuild_timeline(
                bank, statement_timeline, 'stated in ' || candidate.episode_id,
                coalesce(candidate.extracted_by, 'worker'), write_statements.at, array[ended_fact]);
        end loop;
        statement_timeline := memory_internal.timeline_key(candidate.subject, candidate.attribute, candidate.value,
                                                           candidate.cardinality, candidate.fingerprint);
        matched := coalesce(
            memory_internal.find_retracted_fact(
                bank, statement_timeline, candidate.text, candidate.subject, candidate.attribute, candidate.value,
                candidate.fingerprint, candidate.episode_id, candidate.occurred_at),
            memory_internal.find_matching_fact(
                bank, model, statement_timeline, candidate.text, candidate.subject, candidate.attribute,
                candidate.value, candidate.fingerprint, embeddings[candidate.place]));
        continue when matched is null and not candidate.holds
            and (candidate.attribute is null or candidate.value is null and candidate.cardinality <> 'one'
                 or candidate.attribute = any (
                     '{schedule,former_schedule,job_held,named_animal,alive,injury,treatment,short_treatment,recovered}'));
        is_new := matched is null;
        if is_new then
            matched := candidate.memory_id;
            insert into memory.semantic_memory
                (bank_id, memory_id, fact, subject, attribute, value, cardinality, timeline, fingerprint, importance,
                 occurred_at, recorded_at, first_observed, last_confirmed, valid_from, source, agent_id, extracted_by)
            values (bank, matched, candidate.text, candidate.subject, candidate.attribute, candidate.value,
                    candidate.cardinality, statement_timeline, candidate.fingerprint, candidate.importance,
                    candidate.occurred_at, write_statements.at, candidate.occurred_at,
                    candidate.occurred_at, candidate.occurred_at, candidate.source, candidate.agent_id,
                    candidate.extracted_by);
            perform memory_internal.write_fact_vectors(bank, model, array[matched], embeddings[candidate.place]);
            if is_naming and candidate.holds then
                perform memory_internal.rename_person(
                    bank, matched, coalesce(candidate.extracted_by, 'worker'), write_statements.at);
            end if;
        end if;
        select f.timeline into statement_timeline
          from memory.semantic_memory f
         where f.bank_id = bank and f.memory_id = matched;
        -- An episode is evidence of a value once, whichever of its periods holds it now.
        continue when not is_new and exists (
            select from memory.semantic_memory f
              join memory.semantic_memory k on k.bank_id = bank and k.memory_id = matched
              join memory.fact_evidence e on e.bank_id = bank and e.fact_id = f.memory_id
             where f.bank_id = bank and f.timeline = statement_timeline
               and lower(f.value) is not distinct from lower(k.value)
               and e.episode_id = candidate.episode_id);
        if not is_new and candidate.holds then
            perform memory_internal.reword_facts(
                bank, model, matched, candidate.text, candidate.fingerprint, embeddings[candidate.place],
                candidate.occurred_at);
        end if;
        insert into memory.fact_evidence
            (bank_id, fact_id, episode_id, holds, stated, importance, occurred_at, recorded_at, starts_at, ends_at)
        values (bank, matched, candidate.episode_id, candidate.holds, candidate.stated, candidate.importance,
                candidate.occurred_at, write_statements.at, candidate.starts_at, candidate.ends_at);
        update memory.semantic_memory f
           set tags = array(select distinct tag from unnest(f.tags || candidate.tags) as tag order by tag),
               recipients = array(
                   select distinct name from unnest(f.recipients || candidate.recipients) as name order by name)
         where f.bank_id = bank and f.memory_id = matched
           and not (f.tags @> candidate.tags and f.recipients @> candidate.recipients);
        new_statements := new_statements + 1;
        affected_timelines := affected_timelines || statement_timeline;
        perform memory_internal.find_conflicts(
            bank, model, statement_timeline, candidate.opposes, write_statements.at,
            memory_internal.rebuild_timeline(
                bank, statement_timeline, 'stated in ' || candidate.episode_id,
                coalesce(candidate.extracted_by, 'worker'), write_statements.at,
                array[matched]));
        -- A fact that the last context showed as doubtful and the user now states: resolve its conflicts.
        if resolve_conflicts and candidate.holds and candidate.segment_id is not null then
            select b.fact_id into restated_fact
              from memory_internal.facts_in_context(bank, candidate.segment_id) as b
              join memory.semantic_memory f on f.bank_id = bank and f.memory_id = b.fact_id
              join memory.fact_evidence e
                on e.bank_id = bank and e.fact_id = f.memory_id and e.episode_id = candidate.episode_id
             where f.timeline = statement_timeline
             limit 1;
            if restated_fact is not null then
                perform memory_internal.answer_conflicts(
                    bank, restated_fact, true, 'repeated in ' || candidate.episode_id, candidate.occurred_at,
                    write_statements.at, candidate.segment_id);
            end if;
        end if;
    end loop;
    if judge_pairs then
        perform memory_internal.enqueue_judging(bank, array(
            select f.memory_id
              from memory.semantic_memory f
             where f.bank_id = bank and f.timeline = any (affected_timelines) and f.recorded_at = write_statements.at), at);
    end if;
    return new_statements;
end $$;
