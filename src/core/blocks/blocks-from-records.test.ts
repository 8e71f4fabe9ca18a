import { describe, expect, it } from "vitest";
import { blocksOf } from "#core/blocks/blocks-from-records.ts";
import { Records } from "#core/model/records.ts";

const noRevisions: ReadonlyMap<string, number> = new Map();

function typesAndPlaces(records: object) {
  return blocksOf(Records.parse(records), noRevisions).map(({ block, carrier }) => [block.type, carrier]);
}

describe("blocksOf", () => {
  it("gives each block the revision of its key, and the later of two records about one subject", () => {
    const command = { comment: "c", word: "hold", by: "1", at: 5, head: null, forMs: null };
    const records = Records.parse({
      commands: [
        { ...command, outcome: "refused" },
        { ...command, outcome: "obeyed" },
      ],
    });
    const blocks = blocksOf(records, new Map([["command c", 4]])).map(({ block }) => block);
    expect(blocks).toMatchObject([
      { type: "process-state", subject: "pull", revision: 0 },
      { type: "command", subject: "c", revision: 4, data: { outcome: "obeyed" } },
    ]);
    expect(blocks).toHaveLength(2);
  });

  it("says which text must carry a block that is about that text", () => {
    const question = { comment: "c", revision: "1" };
    const head = "a".repeat(40);
    const run = { head, baseBranch: "main", role: "general", trigger: { kind: "automatic" }, round: 1, startedAt: 1 };
    const records = {
      questions: [
        { ...question, status: "ANSWERED", answer: "a" },
        { ...question, comment: "d", status: "PENDING", answer: "b" },
      ],
      runs: [{ ...run, state: { kind: "interrupted" } }],
      published: [
        { role: "general", review: "5", head, verdict: "comment", digest: "d" },
        { role: "security", review: "6", head, verdict: "comment", digest: "d" },
      ],
    };
    expect(typesAndPlaces(records)).toEqual([
      ["process-state", null],
      ["question", null],
      ["question-answer", { kind: "comment", id: "a" }],
      ["question", null],
      ["review", { kind: "review", id: "5" }],
    ]);
  });
});
