import { describe, expect, it } from "vitest";
import { writeMark } from "#core/effects/effect-mark.ts";
import { duplicatesIn, findOwnEffects, oldestOf } from "#core/effects/own-effects.ts";
import { ReviewId, ThreadId, Untrusted } from "#core/model/ids.ts";
import { aComment, ada, anObservation, at, drover, sha } from "#testing/makers.ts";

const mark = "0123456789abcdef0123456789abcdef";
const body = `${writeMark(mark)}\nwords`;

describe("what Drover itself has written", () => {
  it("is found by its mark in comments, threads and reviews, the oldest first", () => {
    const seen = anObservation({
      comments: [aComment(9, drover, body, 5), aComment(10, drover, body, 3)],
      threads: [
        {
          id: ThreadId.parse("t"),
          path: "a",
          line: 1,
          remarked: null,
          isResolved: false,
          comments: [aComment(20, drover, body, 4)],
        },
      ],
    });
    const effects = findOwnEffects(seen);
    expect(oldestOf(effects, mark)?.id).toBe("10");
    expect(duplicatesIn(effects).map(({ id }) => id)).toEqual(["20", "9"]);
  });

  it("is nothing that somebody else has copied", () => {
    const seen = anObservation({ comments: [aComment(9, ada, body, 5)] });
    expect(oldestOf(findOwnEffects(seen), mark)).toBeUndefined();
  });

  it("is there once although a page listed it twice", () => {
    const comment = aComment(9, drover, body, 5);
    const effects = findOwnEffects(anObservation({ comments: [comment, comment] }));
    expect(oldestOf(effects, mark)?.id).toBe("9");
    expect(duplicatesIn(effects)).toEqual([]);
  });

  it("is not a review that was never submitted", () => {
    const review = {
      id: ReviewId.parse("3"),
      author: drover,
      state: "pending" as const,
      body: Untrusted.parse(body),
      submittedAt: at(1),
      commit: sha(1),
    };
    const effects = findOwnEffects(anObservation({ reviews: [review] }));
    expect(oldestOf(effects, mark)).toBeUndefined();
    expect(duplicatesIn(effects)).toEqual([]);
  });
});
