-- One call per bank: writes the vectors of a batch and activates its episodes, or finds that one says again what is
-- known and reinforces that instead; each only where its lease is still ours, and completes their work.
-- The bank's lock comes first, so that of two that say the same one is the second, whoever works on them; then rows in
-- the order of their ids (promise 8). An episode that is active without its vector (embedding_fallback) gets it here.
-- `merges` and `links` are features of the bank; a verbatim bank keeps everything apart.
-- Every 50 activations the bank is brought within its caps. The answer is the number of episodes that became active.
-- With generic plans, which the functions it calls take over, one activation takes half the time or less: nearly all was
-- planning. Indexes begin with the bank, so one plan serves every bank.
create or replace function memory_api.activate_episodes(
    bank text, model text, memories uuid[], tokens uuid[],
    part_memories uuid[], parts integer[], embeddings public.halfvec[],
    merges boolean default true, links boolean default true, at timestamptz default now())
returns integer
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
    near_from double precision;
    held uuid[];
    fresh uuid[];
    said bigint[];
    said_before bigint[];
    doubtful uuid[] := '{}';
    near_memories uuid[];
    near_others uuid[];
    similarities double precision[];
    activated integer;
    mine uuid;
    known uuid;
begin
    perform memory_internal.enter_bank(bank);
    select activate_episodes.merges and b.settings ->> 'intake' is distinct from 'verbatim' into merges
      from memory.bank b
     where b.bank_id = bank
       for no key update;
    held := array(select h::uuid from memory_internal.lock_leases(bank, 'embed', memories::text[], tokens) as h);
    fresh := array(
        select e.memory_id
          from memory.episodic_memory e
         where e.bank_id = bank and e.memory_id = any (held) and e.status in ('pending_embedding', 'active')
         order by e.memory_id
           for no key update);
    insert into memory.memory_vector (bank_id, memory_id, model_id, part, tier, embedding)
    select bank, p.memory_id, model, p.part, 'episodic', p.embedding
      from unnest(part_memories, parts, embeddings) as p (memory_id, part, embedding)
     where p.memory_id = any (fresh)
    on conflict on constraint memory_vector_pkey do update set embedding = excluded.embedding;
    perform memory_internal.index_vectors(bank, fresh);

    if links then
        select t.evidence into near_from from memory_api.bank_thresholds(bank, model) as t;
        -- A long text of several parts takes no part: one part that is near says little of the others.
        select array_agg(n.memory_id), array_agg(n.other_id), array_agg(n.similarity)
          into near_memories, near_others, similarities
          from (
            select array_agg(p.memory_id) as memories, array_agg(p.embedding) as embeddings
              from unnest(part_memories, parts, embeddings) as p (memory_id, part, embedding)
             where p.memory_id = any (fresh) and p.part = 0
               and not exists (select from unnest(part_memories, parts) as more (memory_id, part)
                                where more.memory_id = p.memory_id and more.part > 0
                                  and more.part < memory_internal.first_reply_part())
          ) as whole
         cross join lateral memory_internal.nearest_episodes(
            bank, model, whole.memories, whole.embeddings, near_from) as n;
    end if;
    if merges then
        -- Those of the batch, and the active ones from when nothing was merged here, some at a time: a bank may have a
        -- hundred thousand, and nobody waits for all of them.
        update memory.episodic_memory e
           set said_key = memory_internal.text_fingerprint(e.summary)
         where e.bank_id = bank and e.said_key is null
           and e.memory_id = any (fresh || array(
                select k.memory_id from memory.episodic_memory k
                 where k.bank_id = bank and k.said_key is null and k.status = 'active'
                 limit 200));
        said := array(select e.said_key from memory.episodic_memory e
                       where e.bank_id = bank and e.memory_id = any (fresh));
        said_before := array(select distinct k.said_key from memory.episodic_memory k
                              where k.bank_id = bank and k.said_key = any (said) and k.status = 'active'
                                and k.memory_id <> all (fresh));
        doubtful := array(
            select o.memory_id
              from (select e.memory_id, e.said_key, count(*) over (partition by e.said_key) as alike
                      from memory.episodic_memory e
                     where e.bank_id = bank and e.memory_id = any (fresh)) as o
             where (o.alike > 1 or o.said_key = any (said_before))
               and not exists (select from unnest(part_memories, parts) as more (memory_id, part)
                                where more.memory_id = o.memory_id and more.part > 0
                                  and more.part < memory_internal.first_reply_part())
             order by o.memory_id);
    end if;

    -- What nothing else says becomes active at once; the others one by one, each against those before it.
    activated := memory_internal.set_episodes_status(
        bank, array(select f from unnest(fresh) as f where f <> all (doubtful)), array['pending_embedding'], 'active',
        'embedded', 'worker', at);
    for place in 1..cardinality(doubtful) loop
        mine := doubtful[place];
        known := memory_internal.find_duplicate(bank, model, mine, doubtful[place + 1:]);
        if known is null then
            activated := activated + memory_internal.set_episodes_status(
                bank, array[mine], array['pending_embedding'], 'active', 'embedded', 'worker', at);
        else
            perform memory_internal.reinforce_episode(bank, mine, known, at);
        end if;
    end loop;

    if links then
        perform memory_internal.link_episodes(
            bank, fresh, near_memories, near_others, similarities, near_from, at);
    end if;
    perform memory_internal.complete_leases(bank, 'embed', memories::text[], tokens, at);
    if cardinality(fresh) > 0 and memory_internal.mark_bank_due(bank, activated, at) then
        perform from memory_api.enforce_caps(bank, at => activate_episodes.at);
    end if;
    return activated;
end $$;
