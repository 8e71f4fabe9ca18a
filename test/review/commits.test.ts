import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  blocking,
  type CheckoutWorld,
  harmless,
  openCheckoutWorld,
  problem,
  type TestCheckout,
} from "./checkout-world.ts";

let world: CheckoutWorld;
beforeAll(async () => {
  world = await openCheckoutWorld();
});
afterAll(async () => {
  await world.close();
});

/** `topic` has one commit that `main` has not, and the other way round. */
async function makeForked(name: string): Promise<TestCheckout> {
  const checkout = await world.makeCheckout(name);
  await checkout.git("checkout", "--quiet", "-b", "topic");
  await checkout.commit({ "topic.ts": blocking });
  await checkout.git("checkout", "--quiet", "main");
  await checkout.commit({ "main.ts": problem });
  await checkout.git("checkout", "--quiet", "topic");
  return checkout;
}

function manifest(version: string): string {
  return `${JSON.stringify({ name: "x", dependencies: { zod: version } }, null, 2)}\n`;
}

function lock(version: string): string {
  const packages = { "": { dependencies: { zod: version } }, "node_modules/zod": { version } };
  return JSON.stringify({ name: "x", lockfileVersion: 3, packages });
}

describe("a clean working tree", () => {
  test("gives way to what the branch has since it left the default branch, and says so", async () => {
    const checkout = await makeForked("clean");
    const { code, out } = await checkout.review();
    expect(code).toBe(1);
    expect(out).toContain("topic.ts\n");
    expect(out).not.toContain("main.ts\n");
    expect(out).toMatch(/: HEAD since it left main \([0-9a-f]{10}\); the working tree is clean\. /);
  });

  test("is compared with its own upstream first, then with the default branch of the remote", async () => {
    const origin = await makeForked("origin");
    await origin.git("clone", "--quiet", "--branch", "topic", ".", "../clone");
    const cwd = join(world.folder, "clone");
    const pushed = await origin.review({}, { cwd });
    expect(pushed.out).toContain("since it left origin/main");
    await origin.git("-C", cwd, "commit", "--quiet", "--allow-empty", "--message", "Nothing");
    await origin.write({ "../clone/more.ts": problem });
    await origin.git("-C", cwd, "add", "--all");
    await origin.git("-C", cwd, "commit", "--quiet", "--message", "More");
    const { code, out } = await origin.review({}, { cwd });
    expect({ code }).toEqual({ code: 0 });
    expect(out).toContain("more.ts\n  problem");
    expect(out).not.toContain("topic.ts");
    expect(out).toContain("since it left origin/topic");
  });

  test("of the default branch itself has nothing to review, and that is fine", async () => {
    const checkout = await world.makeCheckout("only-main");
    const { code, out } = await checkout.review();
    expect(code).toBe(0);
    expect(out).toContain("Nothing to review: the working tree is clean, and HEAD has no commits beyond main.");
  });

  test("with nothing to compare with says how to name something", async () => {
    const checkout = await world.makeCheckout("trunk");
    await checkout.git("branch", "--move", "main", "trunk");
    const { code, err } = await checkout.review();
    expect(code).toBe(2);
    expect(err).toContain("--base REF or --range A..B");
  });
});

describe("--base", () => {
  test("takes all since the branch left it, committed or not", async () => {
    const checkout = await makeForked("base");
    await checkout.write({ "later.ts": problem });
    const { out } = await checkout.review({ base: "main" });
    expect(out).toContain("later.ts\n");
    expect(out).toContain("topic.ts\n");
    expect(out).not.toContain("main.ts\n");
    expect(out).toContain("the working tree since it left main");
  });

  test("that does not exist is a wrong call with a hint", async () => {
    const checkout = await makeForked("no-base");
    expect(await checkout.review({ base: "nowhere" })).toEqual({
      code: 2,
      out: "",
      err: 'there is no commit "nowhere" in this checkout. If it is on a remote, fetch it first.',
    });
    await checkout.git("clone", "--quiet", "--branch", "topic", ".", "../no-base-clone");
    const { err } = await checkout.review({ base: "main" }, { cwd: join(world.folder, "no-base-clone") });
    expect(err).toContain('Is "origin/main" meant?');
    const option = await checkout.review({ base: "--output=/tmp/x" });
    expect(option).toMatchObject({ code: 2, err: expect.stringContaining("there is no commit") });
  });

  test("without history in common says whether the clone is too shallow", async () => {
    const checkout = await makeForked("unrelated");
    await checkout.git("checkout", "--quiet", "--orphan", "other");
    await checkout.commit({ "x.ts": harmless });
    expect((await checkout.review({ base: "main" })).err).toContain("use --range main..HEAD");
    await checkout.git("checkout", "--quiet", "topic");
    const url = `file://${checkout.folder}`;
    await checkout.git("clone", "--quiet", "--depth=1", "--no-single-branch", url, "../shallow");
    const { code, err } = await checkout.review({ base: "origin/main" }, { cwd: join(world.folder, "shallow") });
    expect(code).toBe(2);
    expect(err).toContain("git fetch --unshallow");
  });
});

describe("--range", () => {
  test("with two dots compares the ends, with three what came since they parted", async () => {
    const checkout = await makeForked("range");
    const ends = JSON.parse((await checkout.review({ range: "main..topic", format: "json" })).out);
    expect(ends.change.files).toBe(2);
    const { out } = await checkout.review({ range: "main...topic", format: "json" });
    const parted = JSON.parse(out);
    expect(parted.findings.map(({ path }: { path: string }) => path)).toEqual(["topic.ts"]);
    expect(parted.change.head).toBe(await checkout.git("rev-parse", "topic"));
    expect(parted.change.base).toBe(await checkout.git("merge-base", "main", "topic"));
    expect(JSON.parse((await checkout.review({ range: "main..", format: "json" })).out).change.files).toBe(2);
  });

  test("reads files as they are in its commits, whatever lies in the working tree", async () => {
    const checkout = await world.makeCheckout("as-committed");
    await checkout.commit({ "package.json": manifest("4.0.0"), "package-lock.json": lock("4.0.0") });
    await checkout.commit({ "package.json": manifest("4.1.0") });
    await checkout.write({ "package-lock.json": lock("4.1.0") });
    expect((await checkout.review({ range: "HEAD~1..HEAD" })).out).toContain("lockfile-drift");
    expect((await checkout.review({ base: "HEAD~1" })).out).not.toContain("lockfile-drift");
  });

  test.each(["main", "..", "...", ""])("%j is a wrong call", async (range) => {
    const checkout = await world.makeCheckout(`wrong-range-${range.length}-${range.slice(0, 1) === "m"}`);
    expect(await checkout.review({ range })).toMatchObject({ code: 2, err: expect.stringContaining("is no range") });
  });
});
