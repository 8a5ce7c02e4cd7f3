-- Writes candidate facts of these episodes as evidence of what they are about, the same where that is known and a new
-- fact where not, with its vector and words; then their timelines are settled and conflicts looked for. The caller holds
-- the bank's lock. Run again, it changes nothing: an episode is evidence for a fact once.
-- A candidate is {episode_id, memory_id, text, subject, attribute, value, cardinality, opposes, holds, stated} and, where
-- it was not extracted with the episode, extracted_by; canonical as memory_service/rules/attributes.py makes it;
-- memory_id is the fact's where it is new. The answer is how many statements were new.
--   same    the same timeline and value; or words that say the same (text_fingerprint, and no mismatch) about the same subject;
--           or a vector at or above the duplicate threshold without a mismatch
--   ending  of a fact that nobody has heard of is kept too, closed: what it ends may still arrive
--   retracted  takes with it what was said of it until then, also what arrives later (memory_internal.find_retracted_fact)
--   hears   the user has just said it: it settles what the last context brought up as doubtful
--   doubts  work to judge what the new facts could contradict without a rule that says so (memory_api.record_pair_decisions)
create or replace function memory_internal.write_statements(
    bank text, model text, episodes uuid[], facts jsonb, embeddings public.halfvec[], hears boolean default true,
    at timestamptz default now(), doubts boolean default false)
returns integer
language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
    fresh integer := 0;
    said record;
    line text;
    known uuid;
    restated uuid;
    made boolean;
    lines text[] := '{}';
begin
    perform memory_internal.enter_bank(bank);
    for said in
        select f.episode_id, f.memory_id, f.text, f.subject, f.attribute, f.value, f.cardinality, f.opposes, f.holds,
               f.stated, given.place, e.occurred_at, e.segment_id, e.source, e.agent_id, e.tags, e.recipients,
               coalesce(f.extracted_by, e.extracted_by) as extracted_by,
               memory_internal.text_fingerprint(f.text) as said_key,
               -- As it was written: what near duplicates added since depends on which of them arrived first.
               coalesce((select (v.detail ->> 'importance')::double precision
                           from memory.memory_event v
                          where v.bank_id = bank and v.memory_id = e.memory_id and v.event = 'reinforced'
                          order by v.event_id
                          limit 1), e.importance) as importance
          from jsonb_array_elements(facts) with ordinality as given (fact, place)
         cross join lateral jsonb_to_record(given.fact) as f (
               episode_id uuid, memory_id uuid, text text, subject text, attribute text, value text, cardinality text,
               opposes text, holds boolean, stated boolean, extracted_by text)
          join memory.episodic_memory e on e.bank_id = bank and e.memory_id = f.episode_id
         where f.episode_id = any (episodes) and e.status in ('active', 'archived', 'merged_into')
         order by e.occurred_at, given.place
    loop
        line := memory_internal.timeline_key(said.subject, said.attribute, said.value, said.cardinality, said.said_key);
        known := coalesce(
            memory_internal.find_retracted_fact(
                bank, line, said.text, said.subject, said.attribute, said.value, said.said_key, said.episode_id,
                said.occurred_at),
            memory_internal.find_matching_fact(
                bank, model, line, said.text, said.subject, said.attribute, said.value, said.said_key,
                embeddings[said.place]));
        continue when known is null and not said.holds
            and (said.attribute is null or said.value is null and said.cardinality <> 'one');
        made := known is null;
        if made then
            known := said.memory_id;
            insert into memory.semantic_memory
                (bank_id, memory_id, fact, subject, attribute, value, cardinality, timeline, said_key, importance,
                 occurred_at, recorded_at, first_observed, last_confirmed, valid_from, source, agent_id, extracted_by)
            values (bank, known, said.text, said.subject, said.attribute, said.value, said.cardinality, line,
                    said.said_key, said.importance, said.occurred_at, write_statements.at, said.occurred_at,
                    said.occurred_at, said.occurred_at, said.source, said.agent_id, said.extracted_by);
            insert into memory.memory_vector (bank_id, memory_id, model_id, tier, embedding)
            values (bank, known, model, 'semantic', embeddings[said.place]);
            perform memory_internal.index_vectors(bank, array[known]);
            perform memory_internal.index_fact_words(bank, array[known]);
        end if;
        select f.timeline into line from memory.semantic_memory f where f.bank_id = bank and f.memory_id = known;
        -- An episode speaks of a value once, whichever of its periods has it now.
        continue when not made and exists (
            select from memory.semantic_memory f
              join memory.semantic_memory k on k.bank_id = bank and k.memory_id = known
              join memory.fact_evidence e on e.bank_id = bank and e.fact_id = f.memory_id
             where f.bank_id = bank and f.timeline = line and lower(f.value) is not distinct from lower(k.value)
               and e.episode_id = said.episode_id);
        if not made and said.holds then
            perform memory_internal.reword_facts(
                bank, model, known, said.text, said.said_key, embeddings[said.place], said.occurred_at);
        end if;
        insert into memory.fact_evidence
            (bank_id, fact_id, episode_id, holds, stated, importance, occurred_at, recorded_at)
        values (bank, known, said.episode_id, said.holds, said.stated, said.importance, said.occurred_at, write_statements.at);
        update memory.semantic_memory f
           set tags = array(select distinct tag from unnest(f.tags || said.tags) as tag order by tag),
               recipients = array(select distinct name from unnest(f.recipients || said.recipients) as name order by name)
         where f.bank_id = bank and f.memory_id = known
           and not (f.tags @> said.tags and f.recipients @> said.recipients);
        fresh := fresh + 1;
        lines := lines || line;
        perform memory_internal.find_conflicts(
            bank, model, line, said.opposes, write_statements.at,
            memory_internal.rebuild_timeline(
                bank, line, 'said in ' || said.episode_id, coalesce(said.extracted_by, 'worker'), write_statements.at,
                array[known]));
        -- What a context had just brought up as doubtful, and the user now states, is settled.
        if hears and said.holds and said.segment_id is not null then
            select b.fact_id into restated
              from memory_internal.facts_in_context(bank, said.segment_id) as b
              join memory.semantic_memory f on f.bank_id = bank and f.memory_id = b.fact_id
              join memory.fact_evidence e
                on e.bank_id = bank and e.fact_id = f.memory_id and e.episode_id = said.episode_id
             where f.timeline = line
             limit 1;
            if restated is not null then
                perform memory_internal.answer_conflicts(
                    bank, restated, true, 'said again in ' || said.episode_id, said.occurred_at, write_statements.at);
            end if;
        end if;
    end loop;
    if doubts then
        perform memory_internal.enqueue_judging(bank, array(
            select f.memory_id
              from memory.semantic_memory f
             where f.bank_id = bank and f.timeline = any (lines) and f.recorded_at = write_statements.at), at);
    end if;
    return fresh;
end $$;
