// @module-tag crash

import { describe, expect, it } from "vitest";
import { readRepositoryFile } from "#config/read-repository-file.ts";
import { minuteMs, secondMs } from "#core/model/instant.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import { createReconciler } from "#reconcile/reconciler.ts";
import { botWords, managedComments, reactionsOn } from "#town/sights.ts";
import { buildTown, manners, type Town } from "#town/town.ts";

function notice(town: Town, pull: PullRef): string {
  return managedComments(town, pull)[0]?.body ?? "";
}

/** Somebody says something, and everything that follows has happened. */
async function said(town: Town, pull: PullRef, words: string): Promise<void> {
  await town.as(town.rita).comment(pull, words);
  await town.pass(minuteMs);
}

async function opened(town: Town, over: Parameters<Town["open"]>[0] = {}): Promise<PullRef> {
  const pull = await town.open(over);
  await town.pass(minuteMs);
  return pull;
}

const marker = "@drover disable-reviews";

describe.each(manners)("the managed comment on a %s", (manner) => {
  it("does not call a head unreviewed that was reviewed on request", async () => {
    const town = await buildTown({ manner });
    const pull = await opened(town, { body: marker });
    expect(notice(town, pull)).toContain(`Not reviewing commit \`${town.headOf(pull)}\` due to explicit suppression`);
    await said(town, pull, "@drover review");
    expect(notice(town, pull)).toContain(`Commit \`${town.headOf(pull)}\` is reviewed.`);
    expect(notice(town, pull)).not.toContain("Not reviewing");
    expect(notice(town, pull)).toContain("Automatic reviews are off.");
  });

  it("does not call a head unreviewed that was reviewed before reviews were switched off", async () => {
    const town = await buildTown({ manner });
    const pull = await opened(town);
    await said(town, pull, "@drover disable-reviews");
    expect(notice(town, pull)).toContain(`Commit \`${town.headOf(pull)}\` is reviewed.`);
    const head = await town.push(pull, { "src/more.ts": "export const more = 1;\n" });
    await town.pass(minuteMs);
    expect(notice(town, pull)).toContain(`Not reviewing commit \`${head}\` due to explicit suppression`);
  });

  it("answers a cancel on a suppressed pull with what holds, and not with a review of the next push", async () => {
    const town = await buildTown({ manner });
    const pull = await opened(town, { body: marker });
    const command = await town.as(town.rita).comment(pull, "@drover cancel");
    await town.pass(minuteMs);
    expect(reactionsOn(town, pull, command)).toEqual(["+1"]);
    expect(botWords(town, pull)).toEqual([]);
    expect(notice(town, pull)).toContain("Automatic reviews are off.");
  });

  it("promises no review of a draft now", async () => {
    const town = await buildTown({ manner });
    const pull = await opened(town, { isDraft: true });
    expect(managedComments(town, pull)).toEqual([]);
    const command = await town.as(town.rita).comment(pull, "@drover enable-reviews");
    await town.pass(minuteMs);
    expect(reactionsOn(town, pull, command)).toEqual(["+1"]);
    expect(botWords(town, pull)).toEqual([]);
    const words = `Not reviewing commit \`${town.headOf(pull)}\`: it is a draft, and is reviewed when it is ready.`;
    expect(notice(town, pull)).toContain(`${words} Automatic reviews are on.`);
  });

  it("says one thing after several commands in a hurry: what the last of them left", async () => {
    const town = await buildTown({ manner });
    const pull = await opened(town);
    const person = town.as(town.rita);
    await town.push(pull, { "src/more.ts": "export const more = 1;\n" });
    const commands = [
      await person.comment(pull, "@drover disable-reviews"),
      await person.comment(pull, "@drover cancel"),
      await person.comment(pull, "@drover enable-reviews"),
      await person.comment(pull, "@drover disable-reviews for 2h"),
    ];
    await town.pass(minuteMs);
    expect(commands.map((command) => reactionsOn(town, pull, command))).toEqual([["+1"], ["+1"], ["+1"], ["+1"]]);
    expect(botWords(town, pull)).toEqual([]);
    expect(notice(town, pull)).toMatch(/Not reviewing commit `[0-9a-f]{40}` due to explicit suppression\./);
    expect(notice(town, pull)).toContain("Automatic reviews are off until ");
  });

  it("names the version that wrote it, and where help is", async () => {
    const rules = { helpUrl: "https://wiki.example/drover" };
    const town = await buildTown({ manner, rules, parts: () => ({ version: "9.8.7" }) });
    const pull = await opened(town);
    expect(notice(town, pull)).toContain("_Drover 9.8.7 · [Help](https://wiki.example/drover)");
  });

  it("is not written anew because another version looks", async () => {
    const town = await buildTown({ manner, parts: () => ({ version: "9.8.7" }) });
    const pull = await opened(town);
    const before = notice(town, pull);
    town.dismissAll();
    town.hire({ version: "9.8.8" });
    await town.tick(pull);
    await town.pass(minuteMs);
    expect(notice(town, pull)).toBe(before);
  });
});

