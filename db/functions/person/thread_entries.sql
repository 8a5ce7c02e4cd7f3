-- Returns the emotional thread that is open at `at`, or no row. Called by person_entries.
create or replace function memory_internal.thread_entries(
    bank text, model text, query public.halfvec, historical boolean, at timestamptz)
returns table (kind text, id uuid, content text, situation text, cosine double precision, occurred_at timestamptz,
               detail jsonb)
language sql stable rows 1 as $$
    select 'thread', t.thread_id, t.current_state, '', null::double precision, t.started_at,
           jsonb_build_object('length', t.thread_length, 'valence', t.valence, 'emotion', t.emotion,
                              'acknowledge', t.should_acknowledge)
      from memory_internal.open_thread(bank, thread_entries.at) as t
$$;
