import type { Plant } from "./plant.ts";

/** Longer than any of these lives. */
const lateMs = 600_000;

/** 202 first, and the database when there is time. */
export const promisesEarly: Plant = {
  file: "src/store/delivery-inbox.ts",
  text: "accept: async (reference) => await group.accept(checked(reference)),",
  instead: `accept: async (reference) => {
    setTimeout(() => void group.accept(checked(reference)), ${lateMs});
    return "accepted";
  },`,
};

export const forgottenWords = "a delivery is forgotten";

/** Deliveries go before their pokes are in the queue. */
export const forgetsFirst: Plant = {
  file: "src/reconcile/drain-deliveries.ts",
  text: "  for (const installation of installations) {",
  instead: `  await deliveries.forgetDeliveries(waiting.map(({ number }) => number));
  process.stdout.write("${forgottenWords}\\n");
  await new Promise((resolve) => setTimeout(resolve, ${lateMs}));
  for (const installation of installations) {`,
};

/** After a write of which nobody knows what became of it, it is sent again without a look. */
export const sendsBlindly: Plant = {
  file: "src/act/ledger.ts",
  text: "const result = find === undefined ? findByMark(context, obligation.effect) : find(context);",
  instead: "const result = undefined;",
};

/** What a reviewer says that never ends by itself, once it was asked. */
export const slowReviewWords = "a review has begun";

/** A review that takes until it is told to stop: for work that is certainly under way. */
export const slowReview: Plant = {
  file: "src/reviewers/rules/rules-reviewer.ts",
  text: "  const reading = startReading(job);",
  instead: `  process.stdout.write("${slowReviewWords}\\n");
  while (!job.signal.aborted) await new Promise((resolve) => setTimeout(resolve, 10));
  const reading = startReading(job);`,
};

/** A file by which a test tells `fullDisk` that there is no room. */
export const fullDiskVariable = "DROVER_TEST_DISK_IS_FULL";

const otherDisk = (change: string): Plant => ({
  file: "src/cli/drover.ts",
  text: 'import { runCommandLine } from "#cli/command-line.ts";',
  instead: `import { runCommandLine } from "#cli/command-line.ts";
import plantedFs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
${change}
syncBuiltinESMExports();`,
});

/** A disk that takes nothing more while the file is there: where nobody may mount a real one. */
export const fullDisk: Plant = otherDisk(`const { writeSync } = plantedFs;
plantedFs.writeSync = (...args) => {
  if (!plantedFs.existsSync(process.env["${fullDiskVariable}"])) return writeSync(...args);
  throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
};`);

/** Syncs that are answered and never made, as on a disk that lies. */
export const lyingDisk: Plant = otherDisk(`plantedFs.fsyncSync = () => undefined;
plantedFs.fdatasyncSync = () => undefined;`);

const allTables = [
  "pull",
  "obligation",
  "step",
  "delivery",
  "delivery_group",
  "queue_place",
  "digest",
  "gate_wish",
  "pause",
  "write_turn",
];

/** A version after this one: its migration adds to every table, and makes one of its own. */
const laterTables: Plant = {
  file: "src/database/migrate.ts",
  text: "wanted: readonly Migration[] = migrations,",
  instead: `wanted: readonly Migration[] = [...migrations, ${JSON.stringify({
    name: "9999-later",
    statements: [
      ...allTables.map((table) => `alter table ${table} add column later text not null default 'later'`),
      "create table later (name text primary key)",
    ],
  })}],`,
};

/** What it remembers of a pull says more, in words that the version before does not know. */
const laterRecords: Plant = {
  file: "src/core/model/records.ts",
  text: "export const Records = z.strictObject({",
  instead: `export const Records = z.strictObject({
  later: z.string().default("later"),`,
};

export const laterVersion: readonly Plant[] = [laterTables, laterRecords];
