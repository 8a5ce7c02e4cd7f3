-- Returns the norm that now holds in a slot, or null. Norms of one slot follow each other, so there is at most one.
create or replace function memory_internal.norm_in_force(bank text, kind text, slot text)
returns memory.relational_memory
language plpgsql stable as $$
declare
    present memory.relational_memory;
begin
    perform memory_internal.enter_bank(bank);
    select n.* into present
      from memory.relational_memory n
     where n.bank_id = bank and n.kind = norm_in_force.kind and n.slot = norm_in_force.slot and n.valid_to is null
       and n.status <> 'deprecated';
    return present;
end $$;
