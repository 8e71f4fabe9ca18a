// @module-tag crash

import { describe, expect, it } from "vitest";
import { readRepositoryFile } from "#config/read-repository-file.ts";
import { minuteMs, secondMs } from "#core/model/instant.ts";
import { buildHarness, type Harness, manners } from "#harness/harness.ts";
import { botWords, managedComments, reactionsOn } from "#harness/sights.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import { createReconciler } from "#reconcile/reconciler.ts";

function notice(harness: Harness, pull: PullRef): string {
  return managedComments(harness, pull)[0]?.body ?? "";
}

/** Somebody says something, and everything that follows has happened. */
async function said(harness: Harness, pull: PullRef, words: string): Promise<void> {
  await harness.as(harness.rita).comment(pull, words);
  await harness.pass(minuteMs);
}

async function opened(harness: Harness, over: Parameters<Harness["open"]>[0] = {}): Promise<PullRef> {
  const pull = await harness.open(over);
  await harness.pass(minuteMs);
  return pull;
}

const marker = "@drover disable-reviews";

describe.each(manners)("the managed comment on a %s", (manner) => {
  it("does not call a head unreviewed that was reviewed on request", async () => {
    const harness = await buildHarness({ manner });
    const pull = await opened(harness, { body: marker });
    expect(notice(harness, pull)).toContain(
      `Not reviewing commit \`${harness.headOf(pull)}\` due to explicit suppression`,
    );
    await said(harness, pull, "@drover review");
    expect(notice(harness, pull)).toContain(`Commit \`${harness.headOf(pull)}\` is reviewed.`);
    expect(notice(harness, pull)).not.toContain("Not reviewing");
    expect(notice(harness, pull)).toContain("Automatic reviews are off.");
  });

  it("does not call a head unreviewed that was reviewed before reviews were switched off", async () => {
    const harness = await buildHarness({ manner });
    const pull = await opened(harness);
    await said(harness, pull, "@drover disable-reviews");
    expect(notice(harness, pull)).toContain(`Commit \`${harness.headOf(pull)}\` is reviewed.`);
    const head = await harness.push(pull, { "src/more.ts": "export const more = 1;\n" });
    await harness.pass(minuteMs);
    expect(notice(harness, pull)).toContain(`Not reviewing commit \`${head}\` due to explicit suppression`);
  });

  it("answers a cancel on a suppressed pull with what holds, and not with a review of the next push", async () => {
    const harness = await buildHarness({ manner });
    const pull = await opened(harness, { body: marker });
    const command = await harness.as(harness.rita).comment(pull, "@drover cancel");
    await harness.pass(minuteMs);
    expect(reactionsOn(harness, pull, command)).toEqual(["+1"]);
    expect(botWords(harness, pull)).toEqual([]);
    expect(notice(harness, pull)).toContain("Automatic reviews are off.");
  });

  it("promises no review of a draft now", async () => {
    const harness = await buildHarness({ manner });
    const pull = await opened(harness, { isDraft: true });
    expect(managedComments(harness, pull)).toEqual([]);
    const command = await harness.as(harness.rita).comment(pull, "@drover enable-reviews");
    await harness.pass(minuteMs);
    expect(reactionsOn(harness, pull, command)).toEqual(["+1"]);
    expect(botWords(harness, pull)).toEqual([]);
    const words = `Not reviewing commit \`${harness.headOf(pull)}\`: it is a draft, and is reviewed when it is ready.`;
    expect(notice(harness, pull)).toContain(`${words} Automatic reviews are on.`);
  });

  it("says one thing after several commands in a hurry: what the last of them left", async () => {
    const harness = await buildHarness({ manner });
    const pull = await opened(harness);
    const person = harness.as(harness.rita);
    await harness.push(pull, { "src/more.ts": "export const more = 1;\n" });
    const commands = [
      await person.comment(pull, "@drover disable-reviews"),
      await person.comment(pull, "@drover cancel"),
      await person.comment(pull, "@drover enable-reviews"),
      await person.comment(pull, "@drover disable-reviews for 2h"),
    ];
    await harness.pass(minuteMs);
    expect(commands.map((command) => reactionsOn(harness, pull, command))).toEqual([["+1"], ["+1"], ["+1"], ["+1"]]);
    expect(botWords(harness, pull)).toEqual([]);
    expect(notice(harness, pull)).toMatch(/Not reviewing commit `[0-9a-f]{40}` due to explicit suppression\./);
    expect(notice(harness, pull)).toContain("Automatic reviews are off until ");
  });

  it("names the version that wrote it, and where help is", async () => {
    const rules = { helpUrl: "https://wiki.example/drover" };
    const harness = await buildHarness({ manner, rules, parts: () => ({ version: "9.8.7" }) });
    const pull = await opened(harness);
    expect(notice(harness, pull)).toContain("_Drover 9.8.7 · [Help](https://wiki.example/drover)");
  });

  it("is not written anew because another version looks", async () => {
    const harness = await buildHarness({ manner, parts: () => ({ version: "9.8.7" }) });
    const pull = await opened(harness);
    const before = notice(harness, pull);
    harness.dismissAll();
    harness.hire({ version: "9.8.8" });
    await harness.tick(pull);
    await harness.pass(minuteMs);
    expect(notice(harness, pull)).toBe(before);
  });
});

