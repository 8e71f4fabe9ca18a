import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { openEmbedded } from "#database/open-embedded.ts";
import { embeddedTemplate, makeEmbeddedFolder } from "#harness/embedded-template.ts";
import type { Fate } from "./disk-model.ts";
import { type RecordedDisk, recordDisk } from "./recorded-disk.ts";
import { type SeededChance, seededChance } from "./seeded-chance.ts";

const seed = 20_260_101;
const cutsMax = 5;
const rowsMax = 50;
/** A commit makes one write and one sync; a checkpoint dozens. */
const operationsMax = 12;

/** Each look at what is left starts an engine, which first syncs its whole folder. */
const timeout = 240_000;

interface Cut {
  readonly folder: string;
  /** What had been answered when the power went. */
  readonly answered: readonly number[];
}

type Run = (statement: string) => Promise<unknown>;

let place: string;
beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), "drover-cut-"));
});
afterEach(async () => rm(place, { recursive: true, force: true }));

/** Rows of all sizes, one commit each, between checkpoints, vacuums, and new files of the log. */
async function workUnderCuts(options: {
  readonly run: Run;
  readonly disk: RecordedDisk;
  readonly chance: SeededChance;
  readonly fateOf: (cut: number) => Fate;
}): Promise<readonly Cut[]> {
  const { run, disk, chance, fateOf } = options;
  const cuts: Cut[] = [];
  const answered: number[] = [];
  await run("create table sheep (number integer primary key, wool text not null)");
  for (let number = 1; number <= rowsMax; number += 1) {
    if (number % (rowsMax / cutsMax) === 1) {
      let countdown = chance(operationsMax);
      disk.onOperation = () => {
        if (countdown === 0) {
          const folder = join(place, `cut-${cuts.length}`);
          disk.cut(join(folder, "engine"), fateOf(cuts.length));
          cuts.push({ folder, answered: [...answered] });
        }
        countdown -= 1;
      };
    }
    await run(`insert into sheep values (${number}, repeat('wool ', ${chance(3000)}))`);
    answered.push(number);
    if (number % 9 === 0) await run("checkpoint");
    if (number % 13 === 0) await run("select pg_switch_wal()");
    if (number % 25 === 0) await run("vacuum (analyze) sheep");
    if (number % 17 === 0) await run(`create table pen_${number} as select * from sheep`);
  }
  disk.onOperation = () => undefined;
  return cuts;
}

type Found =
  | { readonly kind: "opened"; readonly lost: readonly number[]; readonly extra: number }
  | { readonly kind: "gone" };

async function findAfter({ folder, answered }: Cut): Promise<Found> {
  try {
    const database = await openEmbedded({ folder });
    try {
      const { rows } = await sql<{ number: number }>`select number from sheep order by wool, number`.execute(
        database.db,
      );
      const found = new Set(rows.map(({ number }) => number));
      const lost = answered.filter((number) => !found.has(number));
      return { kind: "opened", lost, extra: found.size + lost.length - answered.length };
    } finally {
      await database.close();
    }
  } catch {
    return { kind: "gone" };
  }
}

describe("a power cut", () => {
  it(`takes nothing that was answered (seed ${seed})`, { timeout }, async () => {
    const { folder, remove } = await makeEmbeddedFolder();
    onTestFinished(remove);
    const chance = seededChance(seed);
    const disk = recordDisk(join(folder, "engine"));
    onTestFinished(disk.stop);
    const database = await openEmbedded({ folder });
    const run: Run = (statement) => sql.raw(statement).execute(database.db);
    const cuts = await workUnderCuts({ run, disk, chance, fateOf: (cut) => (cut === 0 ? "lost" : chance) });
    await database.close();
    disk.stop();
    expect(cuts).toHaveLength(cutsMax);
    for (const cut of cuts) {
      const found = await findAfter(cut);
      expect(found).toMatchObject({ kind: "opened", lost: [] });
      // The one that was under way may have made it.
      expect(found).toHaveProperty(
        "extra",
        expect.toSatisfy((extra: number) => extra === 0 || extra === 1),
      );
    }
  });

  it("would take what was answered from PGlite as it is shipped", { timeout }, async () => {
    const { folder, remove } = await makeEmbeddedFolder();
    onTestFinished(remove);
    const disk = recordDisk(join(folder, "engine"));
    onTestFinished(disk.stop);
    const pglite = await PGlite.create(join(folder, "engine"));
    const run: Run = (statement) => pglite.query(statement);
    const cuts = await workUnderCuts({ run, disk, chance: seededChance(seed), fateOf: () => "lost" });
    await pglite.close();
    disk.stop();
    expect(cuts).toHaveLength(cutsMax);
    const last = cuts.at(-1) ?? { folder: "", answered: [] };
    expect(last.answered).not.toEqual([]);
    expect(await findAfter(last)).toEqual({ kind: "gone" });
  });

  it("during the very first start leaves a folder that starts", { timeout }, async () => {
    const { tar: template } = await embeddedTemplate();
    const folder = join(place, "first");
    await mkdir(folder);
    const disk = recordDisk(folder);
    onTestFinished(disk.stop);
    const cuts: string[] = [];
    disk.onOperation = ({ kind, path }) => {
      const isTurn = kind === "rename" && path === join(folder, "engine");
      const isAfter = cuts.length > 0 && kind === "write";
      if (cuts.length > 1 || !(isTurn || isAfter)) return;
      const target = join(place, `first-cut-${cuts.length}`);
      cuts.push(target);
      disk.cut(target, "lost");
    };
    await (await openEmbedded({ folder, template })).close();
    disk.stop();
    // Just before the folder got its name, and at the first write after that.
    expect(cuts.map((cut) => existsSync(join(cut, "engine")))).toEqual([false, true]);
    for (const cut of cuts) {
      const database = await openEmbedded({ folder: cut, template });
      expect((await sql<{ one: number }>`select 1 as one`.execute(database.db)).rows).toEqual([{ one: 1 }]);
      await database.close();
    }
  });
});
