import { describe, expect, it } from "vitest";
import { hourMs, minuteMs, secondMs } from "#core/model/instant.ts";
import type { Forge } from "#ports/forge.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import { createReconciler } from "#reconcile/reconciler.ts";
import { buildTown, manners, type Town } from "#town/town.ts";

/** A town without webhooks, whose one worker has its repository polled; looks at pulls are counted. */
async function polledTown(options: Parameters<typeof buildTown>[0]): Promise<{ town: Town; looks: () => number }> {
  let looks = 0;
  const town: Town = await buildTown({
    ...options,
    network: () => undefined,
    parts: (usual) => ({
      forge: counting(usual.forge, () => {
        looks += 1;
      }),
    }),
    crank: { isWatched: () => true, reactionMsMax: () => pollMs },
  });
  await createReconciler(town.dependencies).watch("acme/tools");
  return { town, looks: () => looks };
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

function isMerged(town: Town, pull: PullRef): boolean {
  return town.look(pull).merged !== null;
}

describe.each(manners)("a %s whose polls tell of reactions", (manner) => {
  it("is not looked at while nothing happens", async () => {
    const { town, looks } = await polledTown({ manner, rules });
    await town.open();
    await town.pass(10 * minuteMs);
    const before = looks();
    await town.pass(hourMs);
    expect(looks() - before).toBeLessThanOrEqual(1);
  });

  it("merges soon after a thumb", async () => {
    const { town } = await polledTown({ manner, rules });
    const pull = await town.open();
    await town.pass(30 * minuteMs);
    expect(isMerged(town, pull)).toBe(false);
    await town.as(town.rita).react(pull, "+1");
    await town.pass(2 * minuteMs);
    expect(isMerged(town, pull)).toBe(true);
  });

  it("merges a new head whose thumb was taken away and given again between two polls", async () => {
    const { town } = await polledTown({ manner, rules });
    const pull = await town.open();
    await town.as(town.rita).react(pull, "+1");
    await town.push(pull, { "src/more.js": "export const more = 1;\n" });
    await town.pass(10 * minuteMs);
    expect(isMerged(town, pull)).toBe(false);
    await town.as(town.rita).unreact(pull, "+1");
    await town.as(town.rita).react(pull, "+1");
    await town.pass(3 * minuteMs);
    expect(isMerged(town, pull)).toBe(true);
  });
});