describe.each(manners)("reviews switched off for a while on a %s", (manner) => {
  it("are off again for good when a while within a permanent marker is over", async () => {
    const harness = await buildHarness({ manner });
    const pull = await opened(harness, { body: marker });
    await said(harness, pull, "@drover disable-reviews for 10m");
    expect(notice(harness, pull)).not.toContain("until");
    await harness.pass(20 * minuteMs);
    const head = await harness.push(pull, { "src/more.ts": "export const more = 1;\n" });
    await harness.pass(minuteMs);
    expect(notice(harness, pull)).toContain(`Not reviewing commit \`${head}\` due to explicit suppression`);
  });

  it("are off again when the marker is put back after enable-reviews, also for a worker with an empty database", async () => {
    const harness = await buildHarness({ manner });
    const pull = await opened(harness, { body: marker });
    await said(harness, pull, "@drover enable-reviews");
    const person = harness.as(harness.ada);
    await person.editPull(pull, { body: "Ready." });
    await harness.pass(2 * minuteMs);
    expect(notice(harness, pull)).toContain("Automatic reviews are on.");
    await person.editPull(pull, { body: marker });
    await harness.pass(2 * minuteMs);
    expect(notice(harness, pull)).toContain("Automatic reviews are off.");
    await harness.loseDatabase();
    await harness.tick(pull);
    await harness.pass(2 * minuteMs);
    expect(notice(harness, pull)).toContain("Automatic reviews are off.");
  });

  it("are on again by a command that follows the marker, when one look sees both for the first time", async () => {
    const harness = await buildHarness({ manner });
    const pull = await opened(harness);
    const person = harness.as(harness.ada);
    harness.dismissAll();
    await person.editPull(pull, { body: marker });
    await harness.clock.advance(2 * minuteMs);
    const command = await person.comment(pull, "@drover enable-reviews");
    await harness.clock.advance(minuteMs);
    harness.hire();
    const head = await harness.push(pull, { "src/more.ts": "export const more = 1;\n" });
    await harness.pass(2 * minuteMs);
    expect(reactionsOn(harness, pull, command)).toEqual(["+1"]);
    expect(notice(harness, pull)).toContain("Automatic reviews are on.");
    expect(notice(harness, pull)).toContain(`Commit \`${head}\` is reviewed.`);
  });

  it("stay on where an old marker is only seen once more", async () => {
    const harness = await buildHarness({ manner });
    const pull = await opened(harness, { body: marker });
    await said(harness, pull, "@drover enable-reviews");
    await harness.as(harness.ada).editPull(pull, { body: `${marker}. Fixes a typo.` });
    await harness.pass(2 * minuteMs);
    expect(notice(harness, pull)).toContain("Automatic reviews are on.");
  });
});

