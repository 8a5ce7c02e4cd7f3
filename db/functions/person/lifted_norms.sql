-- Returns the speaker's instructions and sensitivities in force at `at` that a permission or withdrawal with this value
-- lifts: those whose words and situation fit each of `lifts`, a web search query ("job or work"). A value "no …" lifts
-- those that demand, "any" all, other values those that forbid. While the norm of the given slot is in force, which is
-- replaced, the slot's variants for a situation stay. Pinned norms stay. Called by write_stated_norms.
create or replace function memory_internal.lifted_norms(
    bank text, speaker text, lifts text[], value text, kind text, slot text, at timestamptz)
returns uuid[]
language sql stable as $$
    select coalesce(array_agg(n.memory_id order by n.memory_id), '{}')
      from memory.relational_memory n
     where n.bank_id = bank and cardinality(lifts) > 0 and n.kind in ('instruction', 'sensitivity') and n.valid_to is null
       and n.status <> 'deprecated' and not n.pinned and n.valid_from < at
       and (n.kind, n.slot) is distinct from (lifted_norms.kind, lifted_norms.slot)
       and starts_with(n.norm, speaker || ' ')
       and case when lifted_norms.value ~ '^no( |$)' then n.kind = 'instruction' and coalesce(n.value, '') !~ '^no( |$)'
                when lifted_norms.value = 'any' then true
                else n.kind = 'sensitivity' or n.value ~ '^no( |$)' end
       and not exists (select from unnest(lifts) as word
                        where not to_tsvector('english', n.norm || ' ' || n.situation)
                                  @@ websearch_to_tsquery('english', word))
       and not (starts_with(n.slot, lifted_norms.slot || ':')
                and (memory_internal.norm_in_force(bank, lifted_norms.kind, lifted_norms.slot)).memory_id is not null);
$$;
