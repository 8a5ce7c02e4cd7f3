-- Returns the believed facts of a bank for people, ended ones too, but none of which only the end is known: those of
-- the bank's person first, then by subject, those that still hold before ended ones. `sources` are the latest three
-- statements and judgements that support the fact, latest first, as JSON {at, role, name, source, content, actor,
-- listed_at}: `listed_at` is the time of the episode under which export_episodes returns the statement, `actor` who
-- committed or confirmed the fact. `source_count` counts all of them. A quarantined episode is no source.
create or replace function memory_api.export_facts(bank text)
returns table (fact text, subject text, value text, confidence double precision, valid_from timestamptz,
               valid_to timestamptz, pinned boolean, unconfirmed boolean, sources jsonb, source_count bigint)
language plpgsql stable as $$
declare
    most_sources constant integer := 3;
begin
    perform memory_internal.require_bank(bank);
    return query
        select f.fact, f.subject, f.value,
               memory_internal.effective_confidence(
                   f.confidence, f.importance, f.last_confirmed, f.status, f.pinned,
                   memory_internal.decay_attribute(f.attribute, f.extracted_by), f.contradicted_at,
                   now()),
               f.valid_from, f.valid_to, f.pinned, f.unconfirmed, s.sources, s.source_count
          from memory_api.fact_entry f
          join memory.semantic_memory m on m.bank_id = bank and m.memory_id = f.memory_id
         cross join lateral (
            select coalesce(jsonb_agg(to_jsonb(l) - 'place' order by l.place) filter (where l.place <= most_sources), '[]')
                       as sources,
                   count(*) as source_count
              from (select u.*, row_number() over (order by u.at desc, u.content) as place
                      from (select v.occurred_at as at, p.said ->> 'role' as role, p.said ->> 'name' as name,
                                   e.source, e.summary as content, null as actor, r.occurred_at as listed_at
                              from memory.fact_evidence v
                              join memory.episodic_memory e on e.bank_id = bank and e.memory_id = v.episode_id
                             cross join lateral memory_internal.first_words(e.full_text) as p (said)
                              left join memory.episodic_memory r
                                on r.bank_id = bank and r.memory_id = coalesce(e.merged_into_id, e.memory_id)
                               and memory_internal.is_for_people(r.status)
                             where v.bank_id = bank and v.fact_id = f.memory_id and v.holds
                               and e.status <> 'quarantined'
                             union all
                            select j.occurred_at, null, null, j.judgement, null, j.actor, null
                              from memory.fact_judgement j
                             where j.bank_id = bank and j.fact_id = f.memory_id
                               and j.judgement in ('committed', 'confirmed')) as u) as l) as s
         where f.bank_id = bank and f.status in ('tentative', 'stable') and f.valid_to is distinct from f.valid_from
         order by m.subject is distinct from 'user', m.subject, f.valid_to is not null, f.attribute, f.valid_from,
                  f.memory_id;
end $$;
