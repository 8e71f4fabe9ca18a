// @module-tag crash

import { describe, expect, it } from "vitest";
import { minuteMs } from "#core/model/instant.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import { botComments, botReviews, botWords, gateOf, managedComments, reactionsOn } from "#town/sights.ts";
import { buildTown, manners, type Town } from "#town/town.ts";

const gated = { merge: { when: "when_approved", requireCI: true } } as const;

async function opened(town: Town, branch = "work"): Promise<PullRef> {
  const pull = await town.open({ branch, files: { [`src/${branch}.ts`]: "export const words = 1;\n" } });
  await town.settle();
  await town.pass(minuteMs);
  return pull;
}

function managedBody(town: Town, pull: PullRef): string {
  return managedComments(town, pull)[0]?.body ?? "";
}

/** Whatever somebody says about a head that Drover approved and merged. */
async function turnGreen(town: Town, pull: PullRef): Promise<void> {
  const commit = town.headOf(pull);
  await town.as(town.robin).report({ repository: town.repository, commit, name: "ci", state: "passed" });
  await town.pass(5 * minuteMs);
}

describe.each(manners)("state blocks on a %s", (manner) => {
  it("that somebody copied from Drover's own comment are ignored and reported", async () => {
    const town = await buildTown({ manner });
    const pull = await opened(town);
    await town.as(town.otto).comment(pull, managedBody(town, pull));
    await town.loseDatabase();
    await town.settle();
    await town.pass(3 * minuteMs);
    expect(managedComments(town, pull)).toHaveLength(1);
    expect(managedBody(town, pull)).toContain("state blocks that are not Drover's own");
    expect(botReviews(town, pull)).toHaveLength(1);
  });

  it("that a maintainer edited in Drover's own comment are ignored, reported, and written anew", async () => {
    const town = await buildTown({ manner, rules: gated });
    const pull = await opened(town);
    await town.as(town.rita).comment(pull, "@drover hold");
    await town.pass(3 * minuteMs);
    const [managed] = managedComments(town, pull);
    if (managed === undefined) throw new Error("there is one");
    const forged = managed.body
      .replace(/"outcome":"obeyed"/g, '"outcome":"refused"')
      .replace(/"approvals":\[\]/, '"approvals":[1]');
    expect(forged).not.toBe(managed.body);
    await town
      .as(town.mia)
      .editComment(pull, managed.id, forged)
      .catch(() => undefined);
    await town.loseDatabase();
    await town.settle();
    await town.pass(3 * minuteMs);
    await town.as(town.mia).react(pull, "+1");
    await turnGreen(town, pull);
    expect(town.look(pull).merged).toBeNull();
    expect(managedBody(town, pull)).toContain("held by `rita`");
  });

  it("from another pull prove nothing on this one, also after the database is lost", async () => {
    const town = await buildTown({ manner, rules: gated });
    const one = await opened(town, "one");
    await town.as(town.rita).react(one, "+1");
    await town.pass(3 * minuteMs);
    const two = await opened(town, "two");
    const approvedNotes = managedBody(town, one);
    await town.as(town.ada).comment(two, approvedNotes);
    await town.loseDatabase();
    await town.settle();
    await turnGreen(town, two);
    expect(town.look(two).merged).toBeNull();
    expect(managedComments(town, two)).toHaveLength(1);
  });

  it("of the future do not consume a command", async () => {
    const town = await buildTown({ manner });
    const pull = await opened(town);
    await town.as(town.rita).comment(pull, "@drover status");
    await town.pass(3 * minuteMs);
    const block = botWords(town, pull)[0] ?? "";
    expect(block).toContain("rmcoc");
    // Ada answers rita's next command in Drover's words before Drover does.
    await town.as(town.ada).comment(pull, block);
    const second = await town.as(town.rita).comment(pull, "@drover status");
    await town.pass(3 * minuteMs);
    expect(reactionsOn(town, pull, second)).toEqual(["+1"]);
    expect(botWords(town, pull)).toHaveLength(2);
  });

  it("and marks that somebody copied do not pass for Drover's answer", async () => {
    const town = await buildTown({ manner });
    const pull = await opened(town);
    town.faults.next("create_comment", { kind: "timeout", isApplied: false });
    await town.as(town.rita).comment(pull, "@drover status");
    await town.pass(1_000);
    // The mark can be known to somebody who reads the ledger; it counts in a text of the bot's own alone.
    const open = (await town.ledger(pull)).find(({ kind }) => kind === "acknowledgement");
    await town.as(town.otto).comment(pull, open?.text ?? "");
    await town.pass(5 * minuteMs);
    expect(open?.text).toContain("drover:effect");
    expect(botWords(town, pull)).toHaveLength(1);
  });
});

describe.each(manners)("on a %s, what people wrote", (manner) => {
  it("is never edited by Drover", async () => {
    const town = await buildTown({ manner });
    const pull = await town.open({
      body: "Please look. @drover disable-reviews",
      files: { "a.ts": "function f() {\n  debugger;\n}\n" },
    });
    await town.settle();
    const spoken = await town.as(town.rita).comment(pull, "@drover enable-reviews");
    await town.as(town.otto).comment(pull, "@drover hold");
    await town.as(town.rita).review(pull, { event: "request_changes", body: "Not yet." });
    await town.pass(5 * minuteMs);
    await town.as(town.rita).editComment(pull, spoken, "@drover enable-reviews please");
    await town.pass(5 * minuteMs);
    const mine = new Set(
      [...botComments(town, pull), ...town.look(pull).threads.flatMap(({ comments }) => comments)].map(({ id }) => id),
    );
    const did = town.sandbox.history.filter(({ by }) => by.id === town.bot.id).map(({ what }) => what);
    const edited = did.flatMap((what) => (what.kind === "comment_edited" ? [what.comment] : []));
    expect(edited.filter((comment) => !mine.has(comment))).toEqual([]);
    expect(did.filter(({ kind }) => kind === "pull_edited" || kind === "comment_deleted")).toEqual([]);
    expect(gateOf(town, pull)).toBe("failure");
  });

  it("and edited after it was obeyed is not obeyed again, which is said once", async () => {
    const town = await buildTown({ manner });
    const pull = await opened(town);
    const hold = await town.as(town.rita).comment(pull, "@drover hold");
    await town.pass(2 * minuteMs);
    await town.as(town.rita).editComment(pull, hold, "@drover status");
    await town.pass(3 * minuteMs);
    expect(botWords(town, pull)).toEqual([expect.stringContaining("was edited after its command `hold`")]);
    expect(reactionsOn(town, pull, hold)).toEqual(["+1"]);
  });
});
