import { z } from "zod";

/** Lines of JSON: a head; for each table its columns and its rows as text; an end with counts, for completeness. */
export const dumpFormat = 1;

export const DumpHead = z.object({
  drover: z.literal("dump"),
  format: z.literal(dumpFormat),
  migrations: z.array(z.string()),
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

/** Not in a dump: the import makes the tables anew. */
export const migrationTable = "migration";

export class DumpError extends Error {
  override readonly name = "DumpError";
}
