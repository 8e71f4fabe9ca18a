import { describe, expect, it } from "vitest";
import { jsonReport } from "#core/report/json-report.ts";
import { aReport, aReportFinding } from "#testing/report-makers.ts";

describe("the JSON of a report", () => {
  it("has the fields that the page on it promises", () => {
    const report = aReport(
      [aReportFinding({ suggestion: "" }), aReportFinding({ rule: "huge-addition", snippet: "", score: 5 })],
      {
        leftOut: [{ path: "logo.png", why: "binary" }],
      },
    );
    expect(jsonReport(report, "0.1.0")).toMatchInlineSnapshot(`
      "{
        "version": 1,
        "tool": {
          "name": "drover",
          "version": "0.1.0"
        },
        "change": {
          "description": "the working tree against HEAD (1111111111)",
          "base": "1111111111111111111111111111111111111111",
          "head": null,
          "files": 1
        },
        "worst": "blocking",
        "isPartial": true,
        "counts": {
          "blocking": 1,
          "problem": 1,
          "belowThreshold": 0
        },
        "findings": [
          {
            "id": "8a14da38103ff8dc19178adea1cbc69e12835d1fec9578174fd413b969a3225b",
            "severity": "blocking",
            "role": "general",
            "rule": "debugger-statement",
            "score": 7,
            "path": "src/loud.ts",
            "side": "new",
            "lines": {
              "first": 2,
              "last": 2
            },
            "snippet": "  debugger;",
            "message": "A \`debugger\` was left in.",
            "assessment": "",
            "suggestion": ""
          },
          {
            "id": "b8726f6d4707b98d93e0fd8400f64507564255d06b706e1bdeca36411c146627",
            "severity": "problem",
            "role": "general",
            "rule": "huge-addition",
            "score": 5,
            "path": "src/loud.ts",
            "side": "new",
            "lines": null,
            "snippet": "",
            "message": "A \`debugger\` was left in.",
            "assessment": "",
            "suggestion": null
          }
        ],
        "roles": [
          {
            "role": "general",
            "reviewer": "rules",
            "state": "completed",
            "words": "Read."
          }
        ],
        "coverage": {
          "filesRead": 1,
          "unread": [
            {
              "path": "logo.png",
              "why": "binary"
            }
          ]
        },
        "costMicroUsd": 0,
        "tookMs": 340
      }
      "
    `);
  });

  it.each([
    [[], "nothing"],
    [[aReportFinding({ score: 5 })], "problem"],
    [[aReportFinding({ score: 5 }), aReportFinding()], "blocking"],
  ] as const)("names the worst of the findings (case %#)", (findings, worst) => {
    expect(JSON.parse(jsonReport(aReport(findings), "0.1.0"))).toMatchObject({ version: 1, worst, isPartial: false });
  });

  it("keeps hidden characters for whoever parses it, and from whoever looks at it", () => {
    const json = jsonReport(aReport([aReportFinding({ message: "a\u202eb\u009bc" })]), "0.1.0");
    expect(json).toContain("a\\u202eb\\u009bc");
    expect(JSON.parse(json)).toMatchObject({ findings: [{ message: "a\u202eb\u009bc" }] });
  });
});
