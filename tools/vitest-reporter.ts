import { writeFile } from "node:fs/promises";
import { JsonReporter, type TestCase } from "vitest/node";
import { REPORT_VARIABLE } from "./vitest-report.ts";

/**
 * The JSON report of vitest, with the reason of each skip (`context.skip("no Chromium here")`) and the project of each
 * test that is not of the main one, which the original leaves out, and without the line that names the report file.
 * Vitest loads it by path and wants a default export.
 */
export default class VitestReporter extends JsonReporter {
  constructor() {
    super({});
  }

  onTestCaseResult(test: TestCase): void {
    if (!test.project.isRootProject()) Object.assign(test.meta(), { project: test.project.name });
    const result = test.result();
    if (result.state === "skipped" && result.note !== undefined) {
      Object.assign(test.meta(), { skipReason: result.note });
    }
  }

  override async writeReport(report: string): Promise<void> {
    const file = process.env[REPORT_VARIABLE];
    if (file !== undefined) {
      await writeFile(file, report);
    }
  }
}
