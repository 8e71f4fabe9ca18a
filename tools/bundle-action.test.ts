import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { actionBundle, readActionBundle } from "./bundle-action.ts";

const ROOT = join(import.meta.dirname, "..");

it("finds the committed bundle of the Action to be of this very tree: run `npm run build` where it is not", async () => {
  const [made, committed] = await Promise.all([readActionBundle(ROOT), readFile(join(ROOT, actionBundle))]);
  // A megabyte is no difference that anybody could read.
  expect(Buffer.compare(made, committed)).toBe(0);
});

it("leaves the databases out of it: a runner has no use for them", async () => {
  const made = Buffer.from(await readActionBundle(ROOT)).toString("utf8");
  expect(made).not.toContain("pglite");
  expect(made).not.toContain("kysely");
});
