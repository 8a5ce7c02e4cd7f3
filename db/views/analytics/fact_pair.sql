-- What language models judged of facts that lie near each other and that no rule tells apart.
create or replace view analytics.fact_pair with (security_invoker = true) as
select p.bank_id, p.one_id, one.fact as one, p.other_id, other.fact as other, p.similarity, p.verdict, p.judged_by,
       p.judged_at
  from memory.fact_pair p
  join memory.semantic_memory one on one.bank_id = p.bank_id and one.memory_id = p.one_id
  join memory.semantic_memory other on other.bank_id = p.bank_id and other.memory_id = p.other_id;
comment on view analytics.fact_pair is
    'Pairs of facts that could contradict each other and that no rule judges: what a language model said, once for each.';
comment on column analytics.fact_pair.bank_id is 'The bank that they are in.';
comment on column analytics.fact_pair.one_id is 'One of the two; the order of a pair means nothing.';
comment on column analytics.fact_pair.one is 'What it says, in its present words.';
comment on column analytics.fact_pair.other_id is 'The other one.';
comment on column analytics.fact_pair.other is 'What that says.';
comment on column analytics.fact_pair.similarity is 'Cosine of the two, by the embedding model of the bank then.';
comment on column analytics.fact_pair.verdict is
    'same; compatible: both can be true; successor: the newer replaced the older, which was true until then; conflict: one of '
    'them must be wrong (then memory.fact_conflict has it too).';
comment on column analytics.fact_pair.judged_by is 'The language model.';
comment on column analytics.fact_pair.judged_at is 'When it was asked.';
