import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
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
    'import { greeting } from "#core/greeting.ts";\nconsole.log(greeting, ...process.argv.slice(2));',
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

function build(when: "always" | "if_needed" = "always") {
  return bundleDrover({ root: house, when });
}

describe("the bundle", () => {
  it("is executable and runs alone, packages included", async () => {
    put("src/core/greeting.ts", 'import * as z from "zod";\nexport const greeting = z.string().parse("hello");');
    expect(await build()).toMatchObject({ kind: "built", path: "dist/drover.js" });
    const alone = mkdtempSync(join(tmpdir(), "drover-alone-"));
    try {
      const path = join(alone, "drover.mjs");
      writeFileSync(path, read("dist/drover.js"), { mode: statSync(join(house, "dist/drover.js")).mode });
      expect(execFileSync(path, ["demo"], { encoding: "utf8" })).toBe("hello demo\n");
    } finally {
      rmSync(alone, { recursive: true });
    }
  });

  it("has the same bytes when the tree is the same", async () => {
    await build();
    const first = [read("dist/drover.js"), read("dist/drover.js.map")];
    await build();
    expect([read("dist/drover.js"), read("dist/drover.js.map")]).toEqual(first);
    expect(first[0]).not.toContain(house);
    expect(first[1]).not.toContain(house);
  });

  it("keeps the shebang of its entry, once", async () => {
    put("src/cli/drover.ts", "#!/usr/bin/env node\nconsole.log(1);");
    await build();
    expect(read("dist/drover.js").match(/^#!/gm)).toHaveLength(1);
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
