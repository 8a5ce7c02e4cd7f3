-- For those who run Citus already: calls about a bank run on the node that has the bank. Its limits, and the steps
-- before and after it, are in docs/servers.md (Citus). Run it with psql on the coordinator as its administrator, after
-- `migrate` of every node, and again after each `migrate`.
--
-- Each node is a whole installation with local tables. One table without rows is distributed, and the functions about
-- a bank are distributed beside it: Citus passes a call to the node whose shard has the hash of the bank, and the
-- function reads and writes the tables of that node.
--
-- This way was tried on Citus 14.0.1 with a coordinator and two nodes. This file was not: the tests run it against
-- functions with the signatures of those of Citus, and have no Citus.
set citus.enable_ddl_propagation to on;

create schema if not exists memory_citus;
create table if not exists memory_citus.bank (bank text, constraint bank_pkey primary key (bank));

select create_distributed_table('memory_citus.bank', 'bank', colocate_with => 'none')
 where not exists (select from pg_dist_partition p where p.logicalrelid = 'memory_citus.bank'::regclass);

-- Not distributed: lock_place is about the map of servers. list_dead_work and queue_stats take null for all banks, and
-- a distributed function that is called with null in its distribution argument crashes the node.
select create_distributed_function(p.oid::regprocedure, 'bank', colocate_with => 'memory_citus.bank')
  from pg_proc p
 where p.pronamespace = 'memory_api'::regnamespace and p.proargnames[1] = 'bank'
   and p.proname not in ('lock_place', 'list_dead_work', 'queue_stats')
 order by p.oid::regprocedure::text;
