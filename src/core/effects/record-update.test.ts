import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyRecordUpdate, type RecordUpdate } from "#core/effects/record-update.ts";
import { AccountId, CommentId, ReviewId, ThreadId } from "#core/model/ids.ts";
import { aFinding, at, sha, someRecords } from "#testing/makers.ts";

const finding = aFinding("f1");

const notes: readonly RecordUpdate[] = [
  { kind: "none" },
  {
    kind: "command",
    record: {
      comment: CommentId.parse("5"),
      word: "hold",
      by: AccountId.parse("id-mia"),
      at: at(1),
      head: null,
      outcome: "obeyed",
      forMs: null,
      uptoMicroUsd: null,
      limitMs: null,
    },
  },
  { kind: "published", published: { role: "general", head: sha(1), verdict: "approve", digest: "d" } },
  { kind: "manual_review", record: { comment: CommentId.parse("6"), status: "COMPLETED", head: sha(1) } },
  { kind: "thread_closed", thread: ThreadId.parse("t") },
  { kind: "escalated", key: "k", severity: "info", text: "Look." },
  { kind: "answered", question: { comment: CommentId.parse("7"), revision: "r" } },
  {
    kind: "disputed",
    disputes: [{ reply: CommentId.parse("8"), revision: "r", finding: finding.id, outcome: "conceded" }],
    finding: finding.id,
    state: { kind: "resolved", resolution: { how: "conceded", reply: CommentId.parse("8") } },
  },
];

describe("a note of an effect", () => {
  it("taken twice, among any others, is taken once", () => {
    fc.assert(
      fc.property(fc.constantFrom(...notes), fc.array(fc.constantFrom(...notes)), (note, others) => {
        const start = others.reduce(
          (records, one) => applyRecordUpdate(records, one, "9"),
          someRecords({ findings: [finding] }),
        );
        const once = applyRecordUpdate(start, note, "9");
        expect(applyRecordUpdate(once, note, "9")).toEqual(once);
      }),
      { numRuns: 200 },
    );
  });

  it("keeps one live review for each role, the last", () => {
    const [, , published] = notes;
    if (published === undefined) throw new Error("there is one");
    const first = applyRecordUpdate(someRecords(), published, "1");
    const second = applyRecordUpdate(first, published, "2");
    expect(second.published.map(({ review }) => review)).toEqual([ReviewId.parse("2")]);
  });

  it("does not go back to an earlier review when a worker that slept tells of it", () => {
    const [, , published] = notes;
    if (published === undefined) throw new Error("there is one");
    const later = applyRecordUpdate(someRecords(), published, "29");
    expect(applyRecordUpdate(later, published, "9").published.map(({ review }) => review)).toEqual([
      ReviewId.parse("29"),
    ]);
  });

  it("says nothing of a review that has no id", () => {
    const published: RecordUpdate = {
      kind: "published",
      published: { role: "general", head: sha(1), verdict: "approve", digest: "d" },
    };
    expect(applyRecordUpdate(someRecords(), published, null).published).toEqual([]);
  });

  it("does not bring back a finding that was fixed while it was argued about", () => {
    const fixed = { ...finding, state: { kind: "resolved", resolution: { how: "fixed", head: sha(2) } } } as const;
    const escalated: RecordUpdate = {
      kind: "disputed",
      disputes: [],
      finding: finding.id,
      state: { kind: "escalated" },
    };
    expect(applyRecordUpdate(someRecords({ findings: [fixed] }), escalated, "9").findings).toEqual([fixed]);
    const [open] = applyRecordUpdate(someRecords({ findings: [finding] }), escalated, "9").findings;
    expect(open?.state).toEqual({ kind: "escalated" });
  });

  it("settles the finding that was argued about", () => {
    const after = notes.reduce(
      (records, note) => applyRecordUpdate(records, note, "9"),
      someRecords({ findings: [finding] }),
    );
    expect(after.findings.map(({ state }) => state.kind)).toEqual(["resolved"]);
    expect(after.questions).toEqual([{ comment: "7", revision: "r", status: "ANSWERED", answer: "9" }]);
  });
});
