-- Returns the texts of norms in force that lack a vector of the bank's embedding model: part 0 is the norm, part 1 its
-- situation. Style, sensitivity by observation and phase need none. Called by the worker ('relational').
create or replace function memory_api.norms_to_embed(bank text)
returns table (norm_id uuid, part smallint, text text, model_id text)
language plpgsql as $$
begin
    perform memory_internal.enter_bank(bank);
    return query
        select n.memory_id, p.part, p.text, b.embedding_model
          from memory.relational_memory n
          join memory.bank b on b.bank_id = n.bank_id
         cross join lateral (values (0::smallint, n.norm), (1::smallint, n.situation)) as p (part, text)
         where n.bank_id = bank and n.valid_to is null and n.status <> 'deprecated' and p.text <> ''
           and n.kind in ('preference', 'instruction')
           and not exists (select from memory.relational_vector v
                            where v.bank_id = bank and v.model_id = b.embedding_model and v.norm_id = n.memory_id
                              and v.part = p.part)
         order by n.memory_id, p.part;
end $$;
