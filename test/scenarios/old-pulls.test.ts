import { describe, expect, it } from "vitest";
import { after, dayMs, type Instant, minuteMs } from "#core/model/instant.ts";
import { type PullRef, pullKeyOf } from "#ports/pull-ref.ts";
import { botReviews, managedComments, reactionsOn } from "#town/sights.ts";
import { buildTown, manners, type Town } from "#town/town.ts";

const blocked = { "src/lexer.ts": "export function words() {\n  debugger;\n}\n" };

async function rest(town: Town): Promise<void> {
  await town.settle();
  await town.pass(minuteMs);
}

/** A database may be that of other towns too: whatever ended there goes as well. */
async function forget({ parts }: Town, before: Instant): Promise<void> {
  await parts.store.forgetEnded({ before, countMax: 100_000 });
}

async function isKnown({ parts }: Town, pull: PullRef): Promise<boolean> {
  return (await parts.store.findPull(pullKeyOf(parts.instance, pull))) !== undefined;
}

describe.each(manners)("pulls of a %s that ended long ago", (manner) => {
  it("are forgotten, those that are open are not", async () => {
    const town = await buildTown({ manner });
    const [closed, open] = [await town.open({ files: blocked }), await town.open({ branch: "other" })];
    await rest(town);
    await town.as(town.ada).editPull(closed, { state: "closed" });
    await rest(town);
    const endedAt = town.machine.now();
    await forget(town, after(endedAt, -dayMs));
    expect([await isKnown(town, closed), await isKnown(town, open)]).toEqual([true, true]);
    await forget(town, after(endedAt, dayMs));
    expect([await isKnown(town, closed), await isKnown(town, open)]).toEqual([false, true]);
  });

  it("and come back to life are known again by their own notes: nothing is said or obeyed twice", async () => {
    const town = await buildTown({ manner });
    const pull = await town.open({ files: blocked });
    const asked = await town.as(town.rita).comment(pull, "@drover hold");
    await rest(town);
    await town.as(town.ada).editPull(pull, { state: "closed" });
    await rest(town);
    await forget(town, after(town.machine.now(), dayMs));
    expect(await isKnown(town, pull)).toBe(false);
    await town.as(town.ada).editPull(pull, { state: "open" });
    await rest(town);
    await town.pass(3 * minuteMs);
    expect(botReviews(town, pull).map(({ state }) => state)).toEqual(["changes_requested"]);
    expect(town.look(pull).threads).toHaveLength(1);
    expect(managedComments(town, pull)).toHaveLength(1);
    expect(reactionsOn(town, pull, asked)).toEqual(["+1"]);
    await forget(town, after(town.machine.now(), dayMs));
    expect(await isKnown(town, pull)).toBe(true);
  });
});
