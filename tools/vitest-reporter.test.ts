import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runNode } from "./child.ts";
import { REPORT_VARIABLE, readVitestReport } from "./vitest-report.ts";

const ROOT = join(import.meta.dirname, "..");
const TESTS = `
import { describe, expect, it } from "vitest";
describe("adding", () => {
  it("works", () => expect(1 + 1).toBe(2));
  it("fails", () => expect(1 + 1).toBe(3));
  it("needs a browser", (context) => context.skip("no Chromium here"));
  it.skip("is skipped in silence", () => {});
});
`;
const CONFIG = `
export default {
  test: {
    name: "once",
    include: ["*.test.ts"],
    projects: ["vitest.config.mjs", { test: { name: "again", include: ["*.test.ts"] } }],
  },
};
`;

it("reports what a real run of vitest did in each project, with the reason of each skip", async () => {
  const root = mkdtempSync(join(tmpdir(), "drover-reporter-"));
  try {
    symlinkSync(join(ROOT, "node_modules"), join(root, "node_modules"));
    writeFileSync(join(root, "a.test.ts"), TESTS);
    writeFileSync(join(root, "vitest.config.mjs"), CONFIG);
    const reportFile = join(root, "report.json");
    const end = await runNode({
      script: join(ROOT, "node_modules/vitest/vitest.mjs"),
      args: ["run", `--root=${root}`, `--reporter=${join(ROOT, "tools/vitest-reporter.ts")}`],
      output: "keep",
      env: { ...process.env, [REPORT_VARIABLE]: reportFile },
    });
    const report = readVitestReport({ text: readFileSync(reportFile, "utf8"), exitCode: end.code, root });
    const message = expect.stringContaining("expected 2 to be 3");
    expect(report.passed).toBe(2);
    expect(inOrder(report.failures)).toEqual([
      { file: "a.test.ts", name: "adding fails", message },
      { file: "a.test.ts", name: "adding fails [again]", message },
    ]);
    expect(inOrder(report.skips)).toEqual(inOrder([...skipsOf(""), ...skipsOf(" [again]")]));
  } finally {
    rmSync(root, { recursive: true });
  }
});

function skipsOf(project: string) {
  return [
    { file: "a.test.ts", name: `adding needs a browser${project}`, reason: "no Chromium here" },
    { file: "a.test.ts", name: `adding is skipped in silence${project}`, reason: "no reason given" },
  ];
}

/** Of two projects either may be the first to end. */
function inOrder<Entry extends { readonly name: string }>(entries: readonly Entry[]): readonly Entry[] {
  return entries.toSorted((left, right) => (left.name < right.name ? -1 : 1));
}
