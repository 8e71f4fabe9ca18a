import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { blocking, type CheckoutWorld, harmless, openCheckoutWorld, type TestCheckout } from "./checkout-world.ts";

/** A checkout may come from anybody; to review it is not to trust it. */

let world: CheckoutWorld;
beforeAll(async () => {
  world = await openCheckoutWorld();
});
afterAll(async () => {
  await world.close();
});

/** A program that leaves a trace where it ran. */
async function plantProgram(
  checkout: TestCheckout,
): Promise<{ readonly program: string; readonly ran: () => boolean }> {
  const trace = join(world.folder, `ran-${Math.random()}`);
  await checkout.write({ ".git/evil": `#!/bin/sh\necho ran >> '${trace}'\n` });
  await checkout.makeExecutable(".git/evil");
  return { program: join(checkout.folder, ".git/evil"), ran: () => existsSync(trace) };
}

test("no program that the repository's settings name is run", async () => {
  const checkout = await world.makeCheckout("settings");
  const { program, ran } = await plantProgram(checkout);
  await checkout.commit({ ".gitattributes": "*.ts filter=evil diff=evil merge=evil\n" });
  for (const key of [
    "core.fsmonitor",
    "core.pager",
    "core.sshCommand",
    "core.editor",
    "diff.external",
    "diff.evil.command",
    "diff.evil.textconv",
    "filter.evil.clean",
    "filter.evil.smudge",
    "filter.evil.process",
    "credential.helper",
    "alias.diff-tree",
  ]) {
    await checkout.git("config", key, program);
  }
  await checkout.git("config", "filter.evil.required", "true");
  await checkout.write({ "a.ts": blocking, "src/old.ts": blocking });
  for (const call of [{}, { staged: true }, { base: "HEAD" }, { range: "HEAD~1..HEAD" }]) {
    expect((await checkout.review(call)).code).toBeLessThan(2);
  }
  expect((await checkout.review()).out).toContain("2 findings in 2 files");
  expect(ran()).toBe(false);
  // The trap works: git itself walks into it.
  await checkout.git("add", "--all").catch(() => undefined);
  expect(ran()).toBe(true);
});

test("hooks, and settings of submodules, are not run either", async () => {
  const inner = await world.makeCheckout("inner");
  const checkout = await world.makeCheckout("outer");
  await checkout.git("submodule", "--quiet", "add", inner.folder, "inner");
  await checkout.git("commit", "--quiet", "--message", "Add it");
  const { program, ran } = await plantProgram(checkout);
  await checkout.git("-C", "inner", "config", "core.fsmonitor", program);
  await checkout.git("config", "--file", ".gitmodules", "submodule.inner.ignore", "none");
  for (const hook of ["post-index-change", "pre-commit", "fsmonitor-watchman"]) {
    await checkout.write({ [`.git/hooks/${hook}`]: `#!/bin/sh\n${program} < /dev/null\n` });
    await checkout.makeExecutable(`.git/hooks/${hook}`);
  }
  await checkout.write({ "a.ts": blocking, "inner/dirty.ts": blocking });
  expect((await checkout.review()).code).toBe(1);
  expect(ran()).toBe(false);
  await checkout.git("status");
  expect(ran()).toBe(true);
});

test("attributes of the tree cannot hide a file from the review", async () => {
  const checkout = await world.makeCheckout("attributes");
  await checkout.commit({ ".gitattributes": "*.ts -diff binary linguist-generated\n" });
  await checkout.commit({ "a.ts": blocking });
  expect((await checkout.review({ range: "HEAD~1..HEAD" })).out).toContain("a.ts\n  blocking");
  await checkout.write({ "b.ts": blocking, ".gitattributes": "b.ts binary\n" });
  expect((await checkout.review()).out).toContain("b.ts\n  blocking");
});

test("a link is read as the link that it is, and never followed", async () => {
  const checkout = await world.makeCheckout("links");
  await checkout.write({ "../secret/package-lock.json": '{"secret":"hunter2hunter2"}', "package.json": "{}\n" });
  await checkout.link("package-lock.json", "../secret/package-lock.json");
  await checkout.link("folder", "../secret");
  const manifest = '{\n  "dependencies": { "zod": "4.1.0" }\n}\n';
  await checkout.write({ "package.json": manifest });
  const { out } = await checkout.review({ format: "json" });
  const rules = JSON.parse(out).findings.map(({ rule, path }: { rule: string; path: string }) => `${rule} ${path}`);
  expect(rules).toEqual(["symlink-outside folder", "symlink-outside package-lock.json"]);
  expect(out).not.toContain("hunter2");
});

test("a secret is found and not repeated, in any format", async () => {
  const checkout = await world.makeCheckout("secrets");
  // Made here, so that no scanner finds a key in this file.
  const letters = "kQ7vXz2RmB9tLw4HdYc6NpJ8sGf3";
  const noise = Array.from(
    { length: 64 },
    (_, index) => letters[(index * index + 7 * index + 3) % letters.length],
  ).join("");
  const [token, body] = [`glpat-${noise.slice(0, 20)}`, noise];
  const marker = "PRIVATE KEY-----";
  await checkout.write({
    "a.ts": `debugger;\nconst token = "${token}";\ndebugger;\n`,
    "key.pem": `-----BEGIN ${marker}\n${body}\n${body}\n-----END ${marker}\n`,
  });
  for (const format of ["text", "json", "markdown", "sarif"] as const) {
    const { out } = await checkout.review({ format });
    expect(out).toContain("leaked-secret");
    expect(out).not.toContain(token.slice(0, 12));
    expect(out).not.toContain(body.slice(0, 20));
  }
});

test("files with line ends that git would change on this machine are compared as git compares them", async () => {
  const checkout = await world.makeCheckout("line-ends");
  await checkout.git("config", "core.autocrlf", "true");
  await checkout.write({ "src/old.ts": harmless.replaceAll("\n", "\r\n") });
  expect((await checkout.review()).out).toMatch(/^Nothing to review/);
});
