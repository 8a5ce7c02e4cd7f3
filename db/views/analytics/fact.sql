-- Facts in their present state, with confidence decayed to now, for SQL users.
create or replace view analytics.fact with (security_invoker = true) as
select f.bank_id, f.memory_id, f.fact, f.subject, f.attribute, f.value, f.status,
       memory_internal.effective_confidence(
           f.confidence, f.importance, f.last_confirmed, f.status, f.pinned,
           memory_internal.decay_attribute(f.attribute, f.extracted_by), f.contradicted_at,
           now()) as confidence,
       f.confidence as stored_confidence, f.importance, f.evidence_count, f.first_observed, f.last_confirmed,
       f.valid_from, f.valid_to, f.superseded_by, f.merged_into_id, f.retracted_at, f.pinned, f.unconfirmed,
       f.derived_from, f.version_history, f.contradictions, f.tags, f.recorded_at
  from memory_api.fact_entry f;
comment on view analytics.fact is
    'Facts of a bank, past and present. Believed at present: status tentative or stable, valid_from <= now() and '
    '(valid_to is null or valid_to > now()).';
comment on column analytics.fact.bank_id is 'The bank.';
comment on column analytics.fact.memory_id is 'Id of the fact.';
comment on column analytics.fact.fact is 'The fact in words.';
comment on column analytics.fact.subject is
    'Person or thing that the fact is about, if known; user is the person who speaks.';
comment on column analytics.fact.attribute is 'Attribute of the subject, if known: lives_in, works_at, likes.';
comment on column analytics.fact.value is 'Value of the attribute, if known.';
comment on column analytics.fact.status is
    'tentative; stable (three episodes and no open conflict); deprecated (faded, dropped or retracted); merged_into '
    '(represented by another fact). A superseded fact keeps its status and has a valid_to.';
comment on column analytics.fact.confidence is 'Present confidence, 0 to 1; decays from the last confirmation on.';
comment on column analytics.fact.stored_confidence is 'Confidence as of the last evidence, 0 to 1.';
comment on column analytics.fact.importance is 'Highest importance of its evidence, 0 to 1.';
comment on column analytics.fact.evidence_count is 'Number of episodes that state it.';
comment on column analytics.fact.first_observed is 'When it was first stated.';
comment on column analytics.fact.last_confirmed is 'When it was last stated or confirmed.';
comment on column analytics.fact.valid_from is 'Start of the period in which it is true.';
comment on column analytics.fact.valid_to is 'End of that period; null while it is true.';
comment on column analytics.fact.superseded_by is 'Id of the fact that replaced it.';
comment on column analytics.fact.merged_into_id is 'Id of the fact that represents it.';
comment on column analytics.fact.retracted_at is 'When it was retracted as wrong; null otherwise.';
comment on column analytics.fact.pinned is 'Whether it is exempt from decay.';
comment on column analytics.fact.unconfirmed is 'Whether it has an open conflict.';
comment on column analytics.fact.derived_from is 'Ids of the episodes that state it, oldest first.';
comment on column analytics.fact.version_history is
    'Former wordings and replaced facts, oldest first: [{fact, retired, reason}]. All versions are in '
    'memory.fact_version.';
comment on column analytics.fact.contradictions is 'Ids of facts that contradict it.';
comment on column analytics.fact.tags is 'Tags.';
comment on column analytics.fact.recorded_at is 'When it was recorded (transaction time).';
