-- Writes the vectors of a batch of one bank, activates its episodes or merges them into the active episode that they
-- duplicate (reinforce_episode), and completes their work rows; only for leases that are still valid. Returns the
-- number activated. Called by the worker ('embed'), once per bank.
-- Locks: the bank lock, so that of two concurrent duplicates the second finds the first; then the leases and the
-- episodes in the order of their ids. An episode that is already active without its vector (embedding_fallback) gets
-- it here. `merges` and `links` are features of the bank; a verbatim bank merges nothing. Enforces the caps after
-- every 50 activations.
-- Generic plans, which the functions that it calls inherit, halve the time of one activation at least: nearly all of
-- it was planning. All indexes begin with bank_id, so that one plan serves every bank.
create or replace function memory_api.activate_episodes(
    bank text, model text, memories uuid[], tokens uuid[],
    part_memories uuid[], parts integer[], embeddings public.halfvec[],
    merges boolean default true, links boolean default true, at timestamptz default now(),
    default_intake text default null)
returns integer
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
    link_threshold double precision;
    leased uuid[];
    pending uuid[];
    fingerprints bigint[];
    known_fingerprints bigint[];
    possible_duplicates uuid[] := '{}';
    near_episodes uuid[];
    near_others uuid[];
    similarities double precision[];
    activated integer;
    this_episode uuid;
    duplicate_of uuid;
begin
    perform memory_internal.lock_bank_of_model(bank, model);
    select activate_episodes.merges and memory_internal.bank_intake(b.settings, default_intake) <> 'verbatim'
      into merges
      from memory.bank b
     where b.bank_id = bank;
    leased := array(select h::uuid from memory_internal.lock_leases(bank, 'embed', memories::text[], tokens) as h);
    pending := array(
        select e.memory_id
          from memory.episodic_memory e
         where e.bank_id = bank and e.memory_id = any (leased) and e.status in ('pending_embedding', 'active')
         order by e.memory_id
           for no key update);
    insert into memory.memory_vector (bank_id, memory_id, model_id, part, tier, embedding)
    select bank, p.memory_id, model, p.part, 'episodic', p.embedding
      from unnest(part_memories, parts, embeddings) as p (memory_id, part, embedding)
     where p.memory_id = any (pending)
    on conflict on constraint memory_vector_pkey do update set embedding = excluded.embedding;
    perform memory_internal.index_vectors(bank, pending);
    perform memory_internal.drop_other_vectors(bank, pending);
    if exists (select from unnest(leased) as l where l <> all (pending)) then
        perform memory_internal.write_lost_vectors(bank, model, leased, part_memories, parts, embeddings);
    end if;

    if links then
        select t.evidence into link_threshold from memory_api.bank_thresholds(bank, model) as t;
        -- Texts of several parts are not linked by similarity: one near part says little about the others.
        select array_agg(n.memory_id), array_agg(n.other_id), array_agg(n.similarity)
          into near_episodes, near_others, similarities
          from (
            select array_agg(p.memory_id) as memories, array_agg(p.embedding) as embeddings
              from unnest(part_memories, parts, embeddings) as p (memory_id, part, embedding)
             where p.memory_id = any (pending) and p.part = 0
               and not exists (select from unnest(part_memories, parts) as more (memory_id, part)
                                where more.memory_id = p.memory_id and more.part > 0
                                  and more.part < memory_internal.first_reply_part())
          ) as whole
         cross join lateral memory_internal.nearest_episodes(
            bank, model, whole.memories, whole.embeddings, link_threshold) as n;
    end if;
    if merges then
        -- Fingerprints of the batch, and of active episodes written without `merges`, 200 at a time: a bank may have a
        -- hundred thousand of them.
        update memory.episodic_memory e
           set fingerprint = memory_internal.text_fingerprint(e.summary)
         where e.bank_id = bank and e.fingerprint is null
           and e.memory_id = any (pending || array(
                select k.memory_id from memory.episodic_memory k
                 where k.bank_id = bank and k.fingerprint is null and k.status = 'active'
                 limit 200));
        fingerprints := array(select e.fingerprint from memory.episodic_memory e
                       where e.bank_id = bank and e.memory_id = any (pending));
        known_fingerprints := array(select distinct k.fingerprint from memory.episodic_memory k
                              where k.bank_id = bank and k.fingerprint = any (fingerprints) and k.status = 'active'
                                and k.memory_id <> all (pending));
        possible_duplicates := array(
            select o.memory_id
              from (select e.memory_id, e.fingerprint, count(*) over (partition by e.fingerprint) as same_fingerprint
                      from memory.episodic_memory e
                     where e.bank_id = bank and e.memory_id = any (pending)) as o
             where (o.same_fingerprint > 1 or o.fingerprint = any (known_fingerprints))
               and not exists (select from unnest(part_memories, parts) as more (memory_id, part)
                                where more.memory_id = o.memory_id and more.part > 0
                                  and more.part < memory_internal.first_reply_part())
             order by o.memory_id);
    end if;

    -- Episodes without a match are activated at once; possible duplicates one by one, each compared with those before.
    activated := memory_internal.set_episodes_status(
        bank, array(select f from unnest(pending) as f where f <> all (possible_duplicates)),
        array['pending_embedding'], 'active',
        'embedded', 'worker', at);
    for place in 1..cardinality(possible_duplicates) loop
        this_episode := possible_duplicates[place];
        duplicate_of := memory_internal.find_duplicate(bank, model, this_episode, possible_duplicates[place + 1:]);
        if duplicate_of is null then
            activated := activated + memory_internal.set_episodes_status(
                bank, array[this_episode], array['pending_embedding'], 'active', 'embedded', 'worker', at);
        else
            perform memory_internal.reinforce_episode(bank, this_episode, duplicate_of, at);
        end if;
    end loop;

    if links then
        perform memory_internal.link_episodes(
            bank, pending, near_episodes, near_others, similarities, link_threshold, at);
    end if;
    perform memory_internal.complete_leases(bank, 'embed', memories::text[], tokens, at);
    if cardinality(pending) > 0 and memory_internal.mark_bank_due(bank, activated, at) then
        perform from memory_api.enforce_caps(
            bank, at => activate_episodes.at, default_intake => activate_episodes.default_intake);
    end if;
    return activated;
end $$;
