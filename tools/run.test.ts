import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

/** A house of its own: the real run.mjs, one tool, and an npm that only notes that it was called. */
const ROOT = join(import.meta.dirname, "..");
const NPM = `
import { appendFileSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
appendFileSync("npm.log", process.argv.slice(2).join(" ") + "\\n");
rmSync("node_modules", { recursive: true, force: true });
await setTimeout(Number(process.env.NPM_MS ?? 0));
if (process.env.NPM_CODE) process.exit(Number(process.env.NPM_CODE));
mkdirSync("node_modules");
symlinkSync(${JSON.stringify(join(ROOT, "node_modules/esbuild"))}, "node_modules/esbuild");
`;
const TOOL = `
import { exit } from "./exit.ts";
const [what, ...rest] = process.argv.slice(2);
console.log("greeting", process.cwd(), JSON.stringify(rest));
if (what === "code") process.exitCode = exit;
if (what === "throw") throw new Error("the tool broke");
if (what === "signal") process.kill(process.pid, "SIGTERM");
`;

let house = "";

beforeEach(() => {
  house = mkdtempSync(join(tmpdir(), "drover-run-"));
  put(
    "package.json",
    JSON.stringify({ type: "module", engines: { node: ">=20.19" }, scripts: { greet: "node tools/run.mjs greet" } }),
  );
  put("package-lock.json", "{}");
  put("npm/npm-cli.js", NPM);
  put("npm/package.json", '{"type":"module"}');
  put("tools/greet.ts", TOOL);
  put("tools/exit.ts", "export const exit: number = 7;");
  cpSync(join(ROOT, "tools/run.mjs"), join(house, "tools/run.mjs"));
});

afterEach(() => {
  rmSync(house, { recursive: true, force: true });
});

function put(path: string, text: string): void {
  mkdirSync(dirname(join(house, path)), { recursive: true });
  writeFileSync(join(house, path), text);
}

interface End {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

function run(args: readonly string[] = ["greet"], env: Record<string, string> = {}): Promise<End> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(house, "tools/run.mjs"), ...args], {
      cwd: tmpdir(),
      env: { ...process.env, npm_execpath: join(house, "npm/npm-cli.js"), ...env },
    });
    const words = { stdout: "", stderr: "" };
    child.stdout.on("data", (chunk: Buffer) => (words.stdout += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (words.stderr += chunk.toString()));
    child.on("close", (code, signal) => resolve({ code, signal, ...words }));
  });
}

function installs(): number {
  const log = join(house, "npm.log");
  return existsSync(log) ? readFileSync(log, "utf8").trim().split("\n").length : 0;
}

/** What a finished `npm ci` by hand leaves behind. */
function installByHand(installed: object): void {
  mkdirSync(join(house, "node_modules"));
  symlinkSync(join(ROOT, "node_modules/esbuild"), join(house, "node_modules/esbuild"));
  put("node_modules/.package-lock.json", JSON.stringify({ packages: installed }));
}

describe("installing", () => {
  it("happens once, with the development dependencies, and is said", async () => {
    const first = await run();
    expect(first.stderr).toContain("node_modules is missing");
    expect(first).toMatchObject({ code: 0, stdout: expect.stringContaining("greeting") });
    expect(readFileSync(join(house, "npm.log"), "utf8")).toContain("ci --include=dev");
    expect(await run()).toMatchObject({ code: 0, stderr: "" });
    expect(installs()).toBe(1);
  });

  it("happens again when the lock file has changed", async () => {
    await run();
    put("package-lock.json", '{ "name": "other" }');
    expect((await run()).stderr).toContain("made from another package-lock.json");
    expect(installs()).toBe(2);
  });

  it("leaves no stamp when it fails, and is tried again", async () => {
    const failed = await run(["greet"], { NPM_CODE: "3" });
    expect(failed).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("npm ci failed (3)") });
    expect(existsSync(join(house, "node_modules/.drover-lock"))).toBe(false);
    expect(await run()).toMatchObject({ code: 0 });
  });

  it("happens once when two runs start at once", async () => {
    const ends = await Promise.all([run(["greet"], { NPM_MS: "400" }), run(["greet"], { NPM_MS: "400" })]);
    expect(ends.map((end) => end.code)).toEqual([0, 0]);
    expect(installs()).toBe(1);
  });

  it("does not wait for a run that was killed while it installed", async () => {
    const pidOfNobody = 2 ** 22 + 1;
    put(".cache/install.lock", String(pidOfNobody));
    expect(await run()).toMatchObject({ code: 0 });
    expect(existsSync(join(house, ".cache/install.lock"))).toBe(false);
  });

  const wanted = {
    "": {},
    "node_modules/a": { version: "1.0.0" },
    "node_modules/b": { version: "2.0.0", optional: true },
  };

  it("is not repeated after an npm ci by hand, which may leave out what is optional", async () => {
    put("package-lock.json", JSON.stringify({ packages: wanted }));
    installByHand({ "node_modules/a": { version: "1.0.0" } });
    expect(await run()).toMatchObject({ code: 0, stderr: "" });
    expect(installs()).toBe(0);
  });

  it.each([
    ["lacks a package", {}],
    ["has another version", { "node_modules/a": { version: "1.0.1" } }],
    ["has a package too many", { "node_modules/a": { version: "1.0.0" }, "node_modules/c": { version: "1.0.0" } }],
  ])("is repeated if what was installed by hand %s", async (_what, installed) => {
    put("package-lock.json", JSON.stringify({ packages: wanted }));
    installByHand(installed);
    expect(await run()).toMatchObject({ code: 0 });
    expect(installs()).toBe(1);
  });
});

describe("running a tool", () => {
  it("hands arguments and exit code on, and runs in the root", async () => {
    const end = await run(["greet", "code", "--fast", "a b"]);
    expect(end.code).toBe(7);
    expect(end.stdout).toMatch(/^greeting .*drover-run-\S+ \["--fast","a b"\]\n$/);
  });

  it("fails with the place in the source when the tool throws", async () => {
    const end = await run(["greet", "throw"]);
    expect(end).toMatchObject({ code: 1, stderr: expect.stringContaining("the tool broke") });
    expect(end.stderr).toContain("tools/greet.ts");
  });

  it("ends by the signal that ends the tool", async () => {
    expect(await run(["greet", "signal"])).toMatchObject({ code: null, signal: "SIGTERM" });
  });

  it.each([[[]], [["gret"]], [["exit"]]])("refuses %j and names the tools there are", async (args) => {
    expect(await run(args)).toMatchObject({ code: 2, stderr: expect.stringContaining("greet") });
    expect(installs()).toBe(0);
  });

  it("says which Node is needed on an older one, before anything else", async () => {
    put("package.json", JSON.stringify({ engines: { node: ">=99.1" }, scripts: {} }));
    expect(await run()).toMatchObject({ code: 2, stderr: expect.stringContaining("needs Node 99.1 or newer") });
  });

  it("shows where a tool is broken", async () => {
    put("tools/greet.ts", "const a = ;");
    expect(await run()).toMatchObject({ code: 1, stderr: expect.stringContaining("tools/greet.ts:1:10") });
  });
});
