-- Facts for people: what S1 3.2 and S2 tell of one, as it stands now.
create or replace view analytics.fact with (security_invoker = true) as
select f.bank_id, f.memory_id, f.fact, f.subject, f.attribute, f.value, f.status,
       memory_internal.effective_confidence(
           f.confidence, f.importance, f.last_confirmed, f.status, f.pinned, f.attribute, f.contradicted_at,
           now()) as confidence,
       f.confidence as stored_confidence, f.importance, f.evidence_count, f.first_observed, f.last_confirmed,
       f.valid_from, f.valid_to, f.superseded_by, f.merged_into_id, f.retracted_at, f.pinned, f.unconfirmed,
       f.derived_from, f.version_history, f.contradictions, f.tags, f.recorded_at
  from memory_api.fact_entry f;
comment on view analytics.fact is
    'S1, S2: what is held to be true of a bank''s world, and what was. Believed now are those of status tentative or stable '
    'whose time it is: valid_from <= now() and (valid_to is null or valid_to > now()).';
comment on column analytics.fact.bank_id is 'The bank that it belongs to.';
comment on column analytics.fact.memory_id is 'The fact''s id.';
comment on column analytics.fact.fact is 'What is true, in words.';
comment on column analytics.fact.subject is 'Whom it is about, where that is known; user is who speaks.';
comment on column analytics.fact.attribute is 'What about them, where that is known: lives_in, works_at, likes.';
comment on column analytics.fact.value is 'Its value, where that is known.';
comment on column analytics.fact.status is
    'tentative; stable (three episodes say so, none against it); deprecated (no longer believed, or retracted); '
    'merged_into (another one stands for it). One that was superseded keeps its status and has a valid_to.';
comment on column analytics.fact.confidence is 'How sure it is now, 0 to 1: it fades from the last confirmation on.';
comment on column analytics.fact.stored_confidence is 'How sure it was when it was last confirmed, 0 to 1.';
comment on column analytics.fact.importance is 'The largest importance of its evidence, 0 to 1.';
comment on column analytics.fact.evidence_count is 'How many episodes say so.';
comment on column analytics.fact.first_observed is 'When it was first said.';
comment on column analytics.fact.last_confirmed is 'When it was last said or confirmed.';
comment on column analytics.fact.valid_from is 'Since when it is true.';
comment on column analytics.fact.valid_to is 'Until when it was true; null while it is.';
comment on column analytics.fact.superseded_by is 'The fact that became true in its place.';
comment on column analytics.fact.merged_into_id is 'The fact that stands for this one.';
comment on column analytics.fact.retracted_at is 'When somebody said that it was wrong; null where nobody did.';
comment on column analytics.fact.pinned is 'Whether it is kept from fading.';
comment on column analytics.fact.unconfirmed is 'Whether it is in a conflict that is still to be settled.';
comment on column analytics.fact.derived_from is 'S1, S2: the ids of the episodes that say so, the oldest first.';
comment on column analytics.fact.version_history is
    'S2: what it said before and what held in its place before it, [{fact, retired, reason}], the oldest first. Every state '
    'of it is in memory.fact_version.';
comment on column analytics.fact.contradictions is 'S1, S2: the ids of facts that contradict it.';
comment on column analytics.fact.tags is 'Its tags.';
comment on column analytics.fact.recorded_at is 'When we heard of it.';
