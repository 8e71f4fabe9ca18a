import { execFileSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { build as esbuild } from "esbuild";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bundleDrover } from "./bundle-drover.ts";

const ROOT = join(import.meta.dirname, "..");
let house = "";

beforeEach(() => {
  house = mkdtempSync(join(tmpdir(), "drover-build-"));
  put("package.json", '{ "type": "module", "imports": { "#*": "./src/*" } }');
  put("package-lock.json", "{}");
  put("tsconfig.json", "{}");
  put("tools/bundle-drover.ts", "");
  put("src/core/greeting.ts", 'export const greeting: string = "hello";');
  put(
    "src/cli/drover.ts",
    '#!/usr/bin/env node\nconst { greeting } = await import("#core/greeting.ts");\nconsole.log(greeting, ...process.argv.slice(2));',
  );
  mkdirSync(join(house, "node_modules"));
  symlinkSync(join(ROOT, "node_modules/zod"), join(house, "node_modules/zod"));
});

afterEach(() => {
  rmSync(house, { recursive: true, force: true });
});

function put(path: string, text: string): void {
  mkdirSync(dirname(join(house, path)), { recursive: true });
  writeFileSync(join(house, path), text);
}

function read(path: string): string {
  return readFileSync(join(house, path), "utf8");
}

function readBundle(): readonly string[] {
  return ["dist/drover.js", "dist/drover.js.map", ...chunks().map((name) => `dist/chunks/${name}`)].map(read);
}

function chunks(): readonly string[] {
  return readdirSync(join(house, "dist/chunks")).filter((name) => name.endsWith(".js"));
}

function build(when: "always" | "if_needed" = "always") {
  return bundleDrover({ root: house, when });
}

describe("the bundle", () => {
  it("is executable and runs alone, packages included", async () => {
    put("src/core/greeting.ts", 'import * as z from "zod";\nexport const greeting = z.string().parse("hello");');
    expect(await build()).toMatchObject({ kind: "built", path: "dist/drover.js" });
    const alone = mkdtempSync(join(tmpdir(), "drover-alone-"));
    try {
      cpSync(join(house, "dist"), alone, { recursive: true });
      writeFileSync(join(alone, "package.json"), '{ "type": "module" }');
      expect(execFileSync(join(alone, "drover.js"), ["demo"], { encoding: "utf8" })).toBe("hello demo\n");
    } finally {
      rmSync(alone, { recursive: true });
    }
  });

  it("has the same bytes when the tree is the same", async () => {
    await build();
    const first = readBundle();
    await build();
    expect(readBundle()).toEqual(first);
    expect(JSON.stringify(first)).not.toContain(house);
  });

  it("keeps the code that is loaded later, and none of it that is stale", async () => {
    await build();
    const [chunk = ""] = chunks();
    expect(chunks()).toHaveLength(1);
    put("src/core/greeting.ts", 'export const greeting = "good day";');
    await build();
    expect(chunks()).toContain(chunk);
    const longAgo = new Date(Date.now() - 2 * 3_600_000);
    for (const name of readdirSync(join(house, "dist/chunks"))) {
      utimesSync(join(house, "dist/chunks", name), longAgo, longAgo);
    }
    await build();
    expect(chunks()).toHaveLength(1);
    expect(chunks()).not.toContain(chunk);
    expect(execFileSync(join(house, "dist/drover.js"), { encoding: "utf8" })).toBe("good day\n");
  });

  it("says that there is nothing to build without an entry", async () => {
    rmSync(join(house, "src/cli"), { recursive: true });
    expect(await build()).toEqual({ kind: "failed", why: expect.stringContaining("src/cli/drover.ts does not exist") });
  });

  it("says where the source is wrong, and leaves the last bundle alone", async () => {
    await build();
    const before = read("dist/drover.js");
    put("src/core/greeting.ts", "export const = 1;");
    expect(await build()).toEqual({ kind: "failed", why: expect.stringContaining("src/core/greeting.ts:1:13") });
    expect(read("dist/drover.js")).toBe(before);
  });
});

describe("the command line", () => {
  it("loads no package but the parser of options before a command is called", async () => {
    const { metafile } = await esbuild({
      absWorkingDir: ROOT,
      entryPoints: ["src/cli/drover.ts"],
      outdir: "dist",
      bundle: true,
      splitting: true,
      format: "esm",
      platform: "node",
      external: ["@electric-sql/pglite", "pg"],
      metafile: true,
      write: false,
    });
    const loaded = new Set<string>();
    const load = (path: string): void => {
      if (loaded.has(path)) return;
      loaded.add(path);
      for (const one of metafile.outputs[path]?.imports ?? []) if (one.kind === "import-statement") load(one.path);
    };
    load("dist/drover.js");
    const inputs = [...loaded].flatMap((path) => Object.keys(metafile.outputs[path]?.inputs ?? {}));
    const packages = inputs.flatMap((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []);
    expect([...new Set(packages)].toSorted()).toEqual(["@commander-js/extra-typings", "commander"]);
    expect(inputs).toContain("src/cli/command-line.ts");
    expect(inputs).not.toContain("src/cli/serve.ts");
  });
});

describe("building if needed", () => {
  it("builds the first time and then not again", async () => {
    expect((await build("if_needed")).kind).toBe("built");
    expect((await build("if_needed")).kind).toBe("up_to_date");
    expect((await build("always")).kind).toBe("built");
  });

  it.each<[string, () => void]>([
    ["an input changed", () => put("src/core/greeting.ts", 'export const greeting = "good day";')],
    [
      "package.json changed",
      () => put("package.json", '{ "type": "module", "version": "2.0.0", "imports": { "#*": "./src/*" } }'),
    ],
    ["the bundle was changed", () => put("dist/drover.js", "")],
    ["the bundle is gone", () => rmSync(join(house, "dist"), { recursive: true })],
    ["the record is unreadable", () => put("node_modules/.cache/drover/build.json", "{")],
  ])("builds again if %s", async (_what, change) => {
    await build();
    change();
    expect((await build("if_needed")).kind).toBe("built");
  });

  it("does not care about files that are no part of the bundle", async () => {
    await build();
    put("src/core/other.ts", "export const other = 1;");
    expect((await build("if_needed")).kind).toBe("up_to_date");
  });
});
