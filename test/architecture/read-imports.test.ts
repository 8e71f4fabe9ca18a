import { describe, expect, it } from "vitest";
import { readImports } from "./read-imports.ts";
import { readSource } from "./source.ts";

function importsOf(text: string): readonly (string | undefined)[] {
  return readImports(readSource({ path: "src/core/a.ts", text })).map((each) => each.specifier);
}

describe("readImports", () => {
  it.each([
    ["a static import", 'import { a } from "x";'],
    ["an import for its effect", 'import "x";'],
    ["a whole module", 'import * as a from "x";'],
    ["a type import", 'import type { A } from "x";'],
    ["an inline type import", 'import { type A } from "x";'],
    ["a re-export", 'export { a } from "x";'],
    ["a type re-export", 'export type { A } from "x";'],
    ["a re-export of everything", 'export * from "x";'],
    ["a dynamic import", 'const a = () => import("x");'],
    ["an import in a type", 'type A = import("x").B;'],
    ["a typeof import", 'type A = typeof import("x");'],
    ["a require", 'const a = require("x");'],
    ["an import with equals", 'import a = require("x");'],
    ["an import over several lines", 'import {\n  a,\n} from\n  "x";'],
    ["an import with attributes", 'import a from "x" with { type: "json" };'],
  ])("sees %s", (_what, text) => {
    expect(importsOf(text)).toEqual(["x"]);
  });

  it.each([
    ["a template", "const a = () => import(`x`);"],
    ["a template with a hole", "const a = (b: string) => import(`x/${b}`);"],
    ["a variable", "const a = (b: string) => import(b);"],
    ["a variable to require", "const a = (b: string) => require(b);"],
    ["nothing to require", "const a = require();"],
  ])("cannot tell what %s imports, and says so", (_what, text) => {
    expect(importsOf(text)).toEqual([undefined]);
  });

  it.each([
    ["a comment", '// import { a } from "x";\n/* import "x"; */'],
    ["a string", "const a = 'import { a } from \"x\";';"],
    ["a template text", 'const a = `import "x"`;'],
    ["a method called require", 'const a = b.require("x");'],
    ["a plain export", "export const a = 1;"],
    ["import.meta", "const a = import.meta.url;"],
  ])("takes %s for no import", (_what, text) => {
    expect(importsOf(text)).toEqual([]);
  });

  it("refuses a file that does not parse", () => {
    expect(() => importsOf("import {")).toThrow(/src\/core\/a\.ts/);
  });
});
