/**
 * How often in a row the running entry was taken over from a worker that did not come back. Versions before this one
 * leave it as it is, so it means nothing unless something runs, and a worker that claims a waiting entry begins at
 * zero.
 */
export const takeovers = {
  name: "0005-takeovers",
  statements: ["alter table queue_place add column running_takeovers integer"],
} as const;
