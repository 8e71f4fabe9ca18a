import { describe, expect, it } from "vitest";
import { after, dayMs, hourMs, minuteMs } from "#core/model/instant.ts";
import type { SandboxManner } from "#forges/sandbox/sandbox.ts";
import { type PullRef, pullKeyOf } from "#ports/pull-ref.ts";
import { botReviews, botWords, managedComments } from "#town/sights.ts";
import { buildTown, manners, type Town } from "#town/town.ts";

const blocked = { "src/lexer.ts": "export function words() {\n  debugger;\n}\n" };

async function rest(town: Town): Promise<void> {
  await town.settle();
  await town.pass(3 * minuteMs);
}

/** Ada closes it, or opens it again, and time enough passes for everything that follows. */
async function set(town: Town, pull: PullRef, state: "open" | "closed"): Promise<void> {
  await town.as(town.ada).editPull(pull, { state });
  await rest(town);
  await town.pass(2 * hourMs);
}

/** All that ended by now. A database may be that of other towns too: whatever ended there goes as well. */
async function forgetEnded({ dependencies, machine }: Town): Promise<void> {
  await dependencies.store.forgetEnded({ before: after(machine.now(), dayMs), countMax: 100_000 });
}

async function isKnown({ dependencies }: Town, pull: PullRef): Promise<boolean> {
  return (await dependencies.store.findPull(pullKeyOf(dependencies.instance, pull))) !== undefined;
}

/** A pull with a finding, and with a command that was answered in words. */
async function livelyPull(manner: SandboxManner): Promise<{ readonly town: Town; readonly pull: PullRef }> {
  const town = await buildTown({ manner });
  const pull = await town.open({ files: blocked });
  await rest(town);
  await town.as(town.rita).comment(pull, "@drover status");
  await rest(town);
  return { town, pull };
}

describe.each(manners)("pulls of a %s that ended long ago", (manner) => {
  it("are forgotten, those that are open are not", async () => {
    const { town, pull: closed } = await livelyPull(manner);
    const open = await town.open({ branch: "other" });
    await rest(town);
    const before = town.machine.now();
    await set(town, closed, "closed");
    await town.dependencies.store.forgetEnded({ before, countMax: 100_000 });
    expect([await isKnown(town, closed), await isKnown(town, open)]).toEqual([true, true]);
    await forgetEnded(town);
    expect([await isKnown(town, closed), await isKnown(town, open)]).toEqual([false, true]);
  });

  it("and come back to life are known again by their own notes: nothing is said or obeyed twice", async () => {
    const { town, pull } = await livelyPull(manner);
    await set(town, pull, "closed");
    const said = botWords(town, pull).length;
    await forgetEnded(town);
    expect(await isKnown(town, pull)).toBe(false);
    await set(town, pull, "open");
    expect(botReviews(town, pull).map(({ state }) => state)).toEqual(["changes_requested"]);
    expect(town.look(pull).threads).toHaveLength(1);
    expect([managedComments(town, pull).length, botWords(town, pull).length]).toEqual([1, said]);
    await forgetEnded(town);
    expect(await isKnown(town, pull)).toBe(true);
  });

  it("are kept where their notes are not on them: somebody has deleted the comment that carried them", async () => {
    const { town, pull } = await livelyPull(manner);
    await town.as(town.ada).editPull(pull, { state: "closed" });
    for (const { id } of managedComments(town, pull)) await town.as(town.mia).deleteComment(pull, id);
    await rest(town);
    await town.pass(2 * hourMs);
    const said = botWords(town, pull).length;
    await forgetEnded(town);
    expect(await isKnown(town, pull)).toBe(true);
    await set(town, pull, "open");
    // The managed comment is new; the command is not answered again.
    expect([managedComments(town, pull).length, botWords(town, pull).length]).toEqual([1, said]);
  });

  it("are kept where the forge lets nobody write the notes down, and go when it does", async () => {
    const { town, pull } = await livelyPull(manner);
    town.faults.always(({ isWrite, account }) => isWrite && account.id === town.bot.id, {
      kind: "server_error",
      isApplied: false,
    });
    await town.as(town.rita).comment(pull, "@drover hold");
    await rest(town);
    await set(town, pull, "closed");
    await forgetEnded(town);
    expect(await isKnown(town, pull)).toBe(true);
    town.faults.clear();
    await town.as(town.rita).comment(pull, "Somebody says something.");
    await town.pass(2 * dayMs);
    await forgetEnded(town);
    expect(await isKnown(town, pull)).toBe(false);
  });
});
