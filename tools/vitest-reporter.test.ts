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

it("reports what a real run of vitest did, with the reason of each skip", async () => {
  const root = mkdtempSync(join(tmpdir(), "drover-reporter-"));
  try {
    symlinkSync(join(ROOT, "node_modules"), join(root, "node_modules"));
    writeFileSync(join(root, "a.test.ts"), TESTS);
    const reportFile = join(root, "report.json");
    const end = await runNode({
      script: join(ROOT, "node_modules/vitest/vitest.mjs"),
      args: ["run", `--root=${root}`, `--reporter=${join(ROOT, "tools/vitest-reporter.ts")}`],
      output: "keep",
      env: { ...process.env, [REPORT_VARIABLE]: reportFile },
    });
    const report = readVitestReport({ text: readFileSync(reportFile, "utf8"), exitCode: end.code, root });
    expect(report).toEqual({
      passed: 1,
      failures: [{ file: "a.test.ts", name: "adding fails", message: expect.stringContaining("expected 2 to be 3") }],
      skips: [
        { file: "a.test.ts", name: "adding needs a browser", reason: "no Chromium here" },
        { file: "a.test.ts", name: "adding is skipped in silence", reason: "no reason given" },
      ],
    });
  } finally {
    rmSync(root, { recursive: true });
  }
});
