import { chown, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { blocking, type CheckoutWorld, harmless, openCheckoutWorld, problem, reviewIn } from "./checkout-world.ts";

let world: CheckoutWorld;
beforeAll(async () => {
  world = await openCheckoutWorld();
});
afterAll(async () => {
  await world.close();
});

describe("the working tree", () => {
  test("is compared with the last commit, untracked files included and ignored ones not", async () => {
    const checkout = await world.makeCheckout("usual");
    await checkout.write({
      ".gitignore": "ignored.ts\n",
      "ignored.ts": blocking,
      "src/new.ts": blocking,
      "src/old.ts": problem,
    });
    const { code, out } = await checkout.review();
    expect(code).toBe(1);
    expect(out).toContain("src/new.ts\n  blocking debugger-statement (line 2");
    expect(out).toContain("src/old.ts\n  problem swallowed-error (line 3");
    expect(out).not.toContain("ignored.ts\n");
    expect(out).toContain("2 findings in 2 files (1 blocking, 1 problem), 3 files read: the working tree against HEAD");
  });

  test("leaves out what its user ignores everywhere", async () => {
    const checkout = await world.makeCheckout("user-ignores");
    await checkout.write({ "scratch.ts": blocking });
    const configHome = join(world.folder, "config-home");
    await checkout.write({ "../config-home/git/ignore": "scratch.ts\n" });
    expect((await checkout.review({}, { env: { HOME: world.folder, XDG_CONFIG_HOME: configHome } })).code).toBe(0);
    expect((await checkout.review()).code).toBe(1);
  });

  test("is reviewed as a whole from a sub-folder", async () => {
    const checkout = await world.makeCheckout("sub-folder");
    await checkout.write({ "deep/down/a.ts": harmless, "top.ts": blocking });
    const { out } = await checkout.review({}, { cwd: join(checkout.folder, "deep/down") });
    expect(out).toContain("top.ts\n  blocking");
  });

  test("is left as it was: status, index, objects", async () => {
    const checkout = await world.makeCheckout("untouched");
    await checkout.write({ "new.ts": blocking, "src/old.ts": problem });
    const look = async (): Promise<readonly string[]> => [
      await checkout.git("status", "--porcelain"),
      await checkout.git("count-objects", "-v"),
      await checkout.git("ls-files", "--stage"),
    ];
    const before = await look();
    await checkout.review();
    expect(await look()).toEqual(before);
  });

  test("shows a change of equal length that was made in the second of the commit", async () => {
    const checkout = await world.makeCheckout("same-second");
    await checkout.commit({ "a.ts": "export {}; // ok\n" });
    await checkout.write({ "a.ts": "debugger; // so\n" });
    expect((await checkout.review()).out).toContain("a.ts");
  });

  test("of a repository without commits is all new", async () => {
    const checkout = await world.makeCheckout("no-commits", { isEmpty: true });
    await checkout.write({ "a.ts": blocking });
    const { code, out } = await checkout.review();
    expect(code).toBe(1);
    expect(out).toContain("the working tree, nothing is committed yet");
    expect((await checkout.review({ staged: true })).out).toMatch(/^Nothing to review: what is staged/);
  });

  test("shows deleted, renamed, binary, executable and linked files for what they are", async () => {
    const checkout = await world.makeCheckout("kinds");
    await checkout.commit({
      "gone.ts": harmless,
      "moved.ts": `${harmless}${"export const more = 1;\n".repeat(9)}`,
      "data.txt": "x\n",
    });
    await rm(join(checkout.folder, "gone.ts"));
    await checkout.git("mv", "moved.ts", "here.ts");
    await checkout.makeExecutable("data.txt");
    await checkout.write({ "tool.exe": new Uint8Array([77, 90, 0, 1, 2]) });
    await checkout.link("outside", "/etc/passwd");
    const { out } = await checkout.review({ format: "json" });
    const { findings, coverage, change } = JSON.parse(out);
    expect(findings.map(({ rule, path }: { rule: string; path: string }) => `${rule} ${path}`)).toEqual([
      "executable-mode data.txt",
      "symlink-outside outside",
      "binary-addition tool.exe",
    ]);
    expect(coverage.unread).toEqual([{ path: "tool.exe", why: "binary" }]);
    expect(change.files).toBe(5);
    expect(out).not.toContain("root:");
  });

  test("with a conflict shows its markers, and cannot be committed", async () => {
    const checkout = await world.makeCheckout("conflict");
    await checkout.git("checkout", "--quiet", "-b", "topic");
    await checkout.commit({ "src/old.ts": "export const quiet = 2;\n" });
    await checkout.git("checkout", "--quiet", "main");
    await checkout.commit({ "src/old.ts": "export const quiet = 3;\n" });
    await expect(checkout.git("merge", "topic")).rejects.toThrow("topic");
    expect((await checkout.review()).out).toContain("conflict-marker");
    const staged = await checkout.review({ staged: true });
    expect(staged).toMatchObject({ code: 2, out: "" });
    expect(staged.err).toContain("src/old.ts is not merged yet");
  });

  test("with names that are no text is read all the same", async () => {
    const checkout = await world.makeCheckout("odd-names");
    await checkout.write({ "a\nb\u001b[31m.ts": blocking, "größe 漢.ts": blocking });
    await writeFile(
      Buffer.concat([Buffer.from(`${checkout.folder}/`), Buffer.from([0xff, 0x2e, 0x74, 0x73])]),
      blocking,
    );
    const { out } = await checkout.review();
    expect(out).toContain("a<U+000A>b<U+001B>[31m.ts\n  blocking");
    expect(out).toContain("größe 漢.ts\n  blocking");
    expect(out).toContain("\ufffd.ts\n  blocking");
    expect(out).not.toContain("\u001b");
  });
});

describe("what is staged", () => {
  test("is what would be committed, not what lies in the working tree", async () => {
    const checkout = await world.makeCheckout("staged");
    await checkout.write({ "a.ts": blocking });
    await checkout.git("add", "a.ts");
    await checkout.write({ "a.ts": harmless, "b.ts": blocking });
    const { code, out } = await checkout.review({ staged: true });
    expect(code).toBe(1);
    expect(out).toContain("1 finding in 1 file (1 blocking, 0 problems), 1 file read: what is staged against HEAD");
  });

  test("in a hook is what the hook's own index holds", async () => {
    const checkout = await world.makeCheckout("hook");
    await checkout.write({ "a.ts": blocking });
    await checkout.git("add", "a.ts");
    const other = { GIT_INDEX_FILE: join(checkout.folder, ".git", "other-index") };
    expect((await checkout.review({ staged: true }, { env: other })).out).not.toContain("a.ts");
    const named = { GIT_INDEX_FILE: ".git/index", GIT_DIR: ".git" };
    expect((await checkout.review({ staged: true }, { env: named })).out).toContain("a.ts");
  });
});

describe("places", () => {
  test("a linked worktree is a checkout like any other", async () => {
    const checkout = await world.makeCheckout("with-worktree");
    const place = join(world.folder, "linked");
    await checkout.git("worktree", "add", "--quiet", "-b", "topic", place);
    await checkout.write({ "../linked/a.ts": blocking });
    expect((await checkout.review({}, { cwd: place })).out).toContain("a.ts\n  blocking");
    expect((await checkout.review()).out).toMatch(/^Nothing to review/);
  });

  test("a sparse checkout has lost nothing", async () => {
    const checkout = await world.makeCheckout("sparse");
    await checkout.commit({ "one/a.ts": harmless, "two/b.ts": harmless });
    await checkout.git("sparse-checkout", "set", "--cone", "--sparse-index", "one");
    await checkout.write({ "one/c.ts": blocking });
    const { out } = await checkout.review();
    expect(out).toContain("1 finding in 1 file (1 blocking, 0 problems), 1 file read");
  });

  test("a repository with longer names for its commits is no different", async () => {
    const checkout = await world.makeCheckout("sha256", { format: "sha256", isEmpty: true });
    await checkout.write({ "a.ts": blocking });
    expect((await checkout.review()).out).toContain("a.ts\n  blocking");
    await checkout.commit({ "b.ts": harmless });
    await checkout.commit({ "b.ts": blocking });
    expect((await checkout.review({ range: "HEAD~1.." })).out).toContain("b.ts\n  blocking");
  });

  test("a changed submodule is a change, and what is in it is not looked at", async () => {
    const inner = await world.makeCheckout("inner");
    const checkout = await world.makeCheckout("outer");
    await checkout.git("submodule", "--quiet", "add", inner.folder, "inner");
    await checkout.git("commit", "--quiet", "--message", "Add it");
    await checkout.write({ "inner/dirty.ts": blocking });
    expect((await checkout.review({ range: "HEAD~1..HEAD" })).out).toMatch(/^No findings in 2 files/);
    expect((await checkout.review()).out).toMatch(/^Nothing to review/);
    expect((await checkout.review({}, { cwd: join(checkout.folder, "inner") })).out).toContain("dirty.ts\n  blocking");
  });

  test("a repository that lies in the tree is left out, and named", async () => {
    const checkout = await world.makeCheckout("nesting");
    await checkout.git("init", "--quiet", "nested");
    await checkout.write({ "nested/a.ts": blocking, "b.ts": harmless });
    const { code, out } = await checkout.review();
    expect({ code, out }).toMatchObject({ code: 0 });
    expect(out).toContain("Not read, left out by the rules: nested/.");
  });

  test("a bare repository has commits alone", async () => {
    const checkout = await world.makeCheckout("to-be-cloned");
    await checkout.commit({ "a.ts": blocking });
    await checkout.git("clone", "--quiet", "--bare", ".", "../bare.git");
    const cwd = join(world.folder, "bare.git");
    expect(await checkout.review({}, { cwd })).toMatchObject({
      code: 2,
      err: expect.stringContaining("there is no working tree here"),
    });
    expect((await checkout.review({ range: "HEAD~1..HEAD" }, { cwd })).out).toContain("a.ts\n  blocking");
  });

  test.runIf(process.getuid?.() === 0)("of somebody else is read only where its user trusts it", async () => {
    const checkout = await world.makeCheckout("of-others");
    await checkout.write({ "a.ts": blocking });
    await chown(checkout.folder, 12_345, 12_345);
    await chown(join(checkout.folder, ".git"), 12_345, 12_345);
    const refused = await checkout.review();
    expect(refused.code).toBe(2);
    expect(refused.err).toContain("safe.directory");
    await checkout.write({ "../trusting/.gitconfig": `[safe]\n\tdirectory = ${checkout.folder}\n` });
    const trusted = await checkout.review({}, { env: { HOME: join(world.folder, "trusting") } });
    expect(trusted.out).toContain("a.ts\n  blocking");
  });

  test("anywhere else it says what to do", async () => {
    const called = await reviewIn(world.folder, {}, {});
    expect(called.code).toBe(2);
    expect(called.err).toContain("is in no git checkout");
    expect(called.err).toContain("--diff FILE");
  });
});
