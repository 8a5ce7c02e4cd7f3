-- Receipts of erasures, also of banks that were erased.
create or replace view analytics.erasure with (security_invoker = true) as
select e.bank_id, e.erasure_id, e.scope, e.selector, e.status, e.actor, e.key_id, e.reason, e.requested_at,
       e.unreachable_at, e.scrubbed_at, e.row_counts
  from memory.erasure e;
comment on view analytics.erasure is 'One row per erasure: its receipt, which holds no text and outlives its bank.';
comment on column analytics.erasure.bank_id is 'Id of the bank; a later bank of the same name has the same.';
comment on column analytics.erasure.erasure_id is 'Id of the erasure.';
comment on column analytics.erasure.scope is 'memory, conversation, period, agent, search or bank.';
comment on column analytics.erasure.selector is 'Times and hashes of ids that the request named.';
comment on column analytics.erasure.status is 'Level reached: unreachable or scrubbed.';
comment on column analytics.erasure.actor is 'Who erased.';
comment on column analytics.erasure.key_id is 'Id of the API key of the request; null without one.';
comment on column analytics.erasure.reason is 'Reason that the request gave.';
comment on column analytics.erasure.requested_at is 'When it was requested.';
comment on column analytics.erasure.unreachable_at is 'Since when no read returns the erased data.';
comment on column analytics.erasure.scrubbed_at is 'When tables, indexes and WAL were rewritten; null until then.';
comment on column analytics.erasure.row_counts is 'Rows deleted, by table.';
