import { expect, it } from "vitest";
import { CommentId } from "#core/model/ids.ts";
import { after } from "#core/model/instant.ts";
import type { Observation } from "#core/model/observation.ts";
import { type DeletionPlace, findDeletion } from "#jobs/answer.ts";
import type { Obligation } from "#ports/store.ts";
import { aComment, anObservation, at, drover } from "#testing/makers.ts";

const answer = CommentId.parse("7");
const settleMs = 60_000;
const saidAt = at(10);

/** A look that began then, of a pull on which the answer was said at `saidAt`. */
function look(askedAt: DeletionPlace["askedAt"], seen: Partial<Observation> = {}, now = askedAt): DeletionPlace {
  const state = { kind: "done", result: "7", at: saidAt, isNoted: true } as const;
  const ledger: readonly Pick<Obligation, "state">[] = [{ state }];
  return {
    seen: anObservation(seen),
    askedAt,
    now,
    settleMs,
    ledger,
  };
}

it("an answer that a look does not show is deleted only if the forge must show it by then", () => {
  expect(findDeletion(look(after(saidAt, settleMs - 1)), answer)).toEqual({
    kind: "unsure",
    until: after(saidAt, settleMs),
  });
  expect(findDeletion(look(after(saidAt, settleMs)), answer)).toEqual({ kind: "deleted" });
});

it("an answer that a look shows is there, and may be there where the look was cut off", () => {
  const later = after(saidAt, 10 * settleMs);
  expect(findDeletion(look(later, { comments: [aComment(7, drover, "So.", 10)] }), answer)).toEqual({ kind: "there" });
  expect(findDeletion(look(later, { limitsReached: ["commentsMax"] }), answer)).toEqual({ kind: "there" });
});

it("a clock that was set back does not keep a deletion from being believed", () => {
  const before = after(saidAt, -10 * settleMs);
  expect(findDeletion(look(before), answer)).toEqual({ kind: "deleted" });
});
