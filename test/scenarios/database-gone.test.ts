// @module-tag crash

import { describe, expect, it } from "vitest";
import { minuteMs, secondMs } from "#core/model/instant.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import type { Reviewer } from "#ports/reviewer.ts";
import { watchedFate } from "#town/fate.ts";
import { blankedComments, botReviews, botWords, gateOf, managedComments, reactionsOn } from "#town/sights.ts";
import { buildTown, manners, type Town } from "#town/town.ts";

const gated = { merge: { when: "when_approved", requireCI: true } } as const;
const blocked = { "src/lexer.ts": "export function words() {\n  debugger;\n}\n" };

async function opened(town: Town, files?: Readonly<Record<string, string>>): Promise<PullRef> {
  const pull = await town.open(files === undefined ? {} : { files });
  await town.settle();
  await town.pass(minuteMs);
  return pull;
}

/** Its look never comes to an end. */
function stuckReviewer(onStuck: () => void): Reviewer {
  return {
    review: async () => {
      onStuck();
      return await new Promise<never>(() => undefined);
    },
  };
}

/** The database is gone, and a new worker comes to know of the pull. */
async function loseDatabase(town: Town): Promise<void> {
  await town.loseDatabase();
  await town.settle();
  await town.pass(3 * minuteMs);
}

describe.each(manners)("a database that is lost beside a %s", (manner) => {
  it("after a review brings no second one, nor a second managed comment", async () => {
    const town = await buildTown({ manner });
    const pull = await opened(town, blocked);
    await loseDatabase(town);
    expect(botReviews(town, pull).map(({ state }) => state)).toEqual(["changes_requested"]);
    expect(town.look(pull).threads).toHaveLength(1);
    expect(managedComments(town, pull)).toHaveLength(1);
    expect(blankedComments(town, pull)).toHaveLength(0);
    expect(gateOf(town, pull)).toBe("failure");
  });

  it("before the first look at all leaves nothing undone", async () => {
    const town = await buildTown({ manner, network: () => undefined });
    const pull = await town.open({ files: blocked });
    const hold = await town.as(town.rita).comment(pull, "@drover hold");
    await loseDatabase(town);
    expect(botReviews(town, pull)).toHaveLength(1);
    expect(reactionsOn(town, pull, hold)).toEqual(["+1"]);
  });

  it("while a review is being made lets it be made anew, and published once", async () => {
    let isStuck = false;
    const town = await buildTown({
      manner,
      fate: { ...watchedFate(), isAway: () => isStuck },
      parts: ({ reviewers }) => {
        const stuck = stuckReviewer(() => {
          isStuck = true;
        });
        return isStuck ? {} : { reviewers: { ...reviewers, rules: stuck } };
      },
    });
    const pull = await town.open({ files: blocked });
    await town.pass(5 * secondMs);
    expect(isStuck).toBe(true);
    expect(botReviews(town, pull)).toHaveLength(0);
    await loseDatabase(town);
    expect(botReviews(town, pull)).toHaveLength(1);
    expect(town.look(pull).threads).toHaveLength(1);
    expect(managedComments(town, pull)).toHaveLength(1);
  });

  it.each(["status", "hold", "disable-reviews", "merge"])("does not make %s be obeyed a second time", async (word) => {
    const town = await buildTown({ manner, rules: { merge: { when: "on_command" } } });
    const pull = await opened(town);
    const command = await town.as(town.rita).comment(pull, `@drover ${word}`);
    await town.pass(3 * minuteMs);
    const words = botWords(town, pull);
    await loseDatabase(town);
    expect(botWords(town, pull)).toEqual(words);
    expect(reactionsOn(town, pull, command)).toEqual(["+1"]);
    expect(town.faults.callsOf("react_to_comment")).toBe(1);
  });

  it("keeps a hold and a suppression", async () => {
    const town = await buildTown({ manner, rules: gated });
    const pull = await opened(town);
    await town.as(town.rita).comment(pull, "@drover hold");
    await town.as(town.rita).comment(pull, "@drover disable-reviews");
    await town.pass(3 * minuteMs);
    await loseDatabase(town);
    const body = managedComments(town, pull)[0]?.body;
    expect(body).toContain("held by `rita`");
    expect(body).toContain("Automatic reviews are off.");
  });

  it("leaves approvals bound to the heads for which they were given", async () => {
    const town = await buildTown({ manner, rules: gated });
    const pull = await opened(town);
    await town.as(town.rita).react(pull, "+1");
    await town.pass(3 * minuteMs);
    await town.push(pull, { "src/lexer.ts": "export const words = 11;\n" });
    await town.pass(3 * minuteMs);
    await loseDatabase(town);
    const commit = town.headOf(pull);
    await town.as(town.robin).report({ repository: town.repository, commit, name: "ci", state: "passed" });
    await town.pass(5 * minuteMs);
    expect(town.look(pull).merged).toBeNull();
  });

  it("still merges what was approved before and never moved", async () => {
    const town = await buildTown({ manner, rules: gated });
    const pull = await opened(town);
    await town.as(town.rita).react(pull, "+1");
    await town.pass(3 * minuteMs);
    await loseDatabase(town);
    const commit = town.headOf(pull);
    await town.as(town.robin).report({ repository: town.repository, commit, name: "ci", state: "passed" });
    await town.pass(5 * minuteMs);
    expect(town.look(pull).merged?.head).toBe(commit);
  });

  it("ten times over changes nothing that people see", async () => {
    const town = await buildTown({ manner });
    const pull = await opened(town, blocked);
    await town.as(town.rita).comment(pull, "@drover status");
    await town.pass(3 * minuteMs);
    const { comments, reviews, threads } = town.look(pull);
    for (let times = 0; times < 10; times++) await loseDatabase(town);
    const now = town.look(pull);
    expect(now.comments.map(({ id }) => id)).toEqual(comments.map(({ id }) => id));
    expect(now.reviews.map(({ id, state }) => [id, state])).toEqual(reviews.map(({ id, state }) => [id, state]));
    expect(now.threads).toEqual(threads);
  });

  it("in the minute after an answer whose receipt was lost does not bring it twice", async () => {
    const town = await buildTown({ manner });
    const pull = await opened(town);
    town.faults.next("create_comment", { kind: "lost_response" });
    await town.as(town.rita).comment(pull, "@drover status");
    await town.pass(2 * secondMs);
    await loseDatabase(town);
    expect(botWords(town, pull)).toHaveLength(1);
  });
});
