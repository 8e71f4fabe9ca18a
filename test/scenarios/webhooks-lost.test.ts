// @module-tag concurrency

import { describe, expect, it } from "vitest";
import { hourMs, minuteMs, secondMs } from "#core/model/instant.ts";
import type { SandboxDelivery } from "#forges/sandbox/sandbox.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import { createReconciler } from "#reconcile/reconciler.ts";
import { botReviews, botWords, gateOf, managedComments, reactionsOn } from "#town/sights.ts";
import { buildTown, manners, type Town } from "#town/town.ts";

const merging = { merge: { when: "when_approved", requireCI: false } } as const;

/** Everything that Drover has ever written, as somebody would count it. */
function traces(town: Town): readonly string[] {
  return town.sandbox.history.filter(({ by }) => by.id === town.bot.id).map(({ what }) => what.kind);
}

describe.each(manners)("webhooks of a %s that are lost, doubled and reordered", (manner) => {
  it("obeys a hold whose webhook never came", async () => {
    const town = await buildTown({ manner, network: () => undefined });
    const pull = await town.open();
    const hold = await town.as(town.rita).comment(pull, "@drover hold");
    await town.settle();
    expect(reactionsOn(town, pull, hold)).toEqual(["+1"]);
    expect(managedComments(town, pull)).toHaveLength(1);
    expect(managedComments(town, pull)[0]?.body).toContain("held by `rita`");
  });

  it("reviews the last head when the webhooks of all pushes were lost", async () => {
    const town = await buildTown({ manner, network: () => undefined });
    const pull = await town.open();
    await town.settle();
    await town.push(pull, { "src/lexer.ts": "export function words() {\n  debugger;\n}\n" });
    const last = await town.push(pull, { "src/lexer.ts": "export const words = 1;\n" });
    await town.settle();
    expect(gateOf(town, pull)).toBe("success");
    expect(town.look(pull).gates.findLast(({ state }) => state === "success")?.head).toBe(last);
  });

  it("merges nothing when the push webhook never came", async () => {
    const town = await buildTown({ manner, rules: merging, network: () => undefined });
    const pull = await town.open();
    await town.settle();
    await town.pass(minuteMs);
    await town.as(town.rita).react(pull, "+1");
    // Nobody looks between the thumb and the push.
    await town.clock.advance(20 * secondMs);
    await town.push(pull, { "src/lexer.ts": "export const words = 2;\n" });
    await town.settle();
    await town.pass(3 * minuteMs);
    expect(town.look(pull).merged).toBeNull();
  });

  it("does everything once when each webhook comes three times", async () => {
    const once = await buildTown({ manner });
    const thrice = await buildTown({
      manner,
      network: ({ pull }, poke) => {
        for (let times = 0; times < 3; times++) poke(pull);
      },
    });
    for (const town of [once, thrice]) {
      const pull = await town.open();
      await town.settle();
      await town.as(town.rita).comment(pull, "@drover status");
      await town.settle();
      await town.pass(5 * minuteMs);
      expect(botWords(town, pull)).toHaveLength(1);
      expect(botReviews(town, pull)).toHaveLength(1);
      expect(managedComments(town, pull)).toHaveLength(1);
    }
    expect(traces(thrice)).toEqual(traces(once));
  });

  it("does the same when the webhooks of an hour come at once and backwards", async () => {
    const kept: SandboxDelivery[] = [];
    const late: ((pull: PullRef) => void)[] = [];
    const town = await buildTown({
      manner,
      network: (delivery, poke) => {
        kept.push(delivery);
        late.push(poke);
      },
    });
    const pull = await town.open();
    await town.as(town.rita).comment(pull, "@drover disable-reviews");
    await town.pass(minuteMs);
    await town.push(pull, { "src/lexer.ts": "export const words = 3;\n" });
    const enable = await town.as(town.rita).comment(pull, "@drover enable-reviews");
    for (const delivery of kept.toReversed()) late[0]?.(delivery.pull);
    await town.pass(10 * secondMs);
    expect(reactionsOn(town, pull, enable)).toEqual(["+1"]);
    expect(gateOf(town, pull)).toBe("success");
    expect(botWords(town, pull)).toEqual([]);
    expect(managedComments(town, pull)[0]?.body).not.toContain("explicit suppression");
  });

  it("looks once at a pull that was closed, and again when it is opened anew", async () => {
    const crank = { isWatched: () => true, reactionMsMax: () => minuteMs };
    const town = await buildTown({ manner, network: () => undefined, crank });
    await createReconciler(town.dependencies).watch("acme/tools");
    const pull = await town.open();
    await town.pass(10 * minuteMs);
    const statesSeen = async (): Promise<readonly string[]> => {
      const before = town.reports.length;
      await town.pass(hourMs);
      return town.reports.slice(before).flatMap((report) => (report.kind === "looked" ? [report.seen.pull.state] : []));
    };
    await town.as(town.ada).editPull(pull, { state: "closed" });
    const closed = await statesSeen();
    expect(new Set(closed)).toEqual(new Set(["closed"]));
    expect(await statesSeen()).toEqual([]);
    await town.as(town.ada).editPull(pull, { state: "open" });
    expect(new Set(await statesSeen())).toEqual(new Set(["open"]));
  });

  it("sees a thumb, for which there is no webhook at all", async () => {
    const town = await buildTown({ manner, rules: merging });
    const pull = await town.open();
    await town.settle();
    await town.pass(2 * secondMs);
    await town.as(town.rita).react(pull, "+1");
    await town.pass(2 * minuteMs);
    expect(town.look(pull).merged?.head).toBe(town.headOf(pull));
  });

  it("sees a marker that was edited into the description, of which one forge sends no word", async () => {
    const town = await buildTown({ manner });
    const pull = await town.open();
    await town.settle();
    await town.as(town.ada).editPull(pull, { body: "Please @drover disable-reviews for now." });
    await town.settle();
    await town.push(pull, { "src/lexer.ts": "export const words = 4;\n" });
    await town.settle();
    expect(managedComments(town, pull)[0]?.body).toContain("due to explicit suppression");
    expect(managedComments(town, pull)[0]?.body).toContain(town.headOf(pull));
  });
});

describe.each(manners)("two workers on a %s", (manner) => {
  it("answer one command once", async () => {
    const town = await buildTown({ manner });
    town.hire();
    town.hire();
    const pull = await town.open();
    await town.settle();
    const status = await town.as(town.rita).comment(pull, "@drover status");
    await town.settle();
    await town.pass(5 * minuteMs);
    expect(reactionsOn(town, pull, status)).toEqual(["+1"]);
    expect(botWords(town, pull)).toHaveLength(1);
    expect(botReviews(town, pull)).toHaveLength(1);
    expect(managedComments(town, pull)).toHaveLength(1);
  });

  it("work on two pulls side by side", async () => {
    const town = await buildTown({ manner });
    town.hire();
    const pulls = [await town.open({ branch: "one" }), await town.open({ branch: "two", files: { "a.md": "a\n" } })];
    await town.settle();
    for (const pull of pulls) {
      expect(gateOf(town, pull)).toBe("success");
      expect(managedComments(town, pull)).toHaveLength(1);
    }
  });
});
