import { describe, expect, it } from "vitest";
import { after, dayMs, hourMs, minuteMs } from "#core/model/instant.ts";
import type { SandboxManner } from "#forges/sandbox/sandbox.ts";
import { buildHarness, type Harness, manners } from "#harness/harness.ts";
import { botReviews, botWords, managedComments } from "#harness/sights.ts";
import { type PullRef, pullKeyOf } from "#ports/pull-ref.ts";

const blocked = { "src/lexer.ts": "export function words() {\n  debugger;\n}\n" };

async function rest(harness: Harness): Promise<void> {
  await harness.settle();
  await harness.pass(3 * minuteMs);
}

/** Ada closes it, or opens it again, and time enough passes for everything that follows. */
async function set(harness: Harness, pull: PullRef, state: "open" | "closed"): Promise<void> {
  await harness.as(harness.ada).editPull(pull, { state });
  await rest(harness);
  await harness.pass(2 * hourMs);
}

/** All that ended by now. A database may be that of other harnesses too: whatever ended there goes as well. */
async function forgetEnded({ dependencies, machine }: Harness): Promise<void> {
  await dependencies.store.forgetEnded({ before: after(machine.now(), dayMs), countMax: 100_000 });
}

async function isKnown({ dependencies }: Harness, pull: PullRef): Promise<boolean> {
  return (await dependencies.store.findPull(pullKeyOf(dependencies.instance, pull))) !== undefined;
}

/** A pull with a finding, and with a command that was answered in words. */
async function livelyPull(manner: SandboxManner): Promise<{ readonly harness: Harness; readonly pull: PullRef }> {
  const harness = await buildHarness({ manner });
  const pull = await harness.open({ files: blocked });
  await rest(harness);
  await harness.as(harness.rita).comment(pull, "@drover status");
  await rest(harness);
  return { harness, pull };
}

describe.each(manners)("pulls of a %s that ended long ago", (manner) => {
  it("are forgotten, those that are open are not", async () => {
    const { harness, pull: closed } = await livelyPull(manner);
    const open = await harness.open({ branch: "other" });
    await rest(harness);
    const before = harness.machine.now();
    await set(harness, closed, "closed");
    await harness.dependencies.store.forgetEnded({ before, countMax: 100_000 });
    expect([await isKnown(harness, closed), await isKnown(harness, open)]).toEqual([true, true]);
    await forgetEnded(harness);
    expect([await isKnown(harness, closed), await isKnown(harness, open)]).toEqual([false, true]);
  });

  it("and come back to life are known again by their own notes: nothing is said or obeyed twice", async () => {
    const { harness, pull } = await livelyPull(manner);
    await set(harness, pull, "closed");
    const said = botWords(harness, pull).length;
    await forgetEnded(harness);
    expect(await isKnown(harness, pull)).toBe(false);
    await set(harness, pull, "open");
    expect(botReviews(harness, pull).map(({ state }) => state)).toEqual(["changes_requested"]);
    expect(harness.look(pull).threads).toHaveLength(1);
    expect([managedComments(harness, pull).length, botWords(harness, pull).length]).toEqual([1, said]);
    await forgetEnded(harness);
    expect(await isKnown(harness, pull)).toBe(true);
  });

  it("are kept where their notes are not on them: somebody has deleted the comment that carried them", async () => {
    const { harness, pull } = await livelyPull(manner);
    await harness.as(harness.ada).editPull(pull, { state: "closed" });
    for (const { id } of managedComments(harness, pull)) await harness.as(harness.mia).deleteComment(pull, id);
    await rest(harness);
    await harness.pass(2 * hourMs);
    const said = botWords(harness, pull).length;
    await forgetEnded(harness);
    expect(await isKnown(harness, pull)).toBe(true);
    await set(harness, pull, "open");
    // The managed comment is new; the command is not answered again.
    expect([managedComments(harness, pull).length, botWords(harness, pull).length]).toEqual([1, said]);
  });

  it("are kept where the forge lets nobody write the notes down, and go when it does", async () => {
    const { harness, pull } = await livelyPull(manner);
    harness.faults.always(({ isWrite, account }) => isWrite && account.id === harness.bot.id, {
      kind: "server_error",
      isApplied: false,
    });
    await harness.as(harness.rita).comment(pull, "@drover hold");
    await rest(harness);
    await set(harness, pull, "closed");
    await forgetEnded(harness);
    expect(await isKnown(harness, pull)).toBe(true);
    harness.faults.clear();
    await harness.as(harness.rita).comment(pull, "Somebody says something.");
    await harness.pass(2 * dayMs);
    await forgetEnded(harness);
    expect(await isKnown(harness, pull)).toBe(false);
  });
});
