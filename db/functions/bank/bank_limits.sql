-- A bank's limits: its own settings, else the defaults, which stand here and nowhere else.
--   landmark_valence, landmark_importance   an episode beyond one of them is a landmark (S2: 0.6, 0.8)
--   recent_days, recent_importance          episodes that a context shows whatever is asked (S1, S2: 7 days, 0.7)
--   clarify_importance                      a conflict of a fact beyond it is asked about (S2: 0.8)
--   consolidate_after_days                  what is younger is not compressed (S2: 30 days)
create or replace function memory_api.bank_limits(bank text)
returns table (landmark_valence double precision, landmark_importance double precision, recent_days double precision,
               recent_importance double precision, clarify_importance double precision,
               consolidate_after_days double precision)
language plpgsql stable rows 1 as $$
declare
    own jsonb;
begin
    perform memory_internal.enter_bank(bank);
    select b.settings into own from memory.bank b where b.bank_id = bank;
    return query select
        coalesce((own ->> 'landmark_valence')::double precision, 0.6),
        coalesce((own ->> 'landmark_importance')::double precision, 0.8),
        coalesce((own ->> 'recent_days')::double precision, 7),
        coalesce((own ->> 'recent_importance')::double precision, 0.7),
        coalesce((own ->> 'clarify_importance')::double precision, 0.8),
        coalesce((own ->> 'consolidate_after_days')::double precision, 30);
end $$;
