export const spending = {
  name: "0004-spending",
  statements: [
    `create table spend (
      id text collate "C" primary key,
      work text collate "C" not null,
      instance text collate "C" not null,
      repository_id text collate "C" not null,
      repository_name text collate "C" not null,
      pull integer not null,
      head text collate "C",
      role text collate "C",
      purpose text collate "C" not null,
      model text collate "C" not null,
      tokens_in bigint not null,
      tokens_cached bigint not null,
      tokens_out bigint not null,
      cost_micro_usd bigint not null,
      is_priced boolean not null,
      ms bigint not null,
      outcome text collate "C" not null,
      delivery text collate "C" not null,
      at bigint not null
    )`,
    "create index spend_at on spend (at)",
    "create index spend_of_pull on spend (repository_id, pull)",
    "create index spend_of_work on spend (work)",
    `create table reservation (
      work text collate "C" primary key,
      holder text collate "C" not null,
      instance text collate "C" not null,
      repository_id text collate "C" not null,
      pull integer not null,
      left_micro_usd bigint not null,
      until bigint not null
    )`,
  ],
} as const;
