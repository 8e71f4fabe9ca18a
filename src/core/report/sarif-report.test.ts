import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Report } from "#core/report/report.ts";
import { sarifReport } from "#core/report/sarif-report.ts";
import { aReport, aReportFinding } from "#testing/report-makers.ts";

/** What the schema of SARIF 2.1.0 requires of the parts that we use, and nothing that it does not know. */
const text = z.strictObject({ text: z.string().min(1), markdown: z.string().min(1).optional() });
const properties = z.record(z.string(), z.unknown());
const artifactLocation = z.strictObject({
  uri: z.string().regex(/^(?:[A-Za-z0-9._~!$&'()*+,;=@/-]|%[0-9A-F]{2})+$/),
  uriBaseId: z.literal("%SRCROOT%"),
});
const line = z.number().int().min(1);
const region = z.strictObject({
  startLine: line,
  startColumn: line.optional(),
  endLine: line.optional(),
  endColumn: line.optional(),
  snippet: z.strictObject({ text: z.string() }).optional(),
});
const level = z.enum(["none", "note", "warning", "error"]);
const rule = z.strictObject({
  id: z.string().min(1),
  name: z.string().min(1),
  shortDescription: text,
  fullDescription: text.optional(),
  help: text,
  properties: z
    .strictObject({ precision: z.enum(["very-high", "high"]), tags: z.array(z.string()).max(10) })
    .optional(),
});
const fix = z.strictObject({
  description: text,
  artifactChanges: z
    .array(
      z.strictObject({
        artifactLocation,
        replacements: z
          .array(z.strictObject({ deletedRegion: region, insertedContent: z.strictObject({ text: z.string() }) }))
          .min(1),
      }),
    )
    .min(1),
});
const result = z.strictObject({
  ruleId: z.string(),
  ruleIndex: z.number().int().min(0),
  level,
  message: text,
  locations: z.array(z.strictObject({ physicalLocation: z.strictObject({ artifactLocation, region }) })).length(1),
  partialFingerprints: z.record(z.string(), z.string().regex(/^[0-9a-f]{64}$/)),
  fixes: z.array(fix).optional(),
  properties,
});
const Sarif = z.strictObject({
  $schema: z.url(),
  version: z.literal("2.1.0"),
  runs: z
    .array(
      z.strictObject({
        tool: z.strictObject({
          driver: z.strictObject({ name: z.string(), semanticVersion: z.string(), rules: z.array(rule) }),
        }),
        invocations: z
          .array(
            z.strictObject({
              executionSuccessful: z.boolean(),
              toolExecutionNotifications: z.array(z.strictObject({ level, message: text })),
              properties,
            }),
          )
          .length(1),
        columnKind: z.enum(["utf16CodeUnits", "unicodeCodePoints"]),
        results: z.array(result).max(5_000),
      }),
    )
    .length(1),
});

const facts = { name: "debugger-statement", title: "Debugger", score: 7, catches: "Debuggers.", example: "debugger;" };

function runOf(report: Report, resultsMax = 5_000) {
  const document = Sarif.parse(JSON.parse(sarifReport(report, { toolVersion: "0.1.0", rules: [facts], resultsMax })));
  const [run] = document.runs;
  if (run === undefined) throw new Error("there is no run");
  return run;
}

describe("the SARIF of a report", () => {
  it("is one document with one run", () => {
    const report = aReport([aReportFinding({ suggestion: "  stop();" })]);
    expect(sarifReport(report, { toolVersion: "0.1.0", rules: [facts] })).toMatchInlineSnapshot(`
      "{
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [
          {
            "tool": {
              "driver": {
                "name": "Drover",
                "semanticVersion": "0.1.0",
                "rules": [
                  {
                    "id": "debugger-statement",
                    "name": "DebuggerStatement",
                    "shortDescription": {
                      "text": "Debugger"
                    },
                    "fullDescription": {
                      "text": "Debuggers."
                    },
                    "help": {
                      "text": "Debuggers. Example: debugger;",
                      "markdown": "Debuggers.\\n\\nExample: \`debugger;\`"
                    },
                    "properties": {
                      "precision": "high",
                      "tags": [
                        "drover"
                      ]
                    }
                  }
                ]
              }
            },
            "invocations": [
              {
                "executionSuccessful": true,
                "toolExecutionNotifications": [],
                "properties": {
                  "change": "the working tree against HEAD (1111111111)",
                  "filesRead": 1,
                  "blocking": 1,
                  "unread": []
                }
              }
            ],
            "columnKind": "utf16CodeUnits",
            "results": [
              {
                "ruleId": "debugger-statement",
                "ruleIndex": 0,
                "level": "error",
                "message": {
                  "text": "A \`debugger\` was left in."
                },
                "locations": [
                  {
                    "physicalLocation": {
                      "artifactLocation": {
                        "uri": "src/loud.ts",
                        "uriBaseId": "%SRCROOT%"
                      },
                      "region": {
                        "startLine": 2,
                        "endLine": 2,
                        "snippet": {
                          "text": "  debugger;"
                        }
                      }
                    }
                  }
                ],
                "partialFingerprints": {
                  "droverFinding/v1": "8a14da38103ff8dc19178adea1cbc69e12835d1fec9578174fd413b969a3225b"
                },
                "fixes": [
                  {
                    "description": {
                      "text": "Drover's suggestion"
                    },
                    "artifactChanges": [
                      {
                        "artifactLocation": {
                          "uri": "src/loud.ts",
                          "uriBaseId": "%SRCROOT%"
                        },
                        "replacements": [
                          {
                            "deletedRegion": {
                              "startLine": 2,
                              "endLine": 2
                            },
                            "insertedContent": {
                              "text": "  stop();"
                            }
                          }
                        ]
                      }
                    ]
                  }
                ],
                "properties": {
                  "score": 7,
                  "role": "general",
                  "side": "new"
                }
              }
            ]
          }
        ]
      }
      "
    `);
  });

  it("has each finding with its place, its code, its identity and its rule", () => {
    const report = aReport([
      aReportFinding(),
      aReportFinding({ rule: "made-up", score: 5, lines: { first: 1, last: 3 }, snippet: "x" }),
    ]);
    const { results, tool } = runOf(report);
    expect(
      results.map(({ ruleId, level: each, ruleIndex }) => [ruleId, each, tool.driver.rules[ruleIndex]?.id]),
    ).toEqual([
      ["debugger-statement", "error", "debugger-statement"],
      ["made-up", "warning", "made-up"],
    ]);
    expect(results[0]?.locations[0]?.physicalLocation).toEqual({
      artifactLocation: { uri: "src/loud.ts", uriBaseId: "%SRCROOT%" },
      region: { startLine: 2, endLine: 2, snippet: { text: "  debugger;" } },
    });
    expect(results[0]?.partialFingerprints).toEqual({ "droverFinding/v1": report.findings[1]?.id });
    expect(tool.driver.rules[0]).toMatchObject({ help: { text: "Debuggers. Example: debugger;" } });
  });

  it.each([
    ["replaces lines", "  stop();\n", { startLine: 2, endLine: 2 }, "  stop();"],
    ["takes them away with their end", "", { startLine: 2, startColumn: 1, endLine: 3, endColumn: 1 }, ""],
  ])("has a fix that %s", (_name, suggestion, deletedRegion, inserted) => {
    const [only] = runOf(aReport([aReportFinding({ suggestion })])).results;
    expect(only?.fixes?.[0]?.artifactChanges[0]?.replacements).toEqual([
      { deletedRegion, insertedContent: { text: inserted } },
    ]);
  });

  it("puts a remark on a whole file at its first line, without a fix", () => {
    const [only] = runOf(aReport([aReportFinding({ snippet: "", suggestion: "x" })])).results;
    expect(only?.locations[0]?.physicalLocation.region).toEqual({ startLine: 1 });
    expect(only?.fixes).toBeUndefined();
  });

  it("points at no line of the new file for lines that are gone, and says which they were", () => {
    const gone = aReportFinding({ side: "old", lines: { first: 12, last: 14 }, suggestion: "x" });
    const [only] = runOf(aReport([gone])).results;
    expect(only?.locations[0]?.physicalLocation.region).toEqual({ startLine: 1 });
    expect(only?.message.text).toBe("(lines 12-14 before the change) A `debugger` was left in.");
    expect(only?.fixes).toBeUndefined();
  });

  it.each(["a b#c?.ts", "größe/漢.ts", "x\ud800\u202e.ts", "a%20b:c.ts"])("has a valid address for %j", (path) => {
    expect(runOf(aReport([aReportFinding({ path })])).results).toHaveLength(1);
  });

  it("says what was not looked at, and fails only where a role did", () => {
    const unread = runOf(aReport([], { leftOut: [{ path: "logo.png", why: "binary" }] })).invocations[0];
    expect(unread?.executionSuccessful).toBe(true);
    expect(unread?.toolExecutionNotifications).toEqual([
      { level: "warning", message: { text: "Not read, binary: logo.png." } },
    ]);
    const failed = {
      role: "deep",
      reviewer: "model",
      outcome: { kind: "failed", why: "No answer.", costMicroUsd: 0 },
    } as const;
    expect(runOf(aReport([], { looks: [failed] })).invocations[0]?.executionSuccessful).toBe(false);
  });

  it("keeps the worst of more findings than code scanning takes, and says that there are more", () => {
    const many = [5, 9, 5, 9, 6].map((score, index) => aReportFinding({ score, snippet: `s${index}`, path: "a.ts" }));
    const { results, invocations } = runOf(aReport(many), 3);
    expect(results.map(({ properties: { score } }) => score)).toEqual([9, 9, 6]);
    expect(invocations[0]?.toolExecutionNotifications[0]?.message.text).toContain("2 findings");
  });
});
