import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  blocking,
  type CheckoutWorld,
  openCheckoutWorld,
  problem,
  reviewIn,
  type TestCheckout,
} from "./checkout-world.ts";

let world: CheckoutWorld;
let checkout: TestCheckout;
beforeAll(async () => {
  world = await openCheckoutWorld();
  checkout = await world.makeCheckout("called");
  await checkout.write({ "a.ts": problem });
});
afterAll(async () => {
  await world.close();
});

const diff = [
  "diff --git a/x.ts b/x.ts",
  "new file mode 100644",
  "--- /dev/null",
  "+++ b/x.ts",
  "@@ -0,0 +1,3 @@",
  ...blocking
    .trimEnd()
    .split("\n")
    .map((line) => `+${line}`),
  "",
].join("\n");

describe("--diff", () => {
  test("takes a file anywhere, without git", async () => {
    await checkout.write({ "../change.diff": diff });
    const { code, out } = await reviewIn(world.folder, { diff: "change.diff" }, {});
    expect(code).toBe(1);
    expect(out).toContain("1 finding in 1 file (1 blocking, 0 problems), 1 file read: the diff in change.diff.");
  });

  test.each([
    ["is not there", null, "cannot be read (ENOENT)"],
    ["is no diff", "hello\n", "The text holds no diff"],
    ["is cut off", diff.slice(0, -20), "the diff in broken.diff cannot be read"],
  ])("that %s is a wrong call", async (_name, text, words) => {
    if (text !== null) await checkout.write({ "../broken.diff": text });
    const file = text === null ? "nowhere.diff" : "broken.diff";
    const { code, out, err } = await reviewIn(world.folder, { diff: file }, {});
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain(words);
  });

  test("that is empty is nothing to review", async () => {
    await checkout.write({ "../empty.diff": "" });
    expect(await reviewIn(world.folder, { diff: "empty.diff" }, {})).toEqual({
      code: 0,
      out: "Nothing to review: the diff in empty.diff. 0 ms\n",
      err: "",
    });
  });
});

describe("the call", () => {
  test.each([
    [{ base: "main", staged: true }, "--base, --diff, --staged and --range exclude each other."],
    [{ role: "security" }, 'there is no role "security". The configuration has: general.'],
    [{ output: "no/such/folder/x" }, "no/such/folder/x cannot be written (ENOENT)."],
  ])("is refused where it is wrong (case %#)", async (call, err) => {
    expect(await checkout.review(call)).toEqual({ code: 2, out: "", err });
  });

  test("is refused without obeying what it quotes", async () => {
    const { code, err } = await checkout.review({ base: "a\u001b[31m\u202eb" });
    expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining('"a<U+001B>[31m<U+202E>b"') });
  });

  test.each([
    ["blocking", 0],
    ["problem", 1],
    ["never", 0],
  ] as const)("with --fail-on %s a problem alone ends with %i", async (failOn, code) => {
    expect((await checkout.review({ failOn })).code).toBe(code);
  });

  test("writes the report where it is told to, without colours", async () => {
    const { code, out } = await checkout.review({ output: "../report.txt", failOn: "problem" }, { hasColours: true });
    expect({ code, out }).toEqual({ code: 1, out: "" });
    const text = await readFile(join(world.folder, "report.txt"), "utf8");
    expect(text).toMatch(/^a\.ts\n {2}problem/);
  });

  test.each([
    ["on a terminal", {}, true, true, true],
    ["not in a pipe", {}, false, true, false],
    ["not with NO_COLOR", { NO_COLOR: "1", FORCE_COLOR: "1" }, true, true, false],
    ["with FORCE_COLOR", { FORCE_COLOR: "1" }, false, true, true],
    ["not with FORCE_COLOR=0", { FORCE_COLOR: "0" }, true, true, false],
    ["not with --no-colour", { FORCE_COLOR: "1" }, true, false, false],
  ])("has colours %s or not", async (_name, env, hasColours, colour, expected) => {
    const { out } = await checkout.review({ colour }, { env, hasColours });
    expect(out.includes("\u001b[")).toBe(expected);
  });
});

test("a review that is stopped says so and is no pass", async () => {
  const stopping = new AbortController();
  stopping.abort();
  expect(await checkout.review({}, { signal: stopping.signal })).toEqual({
    code: 1,
    out: "",
    err: "drover: stopped before the review was done\n",
  });
});

describe("the configuration", () => {
  test("says from which score on something is a problem or blocks", async () => {
    const files = { "strict.yml": "rules:\n  reviews:\n    blockingScore: 5\n" };
    expect((await checkout.review({ config: "strict.yml" }, { files })).code).toBe(1);
    const lax = { "lax.yml": "rules:\n  reviews:\n    problemScore: 6\n" };
    const { out } = await checkout.review({ config: "lax.yml", failOn: "problem" }, { files: lax });
    expect(out).toContain("No findings in 1 file read, 1 below the threshold");
  });

  test("says which paths nobody looks at", async () => {
    const files = { "paths.yml": 'rules:\n  reviews:\n    excludedPaths: ["*.ts"]\n' };
    const { code, out } = await checkout.review({ config: "paths.yml", failOn: "problem" }, { files });
    expect(code).toBe(0);
    expect(out).toContain("Not read, left out by the rules: a.ts.");
    const wrong = { "wrong.yml": 'rules:\n  reviews:\n    excludedPaths: ["!a"]\n' };
    const { err } = await checkout.review({ config: "wrong.yml" }, { files: wrong });
    expect(err).toContain("expected a pattern such as dist/ or *.min.js");
  });

  test("with a role that nobody can play here says so, and asks the others", async () => {
    const roles =
      "rules:\n  reviews:\n    roles:\n      - { name: general, reviewer: rules }\n      - { name: deep, reviewer: model }\n";
    const called = await checkout.review({ config: "roles.yml" }, { files: { "roles.yml": roles } });
    expect(called.code).toBe(0);
    expect(called.out).toContain("The role deep was not run");
    expect(called.out).toContain("This review is partial");
    const alone = await checkout.review({ config: "roles.yml", role: "deep" }, { files: { "roles.yml": roles } });
    expect(alone).toMatchObject({ code: 2, err: expect.stringContaining("None of the selected roles can run") });
  });

  test("that is wrong is told with its place", async () => {
    const { code, err } = await checkout.review({ config: "bad.yml" }, { files: { "bad.yml": "ruls: {}\n" } });
    expect(code).toBe(2);
    expect(err).toContain('there is no key "ruls"; is "rules" meant?');
  });
});
