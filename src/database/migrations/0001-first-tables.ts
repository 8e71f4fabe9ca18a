/** The store's tables and the deliveries that wait to be turned into pokes. */
export const firstTables = {
  name: "0001-first-tables",
  statements: [
    `create table pull (
      key text primary key,
      version integer not null,
      content json not null
    )`,
    `create table obligation (
      key text primary key,
      number bigint generated always as identity,
      pull text not null,
      made json not null,
      note json not null,
      state json not null,
      text json,
      attempts integer not null,
      is_open boolean not null,
      lease_token text,
      lease_until bigint
    )`,
    "create index obligation_of_pull on obligation (pull, number)",
    "create index obligation_open on obligation (pull, number) where is_open",
    `create table step (
      job text not null,
      step text not null,
      result json not null,
      primary key (job, step)
    )`,
    "create table pause (instance text primary key, until bigint not null)",
    "create table write_turn (instance text primary key, at bigint not null)",
    `create table gate_wish (
      pull text primary key,
      repository text not null,
      head text not null,
      state text not null,
      words json not null
    )`,
    "create index gate_wish_of_commit on gate_wish (repository, head)",
    "create table digest (pull text primary key, digest text not null)",
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
