import { inject } from "vitest";

/** A test that opens a database is not quick: its file belongs to another project. */
export function refuseInQuickTests(): void {
  if (inject("mayOpenDatabases")) return;
  throw new Error(
    "a quick test opens no database: name its file in tools/test-tiers.ts, or tag it where it is a story",
  );
}
