/** Reaching a limit keeps a pull from merging: what was cut off might have been a hold. */
export const limits = {
  /** Two times the largest pull that the benchmark runs with. */
  commentsMax: 20_000,
  reviewsMax: 5_000,
  threadsMax: 5_000,
  threadCommentsMax: 1_000,
  reactionsMax: 5_000,
  checksMax: 2_000,
  /** GitHub has a hundred at most. */
  labelsMax: 1_000,
  headsMax: 500,
  changedPathsMax: 20_000,
  bodyCharactersMax: 65_536,
} as const;

export type LimitName = keyof typeof limits;

export const limitNames: readonly [LimitName, ...LimitName[]] = [
  "commentsMax",
  "reviewsMax",
  "threadsMax",
  "threadCommentsMax",
  "reactionsMax",
  "checksMax",
  "labelsMax",
  "headsMax",
  "changedPathsMax",
  "bodyCharactersMax",
];
