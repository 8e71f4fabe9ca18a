// @module-tag crash

import { describe, expect, it } from "vitest";
import { minuteMs } from "#core/model/instant.ts";
import { buildHarness, type Harness, manners } from "#harness/harness.ts";
import { botComments, botReviews, botWords, gateOf, managedComments, reactionsOn } from "#harness/sights.ts";
import type { PullRef } from "#ports/pull-ref.ts";

const gated = { merge: { when: "when_approved", requireCI: true } } as const;

async function opened(harness: Harness, branch = "work"): Promise<PullRef> {
  const pull = await harness.open({ branch, files: { [`src/${branch}.ts`]: "export const words = 1;\n" } });
  await harness.settle();
  await harness.pass(minuteMs);
  return pull;
}

function managedBody(harness: Harness, pull: PullRef): string {
  return managedComments(harness, pull)[0]?.body ?? "";
}

/** Whatever somebody says about a head that Drover approved and merged. */
async function turnGreen(harness: Harness, pull: PullRef): Promise<void> {
  const commit = harness.headOf(pull);
  await harness.as(harness.robin).report({ repository: harness.repository, commit, name: "ci", state: "passed" });
  await harness.pass(5 * minuteMs);
}

describe.each(manners)("state blocks on a %s", (manner) => {
  it("that somebody copied from Drover's own comment are ignored and reported", async () => {
    const harness = await buildHarness({ manner });
    const pull = await opened(harness);
    await harness.as(harness.otto).comment(pull, managedBody(harness, pull));
    await harness.loseDatabase();
    await harness.settle();
    await harness.pass(3 * minuteMs);
    expect(managedComments(harness, pull)).toHaveLength(1);
    expect(managedBody(harness, pull)).toContain("state blocks that are not Drover's own");
    expect(botReviews(harness, pull)).toHaveLength(1);
  });

  it("that a maintainer edited in Drover's own comment are ignored, reported, and written anew", async () => {
    const harness = await buildHarness({ manner, rules: gated });
    const pull = await opened(harness);
    await harness.as(harness.rita).comment(pull, "@drover hold");
    await harness.pass(3 * minuteMs);
    const [managed] = managedComments(harness, pull);
    if (managed === undefined) throw new Error("there is one");
    const forged = managed.body
      .replace(/"outcome":"obeyed"/g, '"outcome":"refused"')
      .replace(/"approvals":\[\]/, '"approvals":[1]');
    expect(forged).not.toBe(managed.body);
    await harness
      .as(harness.mia)
      .editComment(pull, managed.id, forged)
      .catch(() => undefined);
    await harness.loseDatabase();
    await harness.settle();
    await harness.pass(3 * minuteMs);
    await harness.as(harness.mia).react(pull, "+1");
    await turnGreen(harness, pull);
    expect(harness.look(pull).merged).toBeNull();
    expect(managedBody(harness, pull)).toContain("held by `rita`");
  });

  it("from another pull prove nothing on this one, also after the database is lost", async () => {
    const harness = await buildHarness({ manner, rules: gated });
    const one = await opened(harness, "one");
    await harness.as(harness.rita).react(one, "+1");
    await harness.pass(3 * minuteMs);
    const two = await opened(harness, "two");
    const approvedNotes = managedBody(harness, one);
    await harness.as(harness.ada).comment(two, approvedNotes);
    await harness.loseDatabase();
    await harness.settle();
    await turnGreen(harness, two);
    expect(harness.look(two).merged).toBeNull();
    expect(managedComments(harness, two)).toHaveLength(1);
  });

  it("of the future do not consume a command", async () => {
    const harness = await buildHarness({ manner });
    const pull = await opened(harness);
    await harness.as(harness.rita).comment(pull, "@drover status");
    await harness.pass(3 * minuteMs);
    const block = botWords(harness, pull)[0] ?? "";
    expect(block).toContain("rmcoc");
    // Ada answers rita's next command in Drover's words before Drover does.
    await harness.as(harness.ada).comment(pull, block);
    const second = await harness.as(harness.rita).comment(pull, "@drover status");
    await harness.pass(3 * minuteMs);
    expect(reactionsOn(harness, pull, second)).toEqual(["+1"]);
    expect(botWords(harness, pull)).toHaveLength(2);
  });

  it("and marks that somebody copied do not pass for Drover's answer", async () => {
    const harness = await buildHarness({ manner });
    const pull = await opened(harness);
    harness.faults.next("create_comment", { kind: "timeout", isApplied: false });
    await harness.as(harness.rita).comment(pull, "@drover status");
    await harness.pass(1_000);
    // The mark can be known to somebody who reads the ledger; it counts in a text of the bot's own alone.
    const open = (await harness.ledger(pull)).find(({ kind }) => kind === "acknowledgement");
    await harness.as(harness.otto).comment(pull, open?.text ?? "");
    await harness.pass(5 * minuteMs);
    expect(open?.text).toContain("drover:effect");
    expect(botWords(harness, pull)).toHaveLength(1);
  });
});

describe.each(manners)("on a %s, what people wrote", (manner) => {
  it("is never edited by Drover", async () => {
    const harness = await buildHarness({ manner });
    const pull = await harness.open({
      body: "Please look. @drover disable-reviews",
      files: { "a.ts": "function f() {\n  debugger;\n}\n" },
    });
    await harness.settle();
    const spoken = await harness.as(harness.rita).comment(pull, "@drover enable-reviews");
    await harness.as(harness.otto).comment(pull, "@drover hold");
    await harness.as(harness.rita).review(pull, { event: "request_changes", body: "Not yet." });
    await harness.pass(5 * minuteMs);
    await harness.as(harness.rita).editComment(pull, spoken, "@drover enable-reviews please");
    await harness.pass(5 * minuteMs);
    const mine = new Set(
      [...botComments(harness, pull), ...harness.look(pull).threads.flatMap(({ comments }) => comments)].map(
        ({ id }) => id,
      ),
    );
    const did = harness.sandbox.history.filter(({ by }) => by.id === harness.bot.id).map(({ what }) => what);
    const edited = did.flatMap((what) => (what.kind === "comment_edited" ? [what.comment] : []));
    expect(edited.filter((comment) => !mine.has(comment))).toEqual([]);
    expect(did.filter(({ kind }) => kind === "pull_edited" || kind === "comment_deleted")).toEqual([]);
    expect(gateOf(harness, pull)).toBe("failure");
  });

  it("and edited after it was obeyed is not obeyed again, which is said once", async () => {
    const harness = await buildHarness({ manner });
    const pull = await opened(harness);
    const hold = await harness.as(harness.rita).comment(pull, "@drover hold");
    await harness.pass(2 * minuteMs);
    await harness.as(harness.rita).editComment(pull, hold, "@drover status");
    await harness.pass(3 * minuteMs);
    expect(botWords(harness, pull)).toEqual([expect.stringContaining("was edited after its command `hold`")]);
    expect(reactionsOn(harness, pull, hold)).toEqual(["+1"]);
  });
});
