-- Returns the memories of a large bank that the arm words of recall_candidates finds, the best first, by some
-- thousand ranked rows however large the bank is:
--   1. by selective_query;
--   2. if the arm meaning found too few, and these are too few: by the rarest word with as many of the next rarest as
--      are estimated to leave fetch_count matches; then from the second rarest word on, and so on. With a filter that
--      few pass (`eligible`): by any word, among these;
--   3. if these are still too few: by any word.
-- A word that is common in the bank thus finds nothing on its own before the others were tried; candidate_features
-- counts all words of every candidate. Where too many of the best matches are filtered out, all are ranked.
-- `eligible` are the memories that pass the filter; without it `in_arms` says whether filters are to be applied here.
-- The plans consist of probes by key: one serves every bank (matching_texts is planned for its bank).
create or replace function memory_internal.large_text_candidates(
    bank text, memories bigint, terms tsquery[], rarity double precision[], label_weights real[], fetch_count integer,
    too_few boolean, over_fetch integer, all_recallable boolean, in_arms boolean,
    eligible uuid[], eligible_facts uuid[],
    statuses text[], least_confidence double precision, types text[], tags text[], min_importance double precision,
    since timestamptz, until timestamptz, recipient text, agent text, bars jsonb, historical boolean, at timestamptz)
returns uuid[]
language plpgsql security definer
set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
    max_ranked constant integer := 5000;  -- rows ranked at first in each step
    finding tsquery := memory_internal.selective_query(memories, terms, rarity);
    any_word constant tsquery := (select string_agg(t::text, ' | ')::tsquery from unnest(terms) as t);
    lead integer := 0;  -- the rarest word of this step
    expected double precision;
    within uuid[];
    depth integer;
    match_count bigint;
    matches uuid[];
    found_ids uuid[] := '{}';
begin
    perform memory_internal.enter_bank(bank);
    if any_word is null then
        return '{}';
    end if;
    loop
        foreach depth in array
            case when finding is null then '{}'
                 when eligible is null then array[over_fetch * fetch_count, null] else array[null::integer] end
        loop
            with matching as materialized (
                select m.*
                  from memory_internal.matching_texts(
                           bank, finding, label_weights, depth, case when depth is not null then max_ranked end,
                           within) as m
            ),
            with_neighbours as (
                select m.memory_id, m.tier, m.rank from matching m
                 union all
                select m.after_id, 'episodic', m.rank * case when m.is_question then 0.8 else 0.4 end from matching m
                 union all
                select m.before_id, 'episodic', m.rank * 0.4 from matching m
            )
            select (select count(*) from matching),
                   array(
                select b.memory_id
                  from (select b.memory_id, b.tier, sum(b.rank) as rank
                          from with_neighbours b
                         where b.memory_id is not null and (eligible is null or b.memory_id = any (eligible))
                         group by b.memory_id, b.tier
                         order by rank desc, b.memory_id
                        offset 0) as b
                 where case b.tier
                       when 'episodic' then all_recallable and not in_arms
                           or exists (select
                                        from memory.episodic_memory e
                                       where e.bank_id = bank and e.memory_id = b.memory_id
                                         and memory_internal.passes_filters(
                                                 e, statuses, types, large_text_candidates.tags, min_importance, since,
                                                 until, recipient, agent, historical, at)
                                         and memory_internal.passes_mood(e, bars)
                                      offset 0)
                       when 'semantic' then
                           exists (select
                                     from memory.semantic_memory f
                                    where f.bank_id = bank and f.memory_id = b.memory_id
                                      and memory_internal.is_believed(f, least_confidence, at)
                                      and (not in_arms or f.memory_id = any (eligible_facts))
                                   offset 0)
                       end
                 order by b.rank desc, b.memory_id
                 limit fetch_count)
              into match_count, matches;
            exit when cardinality(matches) = fetch_count or match_count < depth;
        end loop;
        if finding is not null then
            found_ids := found_ids || array(select m from unnest(matches) as m where m <> all (found_ids));
        end if;
        exit when not too_few or cardinality(found_ids) >= fetch_count or finding = any_word;
        if eligible is not null then
            within := eligible;
            finding := any_word;
        elsif lead < cardinality(terms) then
            lead := lead + 1;
            finding := terms[lead];
            expected := (memories + 1) * exp(-rarity[lead]);
            for following in lead + 1 .. cardinality(terms) loop
                expected := expected * exp(-rarity[following]);
                exit when expected < fetch_count;
                finding := finding && terms[following];
            end loop;
        else
            finding := any_word;
        end if;
    end loop;
    return found_ids[:fetch_count];
end $$;
