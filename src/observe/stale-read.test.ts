import { describe, expect, it } from "vitest";
import { after, minuteMs, secondMs } from "#core/model/instant.ts";
import { checkForStaleRead } from "#observe/stale-read.ts";
import type { FetchedPull } from "#ports/forge.ts";
import type { LastSeen } from "#ports/store.ts";
import { aComment, ada, anObservation, at } from "#testing/makers.ts";

const nothing: LastSeen = { changedAt: null, remarks: [], missingSince: null };
const settleMs = 70 * secondMs;

function seenAt(minutes: number, comments: readonly number[]): FetchedPull {
  const seen = anObservation({ comments: comments.map((id) => aComment(id, ada, "words", 0)) });
  return { ...seen, changedAt: at(minutes), headRef: "refs/pull/12/head" };
}

describe("what was seen of a pull", () => {
  it("is whole the first time, and whenever nothing is missing", () => {
    const first = checkForStaleRead(nothing, seenAt(1, [1, 2]), { now: at(1), settleMs });
    expect(first.kind).toBe("whole");
    const second = checkForStaleRead(first.sight, seenAt(2, [1, 2, 3]), { now: at(2), settleMs });
    expect(second.kind).toBe("whole");
    expect(second.sight.remarks).toHaveLength(3);
  });

  it("is not written down again while it stays the same", () => {
    const { sight } = checkForStaleRead(nothing, seenAt(1, [1]), { now: at(1), settleMs });
    expect(checkForStaleRead(sight, seenAt(1, [1]), { now: at(5), settleMs }).sight).toBe(sight);
  });

  it("is stale when a remark is missing that was there, until it has been away for longer than a forge's lag", () => {
    const { sight } = checkForStaleRead(nothing, seenAt(1, [1, 2]), { now: at(1), settleMs });
    const missing = checkForStaleRead(sight, seenAt(1, [1]), { now: at(2), settleMs });
    expect(missing.kind).toBe("stale");
    const still = checkForStaleRead(missing.sight, seenAt(1, [1]), { now: after(at(2), minuteMs), settleMs });
    expect(still.kind).toBe("stale");
    const gone = checkForStaleRead(still.sight, seenAt(1, [1]), { now: after(at(2), settleMs), settleMs });
    expect(gone).toMatchObject({ kind: "whole", sight: { remarks: ["c1"], missingSince: null } });
  });

  it("forgets its doubts when the remark is there again", () => {
    const { sight } = checkForStaleRead(nothing, seenAt(1, [1, 2]), { now: at(1), settleMs });
    const missing = checkForStaleRead(sight, seenAt(1, [1]), { now: at(2), settleMs });
    expect(checkForStaleRead(missing.sight, seenAt(1, [1, 2]), { now: at(3), settleMs })).toMatchObject({
      kind: "whole",
      sight: { missingSince: null },
    });
  });

  it("is stale when the pull looks older than it did", () => {
    const { sight } = checkForStaleRead(nothing, seenAt(5, [1]), { now: at(5), settleMs });
    expect(checkForStaleRead(sight, seenAt(4, [1]), { now: at(5), settleMs }).kind).toBe("stale");
  });

  it("believes a deletion although the clock was set back meanwhile, but not because of it", () => {
    const { sight } = checkForStaleRead(nothing, seenAt(1, [1, 2]), { now: at(60), settleMs });
    const missing = checkForStaleRead(sight, seenAt(1, [1]), { now: at(61), settleMs });
    const setBack = checkForStaleRead(missing.sight, seenAt(1, [1]), { now: at(2), settleMs });
    expect(setBack.kind).toBe("stale");
    expect(checkForStaleRead(setBack.sight, seenAt(1, [1]), { now: after(at(2), settleMs), settleMs }).kind).toBe(
      "whole",
    );
  });
});
