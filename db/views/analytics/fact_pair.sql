-- Decisions of pair judging by language models, with the present texts of both facts.
create or replace view analytics.fact_pair with (security_invoker = true) as
select p.bank_id, p.one_id, one.fact as one, p.other_id, other.fact as other, p.similarity, p.decision as verdict, p.judged_by,
       p.judged_at
  from memory.fact_pair p
  join memory.semantic_memory one on one.bank_id = p.bank_id and one.memory_id = p.one_id
  join memory.semantic_memory other on other.bank_id = p.bank_id and other.memory_id = p.other_id;
comment on view analytics.fact_pair is
    'Pairs of similar facts that no rule decides: the decision of a language model, one per pair.';
comment on column analytics.fact_pair.bank_id is 'The bank.';
comment on column analytics.fact_pair.one_id is 'Id of one fact; the order within a pair has no meaning.';
comment on column analytics.fact_pair.one is 'Its present text.';
comment on column analytics.fact_pair.other_id is 'Id of the other fact.';
comment on column analytics.fact_pair.other is 'Its present text.';
comment on column analytics.fact_pair.similarity is 'Cosine of the two by the bank''s embedding model at the time.';
comment on column analytics.fact_pair.verdict is
    'same; compatible: both can be true; successor: the newer replaced the older, which was true until then; '
    'conflict: one of them is wrong (also in memory.fact_conflict).';
comment on column analytics.fact_pair.judged_by is 'The language model.';
comment on column analytics.fact_pair.judged_at is 'When it was judged.';
