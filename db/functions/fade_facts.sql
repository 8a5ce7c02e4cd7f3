-- Deprecates what is open and has faded below 0.3 by `at` (S1 6.2), without new evidence; the answer is which. A stable
-- fact keeps 0.35 and a pinned one all it has; of what was superseded nothing is to be forgotten: it was true. What makes a
-- faded fact surer brings it back (memory_api.settle_facts).
create or replace function memory_api.fade_facts(bank text, at timestamptz default now(), dry_run boolean default false)
returns uuid[]
language plpgsql as $$
declare
    faded uuid[];
begin
    perform memory_api.require_bank(bank);
    if not dry_run then
        perform from memory.bank b where b.bank_id = bank for no key update;
    end if;
    faded := array(
        select f.memory_id
          from memory.semantic_memory f
         where f.bank_id = bank and f.status in ('tentative', 'stable') and f.valid_to is null
           and memory_api.effective_confidence(
                   f.confidence, f.importance, f.last_confirmed, f.status, f.pinned, at) < 0.3
         order by f.memory_id);
    if faded <> '{}' and not dry_run then
        update memory.semantic_memory f
           set faded_at = at
         where f.bank_id = bank and f.memory_id = any (faded);
        perform memory_api.settle_facts(bank, faded, 'faded below 0.3', 'night', at);
        perform memory_api.ask_about(bank, faded, at);
    end if;
    return faded;
end $$;
