/**
 * Whose turn it is: the origin of what is under a key, so that turns go around among origins. A version before this one
 * writes none, and what it puts in shares the turns of the empty origin. The index leads from one origin that waits to the
 * next. Its first part is an expression, so that it cannot be taken for another one either.
 */
export const fairTurns = {
  name: "0007-fair-turns",
  statements: [
    `alter table queue_place add column origin text collate "C" not null default ''`,
    `create index queue_origins on queue_place (
      ((instance || '/' || queue || '/' || due_priority::text) collate "C"), origin, due_at, due_order
    ) where due_at is not null`,
  ],
} as const;
