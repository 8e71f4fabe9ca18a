// @module-tag crash

import { describe, expect, it } from "vitest";
import type { Comment } from "#core/model/conversation.ts";
import { minuteMs } from "#core/model/instant.ts";
import { limits } from "#core/model/limits.ts";
import { buildHarness, type Harness, manners } from "#harness/harness.ts";
import { botComments, botReviews, gateOf, managedComments } from "#harness/sights.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import { aCompletedReview, aRawFinding, aReviewer } from "#testing/review-makers.ts";

async function opened(harness: Harness, files?: Readonly<Record<string, string>>): Promise<PullRef> {
  const pull = await harness.open(files === undefined ? {} : { files });
  await harness.settle();
  await harness.pass(minuteMs);
  return pull;
}

function pagesOf(harness: Harness, pull: PullRef): readonly Comment[] {
  return botComments(harness, pull).filter(({ body }) => body.includes("notes to itself, continued"));
}

describe.each(manners)("on a %s, Drover forgets", (manner) => {
  it("nothing when somebody deletes a page of its notes", async () => {
    const harness = await buildHarness({ manner });
    const pull = await opened(harness);
    for (let times = 0; times < 30; times++) {
      await harness.as(harness.rita).comment(pull, "@drover hold");
      await harness.as(harness.rita).comment(pull, "@drover unhold");
      if (times % 10 === 9) await harness.pass(minuteMs);
    }
    await harness.pass(5 * minuteMs);
    const pages = pagesOf(harness, pull);
    expect(pages.length).toBeGreaterThan(1);
    for (const { id } of pages) await harness.as(harness.mia).deleteComment(pull, id);
    await harness.pass(10 * minuteMs);
    expect(pagesOf(harness, pull)).toHaveLength(pages.length);
    const answers = harness.faults.callsOf("react_to_comment");
    await harness.loseDatabase();
    await harness.settle();
    await harness.pass(5 * minuteMs);
    expect(harness.faults.callsOf("react_to_comment")).toBe(answers);
  });

  it("nothing that was said while the forge refuses to merge for a reason of its own", async () => {
    const harness = await buildHarness({
      manner,
      rules: { merge: { when: "when_approved", requireCI: false } },
      parts: ({ forge }) => ({ forge: { ...forge, merge: async () => ({ kind: "not_now", why: "protected" }) } }),
    });
    const pull = await opened(harness);
    await harness.as(harness.rita).react(pull, "+1");
    await harness.pass(10 * minuteMs);
    await harness.as(harness.rita).comment(pull, "@drover unhold");
    await harness.pass(10 * minuteMs);
    expect(managedComments(harness, pull)[0]?.body).toContain('"word":"unhold"');
  });
});

describe("a review with more findings than a text can hold", () => {
  it.each([
    [120, 500],
    [250, 20],
  ])("(%i of them, each of %i characters) is published, once, and survives the database", async (count, size) => {
    const numbers = Array.from({ length: count }, (_, index) => index + 1);
    const findings = numbers.map((number) =>
      aRawFinding({
        rule: `rule-${number}`,
        path: "src/lexer.ts",
        lines: { first: number, last: number },
        snippet: `const a${number} = ${number};`,
        message: "m".repeat(size),
      }),
    );
    const harness = await buildHarness({
      parts: ({ reviewers, forge }) => ({
        reviewers: {
          ...reviewers,
          rules: aReviewer(() => aCompletedReview({ findings })),
        },
        forge: {
          ...forge,
          submitReview: async (request) => {
            // A forge would refuse it.
            expect(request.body.length).toBeLessThanOrEqual(limits.bodyCharactersMax);
            return await forge.submitReview(request);
          },
        },
      }),
    });
    const pull = await opened(harness, {
      "src/lexer.ts": numbers.map((number) => `const a${number} = ${number};\n`).join(""),
    });
    await harness.pass(5 * minuteMs);
    expect(botReviews(harness, pull)).toHaveLength(1);
    expect(harness.look(pull).threads).toHaveLength(20);
    await harness.loseDatabase();
    await harness.settle();
    await harness.pass(5 * minuteMs);
    expect(botReviews(harness, pull)).toHaveLength(1);
    expect(harness.look(pull).threads).toHaveLength(20);
    expect(gateOf(harness, pull)).toBe("failure");
  });
});
