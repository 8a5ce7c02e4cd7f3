-- Deprecates the open facts of a bank with a confidence below its deprecation_confidence (0.3) at `at`; returns
-- their ids. A stable fact keeps 0.35 and a pinned one does not decay; superseded facts stay unchanged, because they
-- were true. Later evidence that raises the confidence restores a faded fact (refresh_facts). Before that, restores
-- faded facts that the present decay rate or limit would not have deprecated. Called by the nightly confidence pass.
-- Takes the bank lock unless `dry_run`.
create or replace function memory_api.fade_facts(bank text, at timestamptz default now(), dry_run boolean default false)
returns uuid[]
language plpgsql as $$
declare
    least_confidence constant double precision :=
        memory_internal.deprecation_confidence(memory_internal.bank_settings(bank));
    restored uuid[];
    faded uuid[];
begin
    perform memory_internal.require_bank(bank);
    if not dry_run then
        perform from memory.bank b where b.bank_id = bank for no key update;
        restored := array(
            select f.memory_id
              from memory.semantic_memory f
             where f.bank_id = bank and f.status = 'deprecated' and f.dropped_at is null and f.retracted_at is null
               and f.merged_into_id is null
               and memory_internal.effective_confidence(
                       f.confidence, f.importance, f.last_confirmed, 'tentative', f.pinned,
                       memory_internal.decay_attribute(f.attribute, f.extracted_by),
                       f.contradicted_at, coalesce(f.faded_at, f.last_confirmed)) >= least_confidence
             order by f.memory_id);
        if restored <> '{}' then
            perform memory_internal.refresh_facts(
                bank, restored, 'above the present deprecation confidence', 'night', at);
        end if;
    end if;
    faded := array(
        select f.memory_id
          from memory.semantic_memory f
         where f.bank_id = bank and f.status in ('tentative', 'stable') and f.valid_to is null
           and memory_internal.fact_confidence(f, at) < least_confidence
         order by f.memory_id);
    if faded <> '{}' and not dry_run then
        update memory.semantic_memory f
           set faded_at = at
         where f.bank_id = bank and f.memory_id = any (faded);
        perform memory_internal.refresh_facts(bank, faded, 'faded below ' || least_confidence, 'night', at);
        perform memory_internal.create_clarifications(bank, faded, at);
    end if;
    return faded;
end $$;
