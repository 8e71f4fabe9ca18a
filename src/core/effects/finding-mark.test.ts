import { describe, expect, it } from "vitest";
import { duplicateRemarks, linkThreads, writeFindingMark } from "#core/effects/finding-mark.ts";
import type { Account } from "#core/model/account.ts";
import type { Thread } from "#core/model/conversation.ts";
import { ThreadId } from "#core/model/ids.ts";
import { aComment, ada, aFinding, anObservation, drover, sha } from "#testing/makers.ts";

const finding = { ...aFinding("f1"), thread: null };

function threadOf(id: number, author: Account, about = finding): Thread {
  return {
    id: ThreadId.parse(String(id)),
    path: "src/a.ts",
    line: 1,
    remarked: null,
    isResolved: false,
    comments: [aComment(100 + id, author, `${writeFindingMark(about)}\nwords`, id)],
  };
}

describe("the threads of findings", () => {
  it("are found by the mark in the remark, the older of two", () => {
    const seen = anObservation({ threads: [threadOf(9, drover), threadOf(3, drover)] });
    expect(linkThreads(seen, [finding])[0]?.thread).toBe("3");
    expect(duplicateRemarks(seen).map(({ id }) => id)).toEqual(["109"]);
  });

  it("are not those that somebody else has begun with a copied mark", () => {
    const seen = anObservation({ threads: [threadOf(3, ada)] });
    const findings = [finding];
    expect(linkThreads(seen, findings)[0]?.thread).toBeNull();
    expect(duplicateRemarks(seen)).toEqual([]);
  });

  it("are new for a finding that was raised anew at another head", () => {
    const seen = anObservation({ threads: [threadOf(3, drover)] });
    const raised = { ...finding, head: sha(2) };
    const findings = [raised];
    expect(linkThreads(seen, findings)).toBe(findings);
    expect(raised.thread).toBeNull();
  });

  it("leave what is linked already alone", () => {
    const linked = [{ ...finding, thread: ThreadId.parse("1") }];
    expect(linkThreads(anObservation({ threads: [threadOf(3, drover)] }), linked)).toBe(linked);
  });
});
