import { expect, it } from "vitest";
import { annotations, summary } from "#action/run-action.ts";
import { derive } from "#core/derive/derive.ts";
import type { RunReport } from "#core/plan/run-report.ts";
import { aFinding, anObservation, someRecords } from "#testing/makers.ts";

const evil = "</details>@everyone ::error::\n`boom` ![x](https://evil.example/x.png)";
const seen = anObservation({
  records: someRecords({
    findings: [
      aFinding("f1", { path: "a,b:c.ts", message: evil, lines: { first: 3, last: 4 } }),
      aFinding("f2", { path: "old.ts", side: "old", isBlocking: false }),
    ],
  }),
});
const ending: RunReport = {
  repository: "acme/tools",
  pull: 12,
  exitCode: 1,
  verdict: "blocked",
  hasBlockingFindings: true,
  tasks: [{ kind: "review", subject: "general", trigger: "automatic", result: "failed", why: "no | answer" }],
  troubles: ["could not\nbe done"],
  costMicroUsd: 1_500_000,
  isReadOnly: false,
  last: { seen, situation: derive(seen) },
};

it("the summary of a run shows the flight plan, the findings, the tasks and what could not be done", () => {
  const text = summary(ending);
  expect(text).toContain("## Drover: blocked\n\n`acme/tools#12` · 1 task · $1.500000");
  expect(text).toContain("| | condition | state |");
  expect(text).toContain("- ❌ `a,b:c.ts:3-4`");
  expect(text).toContain("- ⚠️ `old.ts");
  expect(text).toContain("- review (general, automatic): failed: no | answer");
  expect(text).toContain("- could not be done");
});

it("the summary of a run holds no mark-up that people wrote", () => {
  const text = summary(ending);
  expect(text).not.toContain("</details>");
  expect(text).not.toContain("@everyone");
  expect(text).not.toContain("![x]");
});

it("the summary of a run on a fork's pull says that nothing was posted", () => {
  expect(summary({ ...ending, isReadOnly: true })).toContain("nothing was posted and nothing is fixed");
});

it("the summary of a run that never saw the pull tells the trouble alone", () => {
  const text = summary({ ...ending, last: null, tasks: [], verdict: "failed" });
  expect(text).not.toContain("Flight plan");
  expect(text).toContain("- could not be done");
});

it("annotations stand beside the lines of the head, one command a line", () => {
  const lines = annotations(ending).trim().split("\n");
  expect(lines).toHaveLength(3);
  expect(lines[0]).toBe("::error title=Drover::could not%0Abe done");
  expect(lines[1]).toMatch(
    /^::error file=a%2Cb%3Ac\.ts,line=3,endLine=4,title=Drover%3A \S+::<\/details>@everyone ::error::%0A/,
  );
  expect(lines[2]).toMatch(/^::warning file=old\.ts,title=/);
});

it("annotations hold no more errors than the runner shows, and what could not be done is among them", () => {
  const findings = Array.from({ length: 12 }, (_, index) => aFinding(`f${index}`, { path: `${index}.ts` }));
  const many = anObservation({ records: someRecords({ findings }) });
  const lines = annotations({ ...ending, last: { seen: many, situation: derive(many) } })
    .trim()
    .split("\n");
  expect(lines).toHaveLength(10);
  expect(lines[0]).toBe("::error title=Drover::could not%0Abe done");
});
