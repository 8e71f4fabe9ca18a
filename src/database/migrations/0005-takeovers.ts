/** Older versions leave the column as it is, so it counts only while an entry runs, and a new claim begins at zero. */
export const takeovers = {
  name: "0005-takeovers",
  statements: ["alter table queue_place add column running_takeovers integer"],
} as const;
