/** Older versions write no origin: those entries share one. The expression in the index keeps it from other queries. */
export const fairTurns = {
  name: "0007-fair-turns",
  statements: [
    `alter table queue_place add column origin text collate "C" not null default ''`,
    `create index queue_origins on queue_place (
      ((instance || '/' || queue || '/' || due_priority::text) collate "C"), origin, due_at, due_order
    ) where due_at is not null`,
  ],
} as const;
