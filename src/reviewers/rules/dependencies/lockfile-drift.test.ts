import { describe, expect, it } from "vitest";
import { lockfileDrift } from "#reviewers/rules/dependencies/lockfile-drift.ts";
import { changedFile, findingsOf, newFile, placesOf } from "#testing/rules-makers.ts";

const manifest = changedFile(
  "package.json",
  " {",
  '   "dependencies": {',
  '-    "zod": "4.0.0"',
  '+    "zod": "4.1.0"',
  "   }",
  " }",
);

function npmLock(zod: string, folder = ""): string {
  return JSON.stringify({ lockfileVersion: 3, packages: { [folder]: { dependencies: { zod } } } });
}

describe("lockfile-drift in package.json", () => {
  it("finds a version that the lock of npm does not know, and names it", async () => {
    const findings = await findingsOf(lockfileDrift, [manifest], { "package-lock.json": npmLock("4.0.0") });
    expect(findings.map(({ lines, message }) => [lines.first, message.includes("`zod`")])).toEqual([[3, true]]);
  });

  it.each([
    ["pnpm-lock.yaml", "importers:\n  .:\n    dependencies:\n      zod:\n        specifier: 4.0.0\n"],
    ["yarn.lock", "zod@4.0.0:\n  version 4.0.0\n"],
    ["bun.lock", '{ "dependencies": { "zod": "4.0.0" } }'],
  ])("finds a dependency that %s does not know", async (path, lock) => {
    expect(await placesOf(lockfileDrift, [manifest], { [path]: lock })).toEqual(["3"]);
  });

  it.each([
    ["package-lock.json", npmLock("4.1.0")],
    ["pnpm-lock.yaml", "importers:\n  .:\n    dependencies:\n      zod:\n        specifier: 4.1.0\n"],
    ["yarn.lock", '"zod@npm:4.1.0":\n  version: 4.1.0\n'],
    ["bun.lock", '{ "dependencies": { "zod": "4.1.0" } }'],
    ["package-lock.json", "{ broken"],
    ["package-lock.json", JSON.stringify({ lockfileVersion: 1, dependencies: {} })],
    ["README.md", "no lock file at all"],
  ])("lets it pass where %s is %j", async (path, lock) => {
    expect(await placesOf(lockfileDrift, [manifest], { [path]: lock })).toEqual([]);
  });

  it("asks the lock of the workspace above", async () => {
    const inside = { ...manifest, path: "packages/a/package.json" };
    const stale = { "package-lock.json": npmLock("4.0.0", "packages/a") };
    const fresh = { "package-lock.json": npmLock("4.1.0", "packages/a") };
    expect(await placesOf(lockfileDrift, [inside], stale)).toEqual(["3"]);
    expect(await placesOf(lockfileDrift, [inside], fresh)).toEqual([]);
  });

  it("lets what comes from the workspace itself, and a change of scripts alone, pass", async () => {
    const local = changedFile("package.json", " {", '+  "dependencies": { "a": "workspace:*" }', " }");
    const script = changedFile("package.json", " {", '+  "scripts": { "a": "b" }', " }");
    expect(await placesOf(lockfileDrift, [local], { "yarn.lock": "" })).toEqual([]);
    expect(await placesOf(lockfileDrift, [script], { "package-lock.json": npmLock("4.0.0") })).toEqual([]);
  });
});

describe("lockfile-drift in a lock file", () => {
  const lock = newFile("package-lock.json", ...npmLock("4.1.0").split("\n"));

  it("finds a lock file that was made for another manifest", async () => {
    expect(await placesOf(lockfileDrift, [lock], { "package.json": '{"dependencies":{"zod":"4.0.0"}}' })).toEqual([
      "file",
    ]);
  });

  it("lets one pass that fits, and one whose manifest is in the change", async () => {
    expect(await placesOf(lockfileDrift, [lock], { "package.json": '{"dependencies":{"zod":"4.1.0"}}' })).toEqual([]);
    expect(await placesOf(lockfileDrift, [lock, manifest])).toEqual([]);
  });
});

describe("lockfile-drift in Cargo.toml and go.mod", () => {
  it("finds a crate that the lock does not know", async () => {
    const cargo = changedFile(
      "Cargo.toml",
      " [package]",
      '+name = "x"',
      " [dependencies]",
      '+serde = "1"',
      '+tokio = { package = "tokio2" }',
    );
    const known = 'version = 4\n\n[[package]]\nname = "serde"\nversion = "1"\n';
    expect(await placesOf(lockfileDrift, [cargo], { "Cargo.lock": known })).toEqual(["5"]);
    expect(await placesOf(lockfileDrift, [cargo], { "Cargo.lock": `${known}[[package]]\nname = "tokio2"\n` })).toEqual(
      [],
    );
    expect(await placesOf(lockfileDrift, [cargo])).toEqual([]);
  });

  it("finds a module that go.sum does not know, and lets a replaced one pass", async () => {
    const mod = changedFile(
      "go.mod",
      " module x",
      " require (",
      "+\texample.org/a v1.2.0",
      "+\texample.org/b v0.1.0 // indirect",
      " )",
      "+replace example.org/b => ../b",
    );
    expect(await placesOf(lockfileDrift, [mod], { "go.sum": "example.org/a v1.1.0/go.mod h1:x=\n" })).toEqual(["3"]);
    expect(await placesOf(lockfileDrift, [mod], { "go.sum": "example.org/a v1.2.0/go.mod h1:x=\n" })).toEqual([]);
  });
});
