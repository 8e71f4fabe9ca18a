import { sql } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";
import { openEmbedded } from "#database/open-embedded.ts";
import { makeEmbeddedFolder } from "#harness/embedded-template.ts";
import { bundleChild, startChild } from "./child.ts";

/** Rows until each kill: in the middle of the first log, around a checkpoint, and later. */
const killsAfter = [3, 21, 38];
const timeout = 180_000;

describe("kill -9 of a process that writes", () => {
  it("takes nothing that was answered, time and again", { timeout }, async () => {
    const script = await bundleChild("writing-child.ts");
    const { folder, remove } = await makeEmbeddedFolder();
    onTestFinished(remove);
    let next = 1;
    for (const rows of killsAfter) {
      const child = startChild(script, [folder, String(next)]);
      onTestFinished(child.kill);
      await child.waitForLines(rows);
      await child.kill();
      expect(child.lines.length).toBeGreaterThanOrEqual(rows);
      const answered = child.lines.map(Number);
      const found = await readNumbers(folder);
      expect(answered.filter((number) => !found.has(number))).toEqual([]);
      // The one that was under way may have made it.
      next = Math.max(...found) + 1;
      expect(next - Math.max(...answered)).toBeLessThanOrEqual(2);
    }
  });
});

async function readNumbers(folder: string): Promise<ReadonlySet<number>> {
  const database = await openEmbedded({ folder });
  const { rows } = await sql<{ number: number }>`select number from sheep`.execute(database.db);
  await database.close();
  return new Set(rows.map(({ number }) => number));
}
