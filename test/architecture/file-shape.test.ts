import { describe, expect, it } from "vitest";
import { checkFileShape, checkPageLines, checkTestPlaces } from "./file-shape.ts";
import { readSource } from "./source.ts";

function check(path: string, text = ""): readonly string[] {
  return checkFileShape([readSource({ path, text })]).map((each) => each.what);
}

function lines(count: number): string {
  return "// A line.\n".repeat(count);
}

function problems(...paths: readonly string[]): readonly string[] {
  return checkTestPlaces(paths).map((each) => `${each.path}: ${each.what}`);
}

describe("the wall", () => {
  it("stops a file of 401 lines and lets one of 400 pass, tests included", () => {
    expect(check("src/core/a.ts", lines(400))).toEqual([]);
    expect(check("src/core/a.ts", lines(401))).toEqual(["401 lines: the wall is 400"]);
    expect(check("test/scenarios/a.test.ts", lines(401))).toEqual(["401 lines: the wall is 400"]);
  });
});

describe("a page", () => {
  const wide = "word ".repeat(24);

  it("has lines of 120 characters and none of 121", () => {
    expect(checkPageLines([{ path: "docs/a.md", text: `# A page\n\n${wide}\n` }])).toEqual([]);
    expect(checkPageLines([{ path: "docs/a.md", text: `# A page\n\n${wide}!\n` }])).toEqual([
      { path: "docs/a.md", line: 3, what: "121 characters: the wall is 120" },
    ]);
  });

  it("may have wider tables and code, and nothing wide behind them", () => {
    const text = `| ${wide} |\n\n\`\`\`sh\n${wide}!\n\`\`\`\n\n- ${wide}\n`;
    expect(checkPageLines([{ path: "README.md", text }]).map(({ line }) => line)).toEqual([7]);
  });
});

describe("names", () => {
  it.each([
    ["src/core/utils.ts", "utils"],
    ["src/core/util/a.ts", "util"],
    ["src/common/a.ts", "common"],
    ["test/helpers/a.ts", "helpers"],
    ["tools/misc.ts", "misc"],
    ["src/queues/queue-manager.ts", "queue-manager"],
    ["src/server/review-service.test.ts", "review-service"],
  ])("stop %s", (path, name) => {
    expect(check(path)).toEqual([`${name} says nothing about what is inside`]);
  });

  it.each(["src/core/diff/common-ancestor.ts", "src/core/utility.ts", "src/server/service-worker.ts", "src/core/a.ts"])(
    "let %s pass",
    (path) => {
      expect(check(path)).toEqual([]);
    },
  );
});

describe("barrels", () => {
  it("are stopped by name and by what they do", () => {
    expect(check("src/core/index.ts")).toEqual(["index: a folder is entered through the file named after it"]);
    expect(check("src/core/plan.ts", 'export * from "#core/plan/plan.ts";')).toEqual([
      "export *: import from the file that has it",
    ]);
  });

  it("are not seen in an index of something, nor outside of src", () => {
    expect(check("src/core/diff/diff-index.ts", "export const a = 1;")).toEqual([]);
    expect(check("test/bench/index.ts")).toEqual([]);
  });
});

describe("declarations", () => {
  it.each([
    ["enum A { b }", "an enum: say it as a union"],
    ["export const enum A { b }", "an enum: say it as a union"],
    ["declare enum A { b }", "an enum: say it as a union"],
    ["export default 1;", "a default export: give it its name"],
    ["const a = 1; export { a as default };", "a default export: give it its name"],
    ['export { default } from "#core/a.ts";', "a default export: give it its name"],
  ])("stop %s", (text, what) => {
    expect(check("src/core/a.ts", text)).toEqual([what]);
  });

  it.each([
    ["z.enum", 'const a = z.enum(["b"]);'],
    ["a switch with a default", "switch (a) { default: }"],
    ["a name with default in it", "export const defaults = 1;"],
    ["a string", 'const a = "export default enum A {}";'],
  ])("let %s pass", (_what, text) => {
    expect(check("src/core/a.ts", text)).toEqual([]);
  });

  it("may be default where a tool wants it, outside of src", () => {
    expect(check("tools/vitest-reporter.ts", "export default class {}")).toEqual([]);
  });
});

describe("the places of tests", () => {
  it("stops a test beside no file of its name", () => {
    expect(problems("src/core/a.ts", "src/core/b.test.ts")).toEqual([
      "src/core/b.test.ts: lies beside no file of its name",
    ]);
    expect(problems("src/core/a.ts", "src/core/deep/a.test.ts")).toEqual([
      "src/core/deep/a.test.ts: lies beside no file of its name",
    ]);
    expect(problems("src/core/parse.ts", "src/core/parser.test.ts")).toEqual([
      "src/core/parser.test.ts: lies beside no file of its name",
    ]);
  });

  it("stops tests that never run", () => {
    expect(problems("docs/a.test.ts")).toEqual([
      "docs/a.test.ts: never runs: tests lie beside a file of src or tools, or in test/",
    ]);
    for (const path of ["src/core/a.spec.ts", "test/a.test.js", "test/a.test.mts", "src/core/__tests__/a.ts"]) {
      expect(problems("src/core/a.ts", path)).toEqual([`${path}: never runs: tests are called x.test.ts`]);
    }
  });

  it("lets tests beside their file and in test/ pass", () => {
    expect(
      problems(
        "src/core/a.ts",
        "src/core/a.test.ts",
        "src/core/a-with-git.test.ts",
        "src/core/a.property.test.ts",
        "src/web/page.tsx",
        "src/web/page.test.tsx",
        "tools/run.mjs",
        "tools/run.test.ts",
        "test/scenarios/life-of-a-webhook.test.ts",
        "src/core/testing.ts",
      ),
    ).toEqual([]);
  });
});
