/** Valid for that version of the row: a later save voids it, also by a version that does not know these columns. */
export const endedPulls = {
  name: "0006-ended-pulls",
  statements: [
    "alter table pull add column ended_at bigint, add column ended_version integer",
    "create index pull_ended on pull (ended_at) where ended_at is not null",
  ],
} as const;