describe.each(manners)("a repository on a %s whose file says that reviews are made on request", (manner) => {
  const file = { ".drover.yml": "reviews: { automatic: disabled }\n" };

  async function harnessWithFile(isLet: boolean): Promise<{ harness: Harness; pull: PullRef }> {
    const harness = await buildHarness({
      manner,
      rules: { reviews: { repositorySetsAutomatic: isLet } },
      parts: () => ({ addBaseRules: readRepositoryFile }),
    });
    const { repository } = harness;
    await harness.as(harness.mia).push({ repository, branch: "main", changes: file, message: "Say so" });
    return { harness, pull: await opened(harness) };
  }

  it("is left alone where the operator lets it say so", async () => {
    const { harness, pull } = await harnessWithFile(true);
    expect(notice(harness, pull)).toContain(": in this repository reviews are made on request.");
    await said(harness, pull, "@drover review");
    expect(notice(harness, pull)).toContain(`Commit \`${harness.headOf(pull)}\` is reviewed.`);
  });

  it("is reviewed all the same where the operator does not", async () => {
    const { harness, pull } = await harnessWithFile(false);
    expect(notice(harness, pull)).toContain(`Commit \`${harness.headOf(pull)}\` is reviewed.`);
  });
});

describe.each(manners)("what is told of a pull on a %s", (manner) => {
  it("is each remark that asks for a change, once when it came and once when it was addressed", async () => {
    const harness = await buildHarness({ manner });
    const pull = await opened(harness);
    await harness.as(harness.otto).comment(pull, "I would have done it otherwise.");
    const remark = await harness.as(harness.rita).comment(pull, "Please rename it.");
    await harness.pass(3 * minuteMs);
    await harness.as(harness.rita).react(pull, "+1");
    await harness.pass(3 * minuteMs);
    const told = harness.notices.flatMap(({ what }) =>
      what.kind === "feedback_received" || what.kind === "feedback_addressed" ? [[what.kind, what.event.remarks]] : [],
    );
    expect(told).toEqual([
      ["feedback_received", [remark]],
      ["feedback_addressed", [remark]],
    ]);
  });

  it("is a time-out counted from when it was ready for review", async () => {
    const harness = await buildHarness({ manner, rules: { approval: { pollMs: 5 * minuteMs } } });
    const pull = await opened(harness, { isDraft: true });
    await harness.pass(150 * minuteMs);
    await harness.as(harness.ada).editPull(pull, { isDraft: false });
    await harness.pass(90 * minuteMs);
    await harness.as(harness.otto).comment(pull, "Any news?");
    await harness.pass(10 * minuteMs);
    const statuses = () =>
      harness.notices.flatMap(({ what }) => (what.kind === "approval_changed" ? [what.event.to] : []));
    expect(statuses()).toEqual(["pending"]);
    await harness.pass(30 * minuteMs);
    expect(statuses()).toEqual(["pending", "timeout"]);
  });
});

describe.each(manners)("a thumb on a pull of a quiet %s", (manner) => {
  it("is seen in time, though nothing was open when the pull came", async () => {
    const rules = { approval: { protocols: "emoji" }, merge: { when: "when_approved", requireCI: false } } as const;
    const crank = { isWatched: () => true, reactionMsMax: () => 30 * secondMs };
    const harness = await buildHarness({ manner, rules, crank });
    await createReconciler(harness.dependencies).watch("acme/tools");
    await harness.pass(60 * minuteMs);
    const pull = await opened(harness);
    await harness.as(harness.rita).react(pull, "+1");
    await harness.pass(2 * minuteMs);
    expect(harness.look(pull).merged).not.toBeNull();
  });
});
