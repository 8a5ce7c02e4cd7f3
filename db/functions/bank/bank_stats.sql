-- Returns the counts of one bank as JSON: messages by status, memories, facts and procedures by status (believed facts
-- whose period has ended at `at` are counted as `ended`), the queue, a
-- re-embedding (empty without one), and model calls of the current UTC day. Called by GET /stats and the command
-- `stats`. Once `pending` and `depth` are 0, every message sent has a decision. `undecidable` counts pending messages
-- that no work item will ever decide (undecidable_messages), among those older than an hour, so that a backlog costs
-- nothing; it is 0 unless rows were written without these functions.
create or replace function memory_api.bank_stats(bank text, at timestamptz default now()) returns jsonb
language plpgsql as $$
begin
    perform memory_internal.require_bank(bank);
    return jsonb_build_object(
        'messages', (
            select jsonb_build_object(
                'total', coalesce(sum(s.n), 0),
                'pending', coalesce(sum(s.n) filter (where s.status = 'pending'), 0),
                'stored', coalesce(sum(s.n) filter (where s.status = 'stored'), 0),
                'refused', coalesce(sum(s.n) filter (where s.status = 'refused'), 0),
                'failed', coalesce(sum(s.n) filter (where s.status = 'failed'), 0))
              from (select m.status, count(*) as n from memory.message m
                     where m.bank_id = bank group by m.status) as s),
        'undecidable', jsonb_build_object('messages', memory_internal.undecidable_messages(bank, at - interval '1 hour')),
        'memories', (
            select coalesce(jsonb_object_agg(s.status, s.n), '{}')
              from (select e.status, count(*) as n from memory.episodic_memory e
                     where e.bank_id = bank group by e.status) as s),
        'facts', (
            select coalesce(jsonb_object_agg(s.status, s.n), '{}')
              from (select case when f.status in ('tentative', 'stable') and f.valid_to <= at then 'ended'
                                else f.status end as status, count(*) as n
                      from memory.semantic_memory f
                     where f.bank_id = bank group by 1) as s),
        'procedures', (
            select coalesce(jsonb_object_agg(s.status, s.n), '{}')
              from (select p.status, count(*) as n from memory.procedural_memory p
                     where p.bank_id = bank group by p.status) as s),
        'queue', memory_api.queue_stats(bank, at),
        'reembedding', coalesce((
            select jsonb_build_object(
                'status', r.status, 'embedding_model', r.embedding_model, 'other_model', r.other_model, 'texts', r.texts,
                'other_texts', r.other_texts)
              from memory_api.read_reembedding(bank) as r), '{}'),
        'spend', (
            select jsonb_build_object(
                'since', date_trunc('day', bank_stats.at, 'UTC'),
                'calls', count(*),
                'input_tokens', coalesce(sum(c.input_tokens), 0),
                'output_tokens', coalesce(sum(c.output_tokens), 0),
                'seconds', coalesce(sum(c.seconds), 0))
              from memory.model_call c
             where c.bank_id = bank and c.at >= date_trunc('day', bank_stats.at, 'UTC')));
end $$;
