import { describe, expect, it } from "vitest";
import { parseDiff } from "#core/diff/diff.ts";
import { estimateTokens } from "#core/prompt/token-estimate.ts";
import { readSurroundingCode } from "#reviewers/model/render-change.ts";
import { aModelJob, type JobSketch, reviewerOf, says, scriptedModel } from "#testing/model-makers.ts";

const lines = Array.from({ length: 400 }, (_, index) => `const value${index + 1} = compute(${index + 1});`);
/** Line 1 is the one that changes. */
const changed: JobSketch = {
  files: [{ path: "src/a.ts", hunks: [["-old();", "+const value1 = compute(1);", " const value2 = compute(2);"]] }],
  texts: { "src/a.ts": lines.join("\n") },
};

async function around(sketch: JobSketch, promptTokens = 100): Promise<string> {
  const job = aModelJob(sketch);
  const parsed = parseDiff(job.diff);
  if (parsed.kind !== "diff") throw new Error(parsed.reason);
  return await readSurroundingCode(job, parsed.diff, { cacheTokensMin: 1_024, promptTokens });
}

describe("code around a small change", () => {
  it("is what comes next to it, without what the diff shows, as much as fills the cache's shortest beginning", async () => {
    const text = await around(changed);
    expect(text).toMatch(/^=== src\/a\.ts\n@@ 3\n const value3 = compute\(3\);\n const value4/);
    expect(text).not.toMatch(/value[12] =/);
    expect(estimateTokens(text) + 100).toBeGreaterThanOrEqual((1_024 - 560) * 1.5);
    expect(estimateTokens(text) + 100).toBeLessThan((1_024 - 560) * 1.5 + 50);
  });

  it("has no line that is as large as a file", async () => {
    const texts = { "src/a.ts": [lines[0], lines[1], "x".repeat(1_000_000), ...lines.slice(3)].join("\n") };
    const text = await around({ ...changed, texts });
    expect(text.length).toBeGreaterThan(500);
    expect(text.length).toBeLessThan(5_000);
  });

  it("stands before and after, with the number of its first line", async () => {
    const texts = { "src/a.ts": lines.slice(0, 99).join("\n") };
    const hunks = [["+const value1 = compute(1);"], ["+const value101 = compute(101);"]];
    const text = await around({ files: [{ path: "src/a.ts", hunks }], texts }, 500);
    expect(text.match(/^@@ \d+$/gm)).toEqual(["@@ 2", "@@ 92"]);
  });

  it("is left out where the change is large enough, where it could not be filled, and of new or missing files", async () => {
    expect(await around(changed, 700)).toBe("");
    expect(await around({ ...changed, texts: { "src/a.ts": lines.slice(0, 10).join("\n") } })).toBe("");
    expect(await around({ ...changed, texts: {} })).toBe("");
    const added = {
      ...changed,
      files: [{ path: "src/a.ts", kind: "added" as const, hunks: [["+const value1 = 1;"]] }],
    };
    expect(await around(added)).toBe("");
  });

  it("is shown as data before the diff, by models of which it is known that it pays, and to all roles alike", async () => {
    const model = { ...scriptedModel(() => says()), cacheTokensMin: 1_024 };
    await reviewerOf(model).review(aModelJob(changed));
    await reviewerOf(model).review(aModelJob({ ...changed, role: "security" }));
    const openings = model.turns
      .filter(({ purpose }) => purpose === "review_find")
      .map(({ messages }) => (messages[0]?.from === "drover" ? messages[0].parts : []));
    expect(openings.map((parts) => parts.map((part) => (part.kind === "data" ? part.title : part.kind)))).toEqual([
      ["instructions", "unchanged code around the change", "the diff", "instructions"],
      ["instructions", "unchanged code around the change", "the diff", "instructions"],
    ]);
    expect(openings[0]?.slice(0, 3)).toEqual(openings[1]?.slice(0, 3));
    const unknowing = scriptedModel(() => says());
    await reviewerOf(unknowing).review(aModelJob(changed));
    expect(JSON.stringify(unknowing.turns[0]?.messages)).not.toContain("around the change");
  });
});
