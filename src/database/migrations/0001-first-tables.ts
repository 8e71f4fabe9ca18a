/** Keys compare by bytes: the order of a locale changes with the C library, and an index then misses its rows. */
export const firstTables = {
  name: "0001-first-tables",
  statements: [
    `create table pull (
      key text collate "C" primary key,
      version integer not null,
      content json not null
    )`,
    `create table obligation (
      key text collate "C" primary key,
      number bigint generated always as identity,
      pull text collate "C" not null,
      made json not null,
      note json not null,
      state json not null,
      state_kind text not null,
      is_noted boolean not null,
      text json,
      attempts integer not null,
      is_open boolean not null generated always as (
        case state_kind when 'ready' then attempts > 0 when 'done' then not is_noted else true end
      ) stored,
      lease_token text,
      lease_until bigint,
      check ((lease_token is null) = (lease_until is null))
    )`,
    "create index obligation_of_pull on obligation (pull, number)",
    "create index obligation_open on obligation (pull, number) where is_open",
    `create table step (
      job text collate "C" not null,
      step text collate "C" not null,
      result json not null,
      primary key (job, step)
    )`,
    'create table pause (instance text collate "C" primary key, until bigint not null)',
    'create table write_turn (instance text collate "C" primary key, at bigint not null)',
    `create table gate_wish (
      pull text collate "C" primary key,
      repository text collate "C" not null,
      head text collate "C" not null,
      wish json not null
    )`,
    "create index gate_wish_of_commit on gate_wish (repository, head)",
    'create table digest (pull text collate "C" primary key, digest json not null)',
    `create table delivery (
      number bigint generated always as identity primary key,
      instance text not null,
      repository_id text not null,
      repository_name text not null,
      pull integer not null,
      delivery text,
      kind text not null,
      received_at bigint not null
    )`,
  ],
} as const;
