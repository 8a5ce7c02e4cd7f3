-- Returns the entries of a context about the person at `at`: norms in force with the memories that repeat them, the
-- open emotional thread, and procedures whose situation is near the query. `cosine` is the similarity of an entry to
-- `query`, null without it. Called once per context, beside recall_candidates. Raises ME001, and ME061 if `model` is
-- not the bank's embedding model.
create or replace function memory_api.person_entries(
    bank text, model text, query public.halfvec, at timestamptz default now())
returns table (kind text, id uuid, content text, situation text, cosine double precision, occurred_at timestamptz,
               detail jsonb)
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
begin
    perform memory_internal.require_model(bank, model);
    return query
        select * from memory_internal.norm_entries(bank, model, query, at)
         union all
        select * from memory_internal.norm_coverage(bank, at)
         union all
        select 'thread', t.thread_id, t.current_state, '', null::double precision, t.started_at,
               jsonb_build_object('length', t.thread_length, 'valence', t.valence, 'emotion', t.emotion,
                                  'acknowledge', t.should_acknowledge)
          from memory_internal.open_thread(bank, at) as t
         union all
        select * from memory_internal.procedure_entries(bank, model, query, at);
end $$;
