import { z } from "zod";

/**
 * A dump is lines of JSON. After a head come, for each table, its name and columns and one line per row with the
 * values as text. The end counts them. Without its end a dump is not whole.
 */
export const dumpFormat = 1;

export const DumpHead = z.object({
  drover: z.literal("dump"),
  format: z.literal(dumpFormat),
  /** What had been done to the tables. */
  migrations: z.array(z.string()),
  /** How far each of the database's own counters has come; null: not used yet. */
  counters: z.record(z.string(), z.number().nullable()),
});
export type DumpHead = z.infer<typeof DumpHead>;

export const DumpTable = z.object({
  table: z.string(),
  columns: z.array(z.object({ name: z.string(), type: z.string() })).min(1),
});
export type DumpTable = z.infer<typeof DumpTable>;

export const DumpRow = z.array(z.string().nullable());

export const DumpEnd = z.object({ end: z.record(z.string(), z.number()) });

/** What is not carried over: it says what was done to the tables, which are made anew. */
export const migrationTable = "migration";

/** A dump that cannot be read in, or a database that it cannot be read into. */
export class DumpError extends Error {
  override readonly name = "DumpError";
}