describe.each(manners)("reviews switched off for a while on a %s", (manner) => {
  it("are off again for good when a while within a permanent marker is over", async () => {
    const town = await buildTown({ manner });
    const pull = await opened(town, { body: marker });
    await said(town, pull, "@drover disable-reviews for 10m");
    expect(notice(town, pull)).not.toContain("until");
    await town.pass(20 * minuteMs);
    const head = await town.push(pull, { "src/more.ts": "export const more = 1;\n" });
    await town.pass(minuteMs);
    expect(notice(town, pull)).toContain(`Not reviewing commit \`${head}\` due to explicit suppression`);
  });

  it("are off again when the marker is put back after enable-reviews, also for a worker with an empty database", async () => {
    const town = await buildTown({ manner });
    const pull = await opened(town, { body: marker });
    await said(town, pull, "@drover enable-reviews");
    const person = town.as(town.ada);
    await person.editPull(pull, { body: "Ready." });
    await town.pass(2 * minuteMs);
    expect(notice(town, pull)).toContain("Automatic reviews are on.");
    await person.editPull(pull, { body: marker });
    await town.pass(2 * minuteMs);
    expect(notice(town, pull)).toContain("Automatic reviews are off.");
    await town.loseDatabase();
    await town.tick(pull);
    await town.pass(2 * minuteMs);
    expect(notice(town, pull)).toContain("Automatic reviews are off.");
  });

  it("are on again by a command that follows the marker, when one look sees both for the first time", async () => {
    const town = await buildTown({ manner });
    const pull = await opened(town);
    const person = town.as(town.ada);
    town.dismissAll();
    await person.editPull(pull, { body: marker });
    await town.clock.advance(2 * minuteMs);
    const command = await person.comment(pull, "@drover enable-reviews");
    await town.clock.advance(minuteMs);
    town.hire();
    const head = await town.push(pull, { "src/more.ts": "export const more = 1;\n" });
    await town.pass(2 * minuteMs);
    expect(reactionsOn(town, pull, command)).toEqual(["+1"]);
    expect(notice(town, pull)).toContain("Automatic reviews are on.");
    expect(notice(town, pull)).toContain(`Commit \`${head}\` is reviewed.`);
  });

  it("stay on where an old marker is only seen once more", async () => {
    const town = await buildTown({ manner });
    const pull = await opened(town, { body: marker });
    await said(town, pull, "@drover enable-reviews");
    await town.as(town.ada).editPull(pull, { body: `${marker}. Fixes a typo.` });
    await town.pass(2 * minuteMs);
    expect(notice(town, pull)).toContain("Automatic reviews are on.");
  });
});

describe.each(manners)("a repository on a %s whose file says that reviews are made on request", (manner) => {
  const file = { ".drover.yml": "reviews: { automatic: disabled }\n" };

  async function townWithFile(isLet: boolean): Promise<{ town: Town; pull: PullRef }> {
    const town = await buildTown({
      manner,
      rules: { reviews: { repositorySetsAutomatic: isLet } },
      parts: () => ({ addBaseRules: readRepositoryFile }),
    });
    const { repository } = town;
    await town.as(town.mia).push({ repository, branch: "main", changes: file, message: "Say so" });
    return { town, pull: await opened(town) };
  }

  it("is left alone where the operator lets it say so", async () => {
    const { town, pull } = await townWithFile(true);
    expect(notice(town, pull)).toContain(": in this repository reviews are made on request.");
    await said(town, pull, "@drover review");
    expect(notice(town, pull)).toContain(`Commit \`${town.headOf(pull)}\` is reviewed.`);
  });

  it("is reviewed all the same where the operator does not", async () => {
    const { town, pull } = await townWithFile(false);
    expect(notice(town, pull)).toContain(`Commit \`${town.headOf(pull)}\` is reviewed.`);
  });
});

describe.each(manners)("what is told of a pull on a %s", (manner) => {
  it("is each remark that asks for a change, once when it came and once when it was addressed", async () => {
    const town = await buildTown({ manner });
    const pull = await opened(town);
    await town.as(town.otto).comment(pull, "I would have done it otherwise.");
    const remark = await town.as(town.rita).comment(pull, "Please rename it.");
    await town.pass(3 * minuteMs);
    await town.as(town.rita).react(pull, "+1");
    await town.pass(3 * minuteMs);
    const told = town.notices.flatMap(({ what }) =>
      what.kind === "feedback_received" || what.kind === "feedback_addressed" ? [[what.kind, what.event.remarks]] : [],
    );
    expect(told).toEqual([
      ["feedback_received", [remark]],
      ["feedback_addressed", [remark]],
    ]);
  });

  it("is a time-out counted from when it was ready for review", async () => {
    const town = await buildTown({ manner, rules: { approval: { pollMs: 5 * minuteMs } } });
    const pull = await opened(town, { isDraft: true });
    await town.pass(150 * minuteMs);
    await town.as(town.ada).editPull(pull, { isDraft: false });
    await town.pass(90 * minuteMs);
    await town.as(town.otto).comment(pull, "Any news?");
    await town.pass(10 * minuteMs);
    const statuses = () =>
      town.notices.flatMap(({ what }) => (what.kind === "approval_changed" ? [what.event.to] : []));
    expect(statuses()).toEqual(["pending"]);
    await town.pass(30 * minuteMs);
    expect(statuses()).toEqual(["pending", "timeout"]);
  });
});

describe.each(manners)("a thumb on a pull of a quiet %s", (manner) => {
  it("is seen in time, though nothing was open when the pull came", async () => {
    const rules = { approval: { protocols: "emoji" }, merge: { when: "when_approved", requireCI: false } } as const;
    const crank = { isWatched: () => true, reactionMsMax: () => 30 * secondMs };
    const town = await buildTown({ manner, rules, crank });
    await createReconciler(town.dependencies).watch("acme/tools");
    await town.pass(60 * minuteMs);
    const pull = await opened(town);
    await town.as(town.rita).react(pull, "+1");
    await town.pass(2 * minuteMs);
    expect(town.look(pull).merged).not.toBeNull();
  });
});
