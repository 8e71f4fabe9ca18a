// @module-tag crash

import { describe, expect, it } from "vitest";
import type { Comment } from "#core/model/conversation.ts";
import type { RawFinding } from "#core/model/finding.ts";
import { minuteMs } from "#core/model/instant.ts";
import { limits } from "#core/model/limits.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import { botComments, botReviews, gateOf, managedComments } from "#town/sights.ts";
import { buildTown, manners, type Town } from "#town/town.ts";

async function opened(town: Town, files?: Readonly<Record<string, string>>): Promise<PullRef> {
  const pull = await town.open(files === undefined ? {} : { files });
  await town.settle();
  await town.pass(minuteMs);
  return pull;
}

function pagesOf(town: Town, pull: PullRef): readonly Comment[] {
  return botComments(town, pull).filter(({ body }) => body.includes("notes to itself, continued"));
}

describe.each(manners)("on a %s, Drover forgets", (manner) => {
  it("nothing when somebody deletes a page of its notes", async () => {
    const town = await buildTown({ manner });
    const pull = await opened(town);
    for (let times = 0; times < 30; times++) {
      await town.as(town.rita).comment(pull, "@drover hold");
      await town.as(town.rita).comment(pull, "@drover unhold");
      if (times % 10 === 9) await town.pass(minuteMs);
    }
    await town.pass(5 * minuteMs);
    const pages = pagesOf(town, pull);
    expect(pages.length).toBeGreaterThan(1);
    for (const { id } of pages) await town.as(town.mia).deleteComment(pull, id);
    await town.pass(10 * minuteMs);
    expect(pagesOf(town, pull)).toHaveLength(pages.length);
    const answers = town.faults.callsOf("react_to_comment");
    await town.loseDatabase();
    await town.settle();
    await town.pass(5 * minuteMs);
    expect(town.faults.callsOf("react_to_comment")).toBe(answers);
  });

  it("nothing that was said while the forge refuses to merge for a reason of its own", async () => {
    const town = await buildTown({
      manner,
      rules: { merge: { when: "when_approved", requireCI: false } },
      parts: ({ forge }) => ({ forge: { ...forge, merge: async () => ({ kind: "not_now", why: "protected" }) } }),
    });
    const pull = await opened(town);
    await town.as(town.rita).react(pull, "+1");
    await town.pass(10 * minuteMs);
    await town.as(town.rita).comment(pull, "@drover unhold");
    await town.pass(10 * minuteMs);
    expect(managedComments(town, pull)[0]?.body).toContain('"word":"unhold"');
  });
});

describe("a review with more findings than a text can hold", () => {
  it.each([
    [120, 500],
    [250, 20],
  ])("(%i of them, each of %i characters) is published, once, and survives the database", async (count, size) => {
    const numbers = Array.from({ length: count }, (_, index) => index + 1);
    const findings = numbers.map(
      (number): RawFinding => ({
        role: "general",
        rule: `rule-${number}`,
        path: "src/lexer.ts",
        side: "new",
        lines: { first: number, last: number },
        snippet: `const a${number} = ${number};`,
        message: "m".repeat(size),
        assessment: "",
        score: 8,
        suggestion: null,
      }),
    );
    const coverage = { filesRead: 1, unread: [] };
    const town = await buildTown({
      parts: ({ reviewers, forge }) => ({
        reviewers: {
          ...reviewers,
          rules: { review: async () => ({ kind: "completed", findings, coverage, summary: "", costMicroUsd: 0 }) },
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
    const pull = await opened(town, {
      "src/lexer.ts": numbers.map((number) => `const a${number} = ${number};\n`).join(""),
    });
    await town.pass(5 * minuteMs);
    expect(botReviews(town, pull)).toHaveLength(1);
    expect(town.look(pull).threads).toHaveLength(20);
    await town.loseDatabase();
    await town.settle();
    await town.pass(5 * minuteMs);
    expect(botReviews(town, pull)).toHaveLength(1);
    expect(town.look(pull).threads).toHaveLength(20);
    expect(gateOf(town, pull)).toBe("failure");
  });
});
