import { describe, expect, it } from "vitest";
import { findForbiddenGlobals } from "./forbidden-globals.ts";
import { readSource } from "./source.ts";

function find(text: string, path = "src/core/a.ts"): readonly string[] {
  return findForbiddenGlobals([readSource({ path, text })]).map((each) => `${each.line}: ${each.what}`);
}

describe("a pure layer", () => {
  it.each([
    ["new Date()", "Date"],
    ["Date.now()", "Date"],
    ["Date.parse(text)", "Date"],
    ["{ Date }", "Date"],
    ["[Date][0]", "Date"],
    ["list[Date.now()]", "Date"],
    ["{ [Date.now()]: 1 }", "Date"],
    ["`at ${Date.now()}`", "Date"],
    ["process.env", "process"],
    ["typeof process", "process"],
    ['fetch("/")', "fetch"],
    ["setTimeout(done, 1)", "setTimeout"],
    ["setInterval(done, 1)", "setInterval"],
    ["setImmediate(done)", "setImmediate"],
    ["queueMicrotask(done)", "queueMicrotask"],
    ["console.log(1)", "console"],
    ["Promise.resolve(1)", "Promise"],
    ["globalThis.Date", "globalThis"],
    ["global.x", "global"],
    ["crypto.randomUUID()", "crypto"],
    ["performance.now()", "performance"],
    ['require("x")', "require"],
    ['eval("1")', "eval"],
  ])("may not say %s", (expression, name) => {
    expect(find(`\nexport const a = ${expression};`)).toEqual([`2: ${name} in a pure layer`]);
  });

  it.each([
    ["export type A = Date;", "Date"],
    ["export interface A { readonly at: Date }", "Date"],
    ["export type A = () => Promise<void>;", "Promise"],
    ["export type A = AsyncIterable<string>;", "AsyncIterable"],
    ["export type A = typeof process.env;", "process"],
    ["export function a(fetch: () => void): void {\n}", "fetch"],
    ["class A extends Date {}", "Date"],
    ["export { Date };", "Date"],
  ])("may not declare %s", (text, name) => {
    expect(find(text)).toEqual([`1: ${name} in a pure layer`]);
  });

  it.each([
    ["Math.random()"],
    ['Math["random"]()'],
    ["Math[name]()"],
    ["(({ random }) => random())(Math)"],
    ["[Math][0]"],
  ])("may not draw lots by %s", (expression) => {
    expect(find(`export const a = ${expression};`)).toEqual(["1: Math.random, or Math handed on, in a pure layer"]);
  });

  it.each([
    ["async function a() {}", "an async function in a pure layer"],
    ["const a = async () => 1;", "an async function in a pure layer"],
    ["const a = { async b() {} };", "an async function in a pure layer"],
    ["class A { async *b() {} }", "an async function in a pure layer"],
    ["await a;", "await in a pure layer"],
    ["for await (const a of b) {}", "for await in a pure layer"],
    ['const a = () => import("#core/b.ts");', "a dynamic import in a pure layer"],
    ["const a = import.meta.url;", "import.meta in a pure layer"],
  ])("may not wait or look outside: %s", (text, what) => {
    expect(find(text)).toEqual([`1: ${what}`]);
  });

  it.each([
    ["a word in a comment", "// Date, process and fetch\n/* await Promise */ const a = 1;"],
    ["a word in a string", 'const a = "Date.now() of process";'],
    ["a word in a template", "const a = `Promise of console.log`;"],
    ["a word in a regular expression", "const a = /Date|process/;"],
    ["a property", "const a = b.process.Date.now();"],
    ["an optional property", "const a = b?.fetch?.();"],
    ["a key", "const a = { Date: 1, process: 2, fetch() {} };"],
    ["a key of a shape", "interface A { Date: string; process?: number; fetch(): void }"],
    ["a parameter in a shape", "interface A { run(process: string): void; b: (fetch: number) => void }"],
    ["a longer name", "type A = CommentDate; const a: UpDate = processAll(prefetch, Datexx);"],
    ["a name in a namespace", "type A = z.Date;"],
    ["a member of a class", "class A { readonly Date = 1; get process() { return this.Date; } }"],
    ["an imported name under another", 'import { Date as Day } from "#core/day.ts"; const a: Day = 1;'],
    ["an exported name", "const day = 1; export { day as Date };"],
    ["arithmetic", 'const a = Math.floor(Math.max(1, 2)) + Math["min"](1, 2);'],
    ["a synchronous loop", "for (const a of b) {}"],
    ["a label", "process: for (;;) { break process; }"],
  ])("may say %s", (_what, text) => {
    expect(find(text)).toEqual([]);
  });

  it("ends where its tests and the other layers begin", () => {
    const text = "export const a = Date.now();";
    expect(find(text, "src/core/a.test.ts")).toEqual([]);
    expect(find(text, "src/app/a.ts")).toEqual([]);
    expect(find(text, "tools/core/a.ts")).toEqual([]);
    expect(find(text, "src/core/deep/down/a.ts")).toEqual(["1: Date in a pure layer"]);
  });
});
