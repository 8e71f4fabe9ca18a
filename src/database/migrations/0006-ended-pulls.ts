/**
 * Since when a pull is merged or closed with nothing left to do, so that it can be deleted some day. It holds for the
 * version of the row that was seen then. Saving the pull again makes it void, also by a version that does not know
 * these columns.
 */
export const endedPulls = {
  name: "0006-ended-pulls",
  statements: [
    "alter table pull add column ended_at bigint, add column ended_version integer",
    "create index pull_ended on pull (ended_at) where ended_at is not null",
  ],
} as const;
