import { join } from "node:path";
import { expect, it } from "vitest";
import { readActionBundle } from "./bundle-action.ts";

const ROOT = join(import.meta.dirname, "..");

it("the bundle of the Action has the same bytes for the same tree, and names no folder of this machine", async () => {
  const [first, second] = await Promise.all([readActionBundle(ROOT), readActionBundle(ROOT)]);
  // A megabyte is no difference that anybody could read.
  expect(Buffer.compare(first, second)).toBe(0);
  expect(Buffer.from(first).toString("utf8")).not.toContain(ROOT);
});

it("the bundle of the Action leaves the databases out: a runner has no use for them", async () => {
  const made = Buffer.from(await readActionBundle(ROOT)).toString("utf8");
  expect(made).not.toContain("pglite");
  expect(made).not.toContain("kysely");
});
