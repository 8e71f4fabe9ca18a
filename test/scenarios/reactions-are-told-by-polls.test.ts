import { describe, expect, it } from "vitest";
import { hourMs, minuteMs, secondMs } from "#core/model/instant.ts";
import { buildHarness, type Harness, manners } from "#harness/harness.ts";
import type { Forge } from "#ports/forge.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import { createReconciler } from "#reconcile/reconciler.ts";

/** A harness without webhooks, whose one worker has its repository polled; looks at pulls are counted. */
async function polledHarness(
  options: Parameters<typeof buildHarness>[0],
): Promise<{ harness: Harness; looks: () => number }> {
  let looks = 0;
  const harness: Harness = await buildHarness({
    ...options,
    network: () => undefined,
    parts: (usual) => ({
      forge: counting(usual.forge, () => {
        looks += 1;
      }),
    }),
    crank: { isWatched: () => true, reactionMsMax: () => pollMs },
  });
  await createReconciler(harness.dependencies).watch("acme/tools");
  return { harness, looks: () => looks };
}

const pollMs = 30 * secondMs;

function counting(forge: Forge, count: () => void): Forge {
  return {
    ...forge,
    fetchPull: (pull) => {
      count();
      return forge.fetchPull(pull);
    },
  };
}

const rules = {
  approval: { protocols: "emoji" },
  merge: { when: "when_approved", requireCI: false },
} as const;

function isMerged(harness: Harness, pull: PullRef): boolean {
  return harness.look(pull).merged !== null;
}

describe.each(manners)("a %s whose polls tell of reactions", (manner) => {
  it("is not looked at while nothing happens", async () => {
    const { harness, looks } = await polledHarness({ manner, rules });
    await harness.open();
    await harness.pass(10 * minuteMs);
    const before = looks();
    await harness.pass(hourMs);
    expect(looks() - before).toBeLessThanOrEqual(1);
  });

  it("merges soon after a thumb", async () => {
    const { harness } = await polledHarness({ manner, rules });
    const pull = await harness.open();
    await harness.pass(30 * minuteMs);
    expect(isMerged(harness, pull)).toBe(false);
    await harness.as(harness.rita).react(pull, "+1");
    await harness.pass(2 * minuteMs);
    expect(isMerged(harness, pull)).toBe(true);
  });

  it("merges a new head whose thumb was taken away and given again between two polls", async () => {
    const { harness } = await polledHarness({ manner, rules });
    const pull = await harness.open();
    await harness.as(harness.rita).react(pull, "+1");
    await harness.push(pull, { "src/more.js": "export const more = 1;\n" });
    await harness.pass(10 * minuteMs);
    expect(isMerged(harness, pull)).toBe(false);
    await harness.as(harness.rita).unreact(pull, "+1");
    await harness.as(harness.rita).react(pull, "+1");
    await harness.pass(3 * minuteMs);
    expect(isMerged(harness, pull)).toBe(true);
  });
});
