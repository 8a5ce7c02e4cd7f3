-- Returns the episodes of a bank for people, oldest first: without quarantined ones, and without duplicates, which the
-- episode that they are merged into stands for. `role` and `name` are those of the speaker (first_words). The caller
-- reads it with a cursor, so that a bank of any size takes little memory.
create or replace function memory_api.export_episodes(bank text)
returns table (occurred_at timestamptz, content text, role text, name text, source text, status text, is_summary boolean,
               represents integer, imported_from text)
language plpgsql stable as $$
begin
    perform memory_internal.require_bank(bank);
    return query
        select e.occurred_at, e.summary, p.said ->> 'role', p.said ->> 'name', e.source, e.status,
               e.summarizes is not null, e.represents, e.metadata ->> 'imported_from'
          from memory.episodic_memory e
         cross join lateral memory_internal.first_words(e.full_text) as p (said)
         where e.bank_id = bank and memory_internal.is_for_people(e.status)
         order by e.occurred_at, e.memory_id;
end $$;
