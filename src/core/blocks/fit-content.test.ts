import { describe, expect, it } from "vitest";
import type { BlockContent, ProcessState } from "#core/blocks/block.ts";
import { fitContent } from "#core/blocks/fit-content.ts";
import { SessionId } from "#core/model/ids.ts";
import { isComplete } from "#core/review/coverage.ts";
import { aFinding, aHead, aRun, at, rita, sha } from "#testing/makers.ts";

const nothing: ProcessState = {
  heads: [],
  approvals: [],
  status: null,
  escalations: [],
  mergeQueued: null,
  closedThreads: [],
  sessions: [],
  spentMicroUsd: 0,
};

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

  it("keeps what was to be read and was not before what nobody had to read", () => {
    const excluded = Array.from({ length: 1_000 }, (_, index) => ({
      path: `dist/file-${index}.js`,
      why: "excluded" as const,
    }));
    const coverage = { filesRead: 1, unread: [...excluded, { path: "src/huge.ts", why: "budget" as const }] };
    const state = { kind: "completed" as const, at: at(1), coverage, findings: [], summary: "" };
    const fitted = fitContent({ type: "review", data: { run: { ...aRun(), state }, published: null } });
    if (fitted?.type !== "review" || fitted.data.run.state.kind !== "completed") throw new Error("it does not fit");
    expect(isComplete(fitted.data.run.state.coverage)).toBe(false);
  });

  it("keeps the newest of what a pull has been through, and the approvals of the heads that are kept", () => {
    const heads = Array.from({ length: 300 }, (_, index) => ({ ...aHead(), sha: sha(index), since: at(index) }));
    const approvals = heads.map(({ sha: head, since }, index) => ({
      account: rita.id,
      signal: `reaction ${index}`,
      at: since,
      head,
      baseBranch: "main",
    }));
    const fitted = fitContent({ type: "process-state", data: { ...nothing, heads, approvals } });
    if (fitted?.type !== "process-state") throw new Error("it fits");
    expect(fitted.data.heads.at(-1)?.sha).toBe(sha(299));
    expect(fitted.data.approvals.at(-1)?.head).toBe(sha(299));
    expect(fitted.data.heads.length).toBeGreaterThan(4);
  });

  it("is given up where nothing can be cut", () => {
    const sessions = [
      {
        id: SessionId.parse("s"),
        purpose: "command" as const,
        head: sha(1),
        startedAt: at(1),
        feedback: Array.from({ length: 3_000 }, (_, index) => `comment ${index}`),
        state: { kind: "running" as const },
      },
    ];
    expect(fitContent({ type: "process-state", data: { ...nothing, sessions } })).toBeNull();
  });
});
