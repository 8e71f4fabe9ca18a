// @module-tag concurrency

import { describe, expect, it } from "vitest";
import { hourMs, minuteMs, secondMs } from "#core/model/instant.ts";
import type { SandboxDelivery } from "#forges/sandbox/sandbox.ts";
import { buildHarness, type Harness, manners } from "#harness/harness.ts";
import { botReviews, botWords, gateOf, managedComments, reactionsOn } from "#harness/sights.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import { createReconciler } from "#reconcile/reconciler.ts";

const merging = { merge: { when: "when_approved", requireCI: false } } as const;

/** Everything that Drover has ever written, as somebody would count it. */
function traces(harness: Harness): readonly string[] {
  return harness.sandbox.history.filter(({ by }) => by.id === harness.bot.id).map(({ what }) => what.kind);
}

describe.each(manners)("webhooks of a %s that are lost, doubled and reordered", (manner) => {
  it("obeys a hold whose webhook never came", async () => {
    const harness = await buildHarness({ manner, network: () => undefined });
    const pull = await harness.open();
    const hold = await harness.as(harness.rita).comment(pull, "@drover hold");
    await harness.settle();
    expect(reactionsOn(harness, pull, hold)).toEqual(["+1"]);
    expect(managedComments(harness, pull)).toHaveLength(1);
    expect(managedComments(harness, pull)[0]?.body).toContain("held by `rita`");
  });

  it("reviews the last head when the webhooks of all pushes were lost", async () => {
    const harness = await buildHarness({ manner, network: () => undefined });
    const pull = await harness.open();
    await harness.settle();
    await harness.push(pull, { "src/lexer.ts": "export function words() {\n  debugger;\n}\n" });
    const last = await harness.push(pull, { "src/lexer.ts": "export const words = 1;\n" });
    await harness.settle();
    expect(gateOf(harness, pull)).toBe("success");
    expect(harness.look(pull).gates.findLast(({ state }) => state === "success")?.head).toBe(last);
  });

  it("merges nothing when the push webhook never came", async () => {
    const harness = await buildHarness({ manner, rules: merging, network: () => undefined });
    const pull = await harness.open();
    await harness.settle();
    await harness.pass(minuteMs);
    await harness.as(harness.rita).react(pull, "+1");
    // Nobody looks between the thumb and the push.
    await harness.clock.advance(20 * secondMs);
    await harness.push(pull, { "src/lexer.ts": "export const words = 2;\n" });
    await harness.settle();
    await harness.pass(3 * minuteMs);
    expect(harness.look(pull).merged).toBeNull();
  });

  it("does everything once when each webhook comes three times", async () => {
    const once = await buildHarness({ manner });
    const thrice = await buildHarness({
      manner,
      network: ({ pull }, poke) => {
        for (let times = 0; times < 3; times++) poke(pull);
      },
    });
    for (const harness of [once, thrice]) {
      const pull = await harness.open();
      await harness.settle();
      await harness.as(harness.rita).comment(pull, "@drover status");
      await harness.settle();
      await harness.pass(5 * minuteMs);
      expect(botWords(harness, pull)).toHaveLength(1);
      expect(botReviews(harness, pull)).toHaveLength(1);
      expect(managedComments(harness, pull)).toHaveLength(1);
    }
    expect(traces(thrice)).toEqual(traces(once));
  });

  it("does the same when the webhooks of an hour come at once and backwards", async () => {
    const kept: SandboxDelivery[] = [];
    const late: ((pull: PullRef) => void)[] = [];
    const harness = await buildHarness({
      manner,
      network: (delivery, poke) => {
        kept.push(delivery);
        late.push(poke);
      },
    });
    const pull = await harness.open();
    await harness.as(harness.rita).comment(pull, "@drover disable-reviews");
    await harness.pass(minuteMs);
    await harness.push(pull, { "src/lexer.ts": "export const words = 3;\n" });
    const enable = await harness.as(harness.rita).comment(pull, "@drover enable-reviews");
    for (const delivery of kept.toReversed()) late[0]?.(delivery.pull);
    await harness.pass(10 * secondMs);
    expect(reactionsOn(harness, pull, enable)).toEqual(["+1"]);
    expect(gateOf(harness, pull)).toBe("success");
    expect(botWords(harness, pull)).toEqual([]);
    expect(managedComments(harness, pull)[0]?.body).not.toContain("explicit suppression");
  });

  it("looks once at a pull that was closed, and again when it is opened anew", async () => {
    const crank = { isWatched: () => true, reactionMsMax: () => minuteMs };
    const harness = await buildHarness({ manner, network: () => undefined, crank });
    await createReconciler(harness.dependencies).watch("acme/tools");
    const pull = await harness.open();
    await harness.pass(10 * minuteMs);
    const statesSeen = async (): Promise<readonly string[]> => {
      const before = harness.reports.length;
      await harness.pass(hourMs);
      return harness.reports
        .slice(before)
        .flatMap((report) => (report.kind === "looked" ? [report.seen.pull.state] : []));
    };
    await harness.as(harness.ada).editPull(pull, { state: "closed" });
    const closed = await statesSeen();
    expect(new Set(closed)).toEqual(new Set(["closed"]));
    expect(await statesSeen()).toEqual([]);
    await harness.as(harness.ada).editPull(pull, { state: "open" });
    expect(new Set(await statesSeen())).toEqual(new Set(["open"]));
  });

  it("sees a thumb, for which there is no webhook at all", async () => {
    const harness = await buildHarness({ manner, rules: merging });
    const pull = await harness.open();
    await harness.settle();
    await harness.pass(2 * secondMs);
    await harness.as(harness.rita).react(pull, "+1");
    await harness.pass(2 * minuteMs);
    expect(harness.look(pull).merged?.head).toBe(harness.headOf(pull));
  });

  it("sees a marker that was edited into the description, of which one forge sends no word", async () => {
    const harness = await buildHarness({ manner });
    const pull = await harness.open();
    await harness.settle();
    await harness.as(harness.ada).editPull(pull, { body: "Please @drover disable-reviews for now." });
    await harness.settle();
    await harness.push(pull, { "src/lexer.ts": "export const words = 4;\n" });
    await harness.settle();
    expect(managedComments(harness, pull)[0]?.body).toContain("due to explicit suppression");
    expect(managedComments(harness, pull)[0]?.body).toContain(harness.headOf(pull));
  });
});

describe.each(manners)("two workers on a %s", (manner) => {
  it("answer one command once", async () => {
    const harness = await buildHarness({ manner });
    harness.hire();
    harness.hire();
    const pull = await harness.open();
    await harness.settle();
    const status = await harness.as(harness.rita).comment(pull, "@drover status");
    await harness.settle();
    await harness.pass(5 * minuteMs);
    expect(reactionsOn(harness, pull, status)).toEqual(["+1"]);
    expect(botWords(harness, pull)).toHaveLength(1);
    expect(botReviews(harness, pull)).toHaveLength(1);
    expect(managedComments(harness, pull)).toHaveLength(1);
  });

  it("work on two pulls side by side", async () => {
    const harness = await buildHarness({ manner });
    harness.hire();
    const pulls = [
      await harness.open({ branch: "one" }),
      await harness.open({ branch: "two", files: { "a.md": "a\n" } }),
    ];
    await harness.settle();
    for (const pull of pulls) {
      expect(gateOf(harness, pull)).toBe("success");
      expect(managedComments(harness, pull)).toHaveLength(1);
    }
  });
});
