import { describe, expect, it } from "vitest";
import { parseDiff } from "#core/diff/diff.ts";
import { type FindingLocation, locateFinding } from "#reviewers/model/locate-finding.ts";
import { aModelJob, aSaidFinding } from "#testing/model-makers.ts";

function placed(line: string, said: { readonly code: string; readonly fix: string }): FindingLocation | null {
  const parsed = parseDiff(aModelJob({ files: [{ path: "src/a.ts", hunks: [[`+${line}`]] }] }).diff);
  if (parsed.kind !== "diff") throw new Error(parsed.reason);
  return locateFinding(parsed.diff, aSaidFinding({ line: 1, ...said }));
}

describe("a finding in code with handles", () => {
  it("is found by a quote with the sign that prose has", () => {
    expect(placed("@Injectable()", { code: "＠Injectable()", fix: "x" })).toMatchObject({ snippet: "@Injectable()" });
  });

  it("brings that sign into no code", () => {
    const said = { code: "@Injectable()", fix: "＠Injectable({ scope })" };
    expect(placed("@Injectable()", said)?.suggestion).toBe("@Injectable({ scope })");
  });

  it("leaves the sign where the code has it", () => {
    const said = { code: 'greet("＠名前");', fix: 'greet("＠名前さん");' };
    expect(placed('greet("＠名前");', said)?.suggestion).toBe('greet("＠名前さん");');
  });
});
