/**
 * Since when a pull is merged or closed with nothing left to do, so that it can be forgotten some day. Null while it is
 * open; versions before this one leave it as it is, which costs no more than a look at the pull's own notes.
 */
export const endedPulls = {
  name: "0006-ended-pulls",
  statements: [
    "alter table pull add column ended_at bigint",
    "create index pull_ended on pull (ended_at) where ended_at is not null",
  ],
} as const;
