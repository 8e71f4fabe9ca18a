import { describe, expect, it } from "vitest";
import type { BlockContent } from "#core/blocks/block.ts";
import { fitContent } from "#core/blocks/fit-content.ts";
import { aFinding, aRun, at } from "#testing/makers.ts";

describe("content that is too long for a block", () => {
  it("is left alone when it fits", () => {
    const content: BlockContent = { type: "review-finding", data: aFinding("f1") };
    expect(fitContent(content)).toBe(content);
  });

  it("keeps the place of a finding and gives up its words", () => {
    const finding = { ...aFinding("f1"), message: "é".repeat(4_000), assessment: "é".repeat(4_000), suggestion: "x" };
    const fitted = fitContent({ type: "review-finding", data: finding });
    expect(fitted?.data).toMatchObject({
      id: finding.id,
      path: finding.path,
      snippet: finding.snippet,
      suggestion: null,
    });
  });

  it("never lets a partial look pass for a complete one", () => {
    const unread = Array.from({ length: 1_000 }, (_, index) => ({
      path: `src/file-${index}.ts`,
      why: "size" as const,
    }));
    const run = {
      ...aRun(),
      state: {
        kind: "completed" as const,
        at: at(1),
        coverage: { filesRead: 1, unread },
        findings: [],
        summary: "",
      },
    };
    const fitted = fitContent({ type: "review", data: { run, published: null } });
    expect(
      fitted?.type === "review" &&
        fitted.data.run.state.kind === "completed" &&
        fitted.data.run.state.coverage.unread.length,
    ).toBeGreaterThan(0);
  });

  it("is given up where nothing can be cut", () => {
    const escalations = Array.from({ length: 2_000 }, (_, index) => `escalate/${index}`);
    const data = {
      heads: [],
      approvals: [],
      status: null,
      escalations,
      mergeQueued: null,
      closedThreads: [],
      sessions: [],
      spentMicroUsd: 0,
    };
    expect(fitContent({ type: "process-state", data })).toBeNull();
  });
});
