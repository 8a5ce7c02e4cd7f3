-- Returns a bank's limits: its settings, else the defaults, which are defined only here.
--   landmark_valence, landmark_importance   an episode above one of them is a landmark (0.6, 0.8)
--   recent_days, recent_importance          episodes that a context shows whatever the query (7 days, 0.7)
--   clarify_importance                      conflicts of a fact above it get a clarification question (0.8)
--   consolidate_after_days                  younger episodes are not compressed (30 days)
create or replace function memory_api.bank_limits(bank text)
returns table (landmark_valence double precision, landmark_importance double precision, recent_days double precision,
               recent_importance double precision, clarify_importance double precision,
               consolidate_after_days double precision)
language plpgsql stable rows 1 as $$
declare
    bank_settings constant jsonb := memory_internal.bank_settings(bank);
begin
    return query select
        coalesce((bank_settings ->> 'landmark_valence')::double precision, 0.6),
        coalesce((bank_settings ->> 'landmark_importance')::double precision, 0.8),
        coalesce((bank_settings ->> 'recent_days')::double precision, 7),
        coalesce((bank_settings ->> 'recent_importance')::double precision, 0.7),
        coalesce((bank_settings ->> 'clarify_importance')::double precision, 0.8),
        coalesce((bank_settings ->> 'consolidate_after_days')::double precision, 30);
end $$;
