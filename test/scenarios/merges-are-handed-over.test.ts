import { describe, expect, it } from "vitest";
import { minuteMs } from "#core/model/instant.ts";
import type { Forge } from "#ports/forge.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import { botWords, managedComments } from "#town/sights.ts";
import { buildTown, type Town } from "#town/town.ts";

const merging = { merge: { when: "when_approved", requireCI: false } } as const;
const landing = { merge: { when: "when_approved", requireCI: false, how: "queue" } } as const;

/** A forge that merges through a queue of its own, as GitHub does with `merging: forge`. */
function withQueue() {
  const queue = { isIn: false, entered: 0 };
  const behind = (forge: Forge): Forge => ({
    ...forge,
    merge: async ({ isHandedOver = false }) => {
      if (queue.isIn) return { kind: "handed_over", to: "queue" };
      if (isHandedOver) return { kind: "handed_back" };
      queue.isIn = true;
      queue.entered += 1;
      return { kind: "handed_over", to: "queue" };
    },
  });
  return { queue, behind };
}

async function approved(town: Town): Promise<PullRef> {
  const pull = await town.open();
  await town.settle();
  await town.pass(minuteMs);
  await town.as(town.rita).react(pull, "+1");
  await town.pass(5 * minuteMs);
  return pull;
}

function calls(town: Town, pull: PullRef): number {
  return botWords(town, pull).filter((body) => body.includes("out of its merge queue without merging it")).length;
}

describe.each([merging, landing])("a merge that the forge's own queue took (%o)", (rules) => {
  it("is left there, however long it takes", async () => {
    const { queue, behind } = withQueue();
    const town = await buildTown({ manner: "github", rules, parts: ({ forge }) => ({ forge: behind(forge) }) });
    const pull = await approved(town);
    await town.pass(60 * minuteMs);
    expect([queue.entered, calls(town, pull)]).toEqual([1, 0]);
  });

  it("is not put in again when it was thrown out: people are called once, and the flight plan says so", async () => {
    const { queue, behind } = withQueue();
    const town = await buildTown({ manner: "github", rules, parts: ({ forge }) => ({ forge: behind(forge) }) });
    const pull = await approved(town);
    queue.isIn = false;
    await town.pass(60 * minuteMs);
    expect([queue.entered, calls(town, pull)]).toEqual([1, 1]);
    expect(managedComments(town, pull)[0]?.body).toMatch(/Merge wanted \| given back by the forge/);
  });

  it("is put in again for another merge command, and for a new head", async () => {
    const { queue, behind } = withQueue();
    const town = await buildTown({ manner: "github", rules, parts: ({ forge }) => ({ forge: behind(forge) }) });
    const pull = await approved(town);
    queue.isIn = false;
    await town.pass(20 * minuteMs);
    await town.as(town.mia).comment(pull, "@drover merge");
    await town.pass(20 * minuteMs);
    expect([queue.entered, calls(town, pull)]).toEqual([2, 1]);
    queue.isIn = false;
    await town.pass(20 * minuteMs);
    expect([queue.entered, calls(town, pull)]).toEqual([2, 2]);
    await town.push(pull, { "src/lexer.ts": "export const words = 10;\n" });
    await town.pass(minuteMs);
    await town.as(town.rita).unreact(pull, "+1");
    await town.as(town.rita).react(pull, "+1");
    await town.pass(20 * minuteMs);
    expect([queue.entered, calls(town, pull)]).toEqual([3, 2]);
  });
});
