import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { derive } from "#core/derive/derive.ts";
import type { Account } from "#core/model/account.ts";
import type { Observation } from "#core/model/observation.ts";
import {
  aComment,
  ada,
  anObservation,
  aPull,
  at,
  drover,
  mia,
  otherBot,
  otto,
  rita,
  someRecords,
  someRules,
  text,
} from "#testing/makers.ts";

const marker = "Please wait. @drover disable-reviews";

function suppressionOf(over: Partial<Observation>): string {
  return derive(anObservation(over)).suppression.kind;
}

describe("suppression", () => {
  it("starts as the repository says", () => {
    expect(suppressionOf({})).toBe("enabled");
    expect(suppressionOf({ rules: someRules({ reviews: { automatic: "disabled" } }) })).toBe("disabled");
  });

  it("follows the last command of somebody who may give one", () => {
    const comments = [aComment(1, ada, "@drover disable-reviews", 1), aComment(2, rita, "@drover enable-reviews", 2)];
    expect(suppressionOf({ comments })).toBe("enabled");
    expect(suppressionOf({ comments: comments.slice(0, 1) })).toBe("disabled");
  });

  it.each([otto, otherBot, drover])("does not follow $login", (by) => {
    expect(suppressionOf({ comments: [aComment(1, by, "@drover disable-reviews", 1)] })).toBe("enabled");
  });

  it("ends at its minute, and not before", () => {
    const comments = [aComment(1, ada, "@drover disable-reviews for 59m", 1)];
    expect(suppressionOf({ comments, observedAt: at(59) })).toBe("disabled_until");
    expect(suppressionOf({ comments, observedAt: at(60) })).toBe("enabled");
  });

  it("does not switch reviews on by running out, where they are opt-in", () => {
    const comments = [aComment(1, ada, "@drover disable-reviews for 1m", 1)];
    const rules = someRules({ reviews: { automatic: "disabled" } });
    expect(suppressionOf({ comments, rules, observedAt: at(60) })).toBe("disabled");
  });

  it("takes the marker at the time of the edit that brought it in", () => {
    const comments = [aComment(1, ada, "@drover enable-reviews", 10)];
    const edited = (minutes: number) =>
      aPull({ body: text(marker), bodyEdits: [{ at: at(minutes), by: ada.id, body: text(marker) }] });
    const withFirst = (minutes: number) => ({
      ...edited(minutes),
      bodyEdits: [{ at: at(1), by: ada.id, body: text("") }, ...edited(minutes).bodyEdits],
    });
    expect(suppressionOf({ comments, pull: withFirst(20) })).toBe("disabled");
    expect(suppressionOf({ comments, pull: withFirst(5) })).toBe("enabled");
    expect(suppressionOf({ comments, pull: aPull({ body: text(marker) }) })).toBe("enabled");
  });

  it("keeps what a recorded command meant when its comment is edited", () => {
    const record = {
      comment: aComment(1, ada, "", 1).id,
      word: "disable-reviews" as const,
      by: ada.id,
      at: at(1),
      head: null,
      outcome: "obeyed" as const,
      forMs: 60_000 * 10,
      uptoMicroUsd: null,
      limitMs: null,
    };
    const comments = [{ ...aComment(1, ada, "@drover enable-reviews", 1), editedAt: at(5) }];
    const records = someRecords({ commands: [record] });
    expect(suppressionOf({ comments, records, observedAt: at(8) })).toBe("disabled_until");
    expect(suppressionOf({ comments, records, observedAt: at(12) })).toBe("enabled");
    expect(suppressionOf({ comments: [], records, observedAt: at(8) })).toBe("enabled");
  });
});

/** One thing that somebody did about reviews, as the replay knows it. */
interface Said {
  readonly by: Account;
  readonly word: "enable-reviews" | "disable-reviews";
  readonly forMinutes: number | null;
  readonly minute: number;
}

/** Written without a look at the code: go through everything in order of time and remember the last that is not over. */
function replay(isOptIn: boolean, said: readonly Said[], now: number): string {
  let state = isOptIn ? "disabled" : "enabled";
  for (const { by, word, forMinutes, minute } of said) {
    if (by !== ada && by !== rita && by !== mia) continue;
    if (word === "enable-reviews") state = "enabled";
    else if (forMinutes === null) state = "disabled";
    else if (now < minute + forMinutes) state = "disabled_until";
  }
  return state;
}

const anySaid: fc.Arbitrary<readonly Said[]> = fc
  .array(
    fc.record({
      by: fc.constantFrom(ada, rita, mia, otto, otherBot, drover),
      word: fc.constantFrom<Said["word"]>("enable-reviews", "disable-reviews"),
      forMinutes: fc.option(fc.integer({ min: 1, max: 90 })),
    }),
    { maxLength: 8 },
  )
  .map((all) => all.map((one, index) => ({ ...one, minute: index + 1 })));

it("equals a straightforward replay of everything that was said", () => {
  fc.assert(
    fc.property(anySaid, fc.boolean(), fc.integer({ min: 10, max: 120 }), (said, isOptIn, now) => {
      const comments = said.map(({ by, word, forMinutes, minute }) => {
        const duration = word === "disable-reviews" && forMinutes !== null ? ` for ${forMinutes}m` : "";
        return aComment(minute, by, `@drover ${word}${duration}`, minute);
      });
      const rules = someRules({ reviews: { automatic: isOptIn ? "disabled" : "enabled" } });
      expect(suppressionOf({ comments, rules, observedAt: at(now) })).toBe(replay(isOptIn, said, now));
    }),
    { numRuns: 500 },
  );
});
