// @module-tag crash

import { describe, expect, it } from "vitest";
import { minuteMs, secondMs } from "#core/model/instant.ts";
import { watchedFate } from "#harness/fate.ts";
import { buildHarness, type Harness, manners } from "#harness/harness.ts";
import { blankedComments, botReviews, botWords, gateOf, managedComments, reactionsOn } from "#harness/sights.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import type { Reviewer } from "#ports/reviewer.ts";
import { aReviewer } from "#testing/review-makers.ts";

const gated = { merge: { when: "when_approved", requireCI: true } } as const;
const blocked = { "src/lexer.ts": "export function words() {\n  debugger;\n}\n" };

async function opened(harness: Harness, files?: Readonly<Record<string, string>>): Promise<PullRef> {
  const pull = await harness.open(files === undefined ? {} : { files });
  await harness.settle();
  await harness.pass(minuteMs);
  return pull;
}

/** Its look never comes to an end. */
function stuckReviewer(onStuck: () => void): Reviewer {
  return aReviewer(async () => {
    onStuck();
    return await new Promise<never>(() => undefined);
  });
}

/** The database is gone, and a new worker comes to know of the pull. */
async function loseDatabase(harness: Harness): Promise<void> {
  await harness.loseDatabase();
  await harness.settle();
  await harness.pass(3 * minuteMs);
}

describe.each(manners)("a database that is lost beside a %s", (manner) => {
  it("after a review brings no second one, nor a second managed comment", async () => {
    const harness = await buildHarness({ manner });
    const pull = await opened(harness, blocked);
    await loseDatabase(harness);
    expect(botReviews(harness, pull).map(({ state }) => state)).toEqual(["changes_requested"]);
    expect(harness.look(pull).threads).toHaveLength(1);
    expect(managedComments(harness, pull)).toHaveLength(1);
    expect(blankedComments(harness, pull)).toHaveLength(0);
    expect(gateOf(harness, pull)).toBe("failure");
  });

  it("before the first look at all leaves nothing undone", async () => {
    const harness = await buildHarness({ manner, network: () => undefined });
    const pull = await harness.open({ files: blocked });
    const hold = await harness.as(harness.rita).comment(pull, "@drover hold");
    await loseDatabase(harness);
    expect(botReviews(harness, pull)).toHaveLength(1);
    expect(reactionsOn(harness, pull, hold)).toEqual(["+1"]);
  });

  it("while a review is being made lets it be made anew, and published once", async () => {
    let isStuck = false;
    const harness = await buildHarness({
      manner,
      fate: { ...watchedFate(), isAway: () => isStuck },
      parts: ({ reviewers }) => {
        const stuck = stuckReviewer(() => {
          isStuck = true;
        });
        return isStuck ? {} : { reviewers: { ...reviewers, rules: stuck } };
      },
    });
    const pull = await harness.open({ files: blocked });
    await harness.pass(5 * secondMs);
    expect(isStuck).toBe(true);
    expect(botReviews(harness, pull)).toHaveLength(0);
    await loseDatabase(harness);
    expect(botReviews(harness, pull)).toHaveLength(1);
    expect(harness.look(pull).threads).toHaveLength(1);
    expect(managedComments(harness, pull)).toHaveLength(1);
  });

  it.each(["status", "hold", "disable-reviews", "merge"])("does not make %s be obeyed a second time", async (word) => {
    const harness = await buildHarness({ manner, rules: { merge: { when: "on_command" } } });
    const pull = await opened(harness);
    const command = await harness.as(harness.rita).comment(pull, `@drover ${word}`);
    await harness.pass(3 * minuteMs);
    const words = botWords(harness, pull);
    await loseDatabase(harness);
    expect(botWords(harness, pull)).toEqual(words);
    expect(reactionsOn(harness, pull, command)).toEqual(["+1"]);
    expect(harness.faults.callsOf("react_to_comment")).toBe(1);
  });

  it("keeps a hold and a suppression", async () => {
    const harness = await buildHarness({ manner, rules: gated });
    const pull = await opened(harness);
    await harness.as(harness.rita).comment(pull, "@drover hold");
    await harness.as(harness.rita).comment(pull, "@drover disable-reviews");
    await harness.pass(3 * minuteMs);
    await loseDatabase(harness);
    const body = managedComments(harness, pull)[0]?.body;
    expect(body).toContain("held by `rita`");
    expect(body).toContain("Automatic reviews are off.");
  });

  it("leaves approvals bound to the heads for which they were given", async () => {
    const harness = await buildHarness({ manner, rules: gated });
    const pull = await opened(harness);
    await harness.as(harness.rita).react(pull, "+1");
    await harness.pass(3 * minuteMs);
    await harness.push(pull, { "src/lexer.ts": "export const words = 11;\n" });
    await harness.pass(3 * minuteMs);
    await loseDatabase(harness);
    const commit = harness.headOf(pull);
    await harness.as(harness.robin).report({ repository: harness.repository, commit, name: "ci", state: "passed" });
    await harness.pass(5 * minuteMs);
    expect(harness.look(pull).merged).toBeNull();
  });

  it("still merges what was approved before and never moved", async () => {
    const harness = await buildHarness({ manner, rules: gated });
    const pull = await opened(harness);
    await harness.as(harness.rita).react(pull, "+1");
    await harness.pass(3 * minuteMs);
    await loseDatabase(harness);
    const commit = harness.headOf(pull);
    await harness.as(harness.robin).report({ repository: harness.repository, commit, name: "ci", state: "passed" });
    await harness.pass(5 * minuteMs);
    expect(harness.look(pull).merged?.head).toBe(commit);
  });

  it("ten times over changes nothing that people see", async () => {
    const harness = await buildHarness({ manner });
    const pull = await opened(harness, blocked);
    await harness.as(harness.rita).comment(pull, "@drover status");
    await harness.pass(3 * minuteMs);
    const { comments, reviews, threads } = harness.look(pull);
    for (let times = 0; times < 10; times++) await loseDatabase(harness);
    const now = harness.look(pull);
    expect(now.comments.map(({ id }) => id)).toEqual(comments.map(({ id }) => id));
    expect(now.reviews.map(({ id, state }) => [id, state])).toEqual(reviews.map(({ id, state }) => [id, state]));
    expect(now.threads).toEqual(threads);
  });

  it("in the minute after an answer whose receipt was lost does not bring it twice", async () => {
    const harness = await buildHarness({ manner });
    const pull = await opened(harness);
    harness.faults.next("create_comment", { kind: "lost_response" });
    await harness.as(harness.rita).comment(pull, "@drover status");
    await harness.pass(2 * secondMs);
    await loseDatabase(harness);
    expect(botWords(harness, pull)).toHaveLength(1);
  });
});
