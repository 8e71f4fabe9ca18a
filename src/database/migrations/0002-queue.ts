/** One row per key: nothing is queued twice. Empty or full, a queue has one plan: each index serves one query. */
export const queueTable = {
  name: "0002-queue",
  statements: [
    "create sequence queue_order",
    `create table queue_place (
      instance text collate "C" not null,
      queue text collate "C" not null,
      key text collate "C" not null,
      waiting_at bigint,
      waiting_payload json,
      waiting_priority smallint,
      waiting_attempts integer,
      waiting_order bigint,
      running_until bigint,
      running_token text collate "C",
      running_payload json,
      running_priority smallint,
      running_attempts integer,
      running_order bigint,
      buried_since bigint,
      buried_why json,
      buried_payload json,
      buried_priority smallint,
      buried_attempts integer,
      due_at bigint generated always as (coalesce(running_until, waiting_at)) stored,
      due_priority smallint generated always as (coalesce(running_priority, waiting_priority)) stored,
      due_order bigint generated always as (coalesce(running_order, waiting_order)) stored,
      primary key (key, queue, instance),
      constraint whole_waiting check (num_nonnulls(
        waiting_at, waiting_payload, waiting_priority, waiting_attempts, waiting_order) in (0, 5)),
      constraint whole_running check (num_nonnulls(
        running_until, running_token, running_payload, running_priority, running_attempts, running_order) in (0, 6)),
      constraint whole_buried check (num_nonnulls(
        buried_since, buried_why, buried_payload, buried_priority, buried_attempts) in (0, 5)),
      constraint not_empty check (num_nonnulls(due_at, buried_since) = 1)
    )`,
    "create index queue_due on queue_place (instance, queue, due_priority, due_at, due_order) where due_at is not null",
    "create index queue_leases on queue_place (instance, queue, running_until) where running_until is not null",
    "create index queue_buried on queue_place (instance, buried_since) where buried_since is not null",
  ],
} as const;
