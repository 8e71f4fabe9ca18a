import { describe, expect, it } from "vitest";
import { minuteMs } from "#core/model/instant.ts";
import { buildHarness, type Harness } from "#harness/harness.ts";
import { botWords, managedComments } from "#harness/sights.ts";
import type { Forge } from "#ports/forge.ts";
import type { PullRef } from "#ports/pull-ref.ts";

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

async function approved(harness: Harness): Promise<PullRef> {
  const pull = await harness.open();
  await harness.settle();
  await harness.pass(minuteMs);
  await harness.as(harness.rita).react(pull, "+1");
  await harness.pass(5 * minuteMs);
  return pull;
}

function calls(harness: Harness, pull: PullRef): number {
  return botWords(harness, pull).filter((body) => body.includes("out of its merge queue without merging it")).length;
}

describe.each([merging, landing])("a merge that the forge's own queue took (%o)", (rules) => {
  it("is left there, however long it takes", async () => {
    const { queue, behind } = withQueue();
    const harness = await buildHarness({ manner: "github", rules, parts: ({ forge }) => ({ forge: behind(forge) }) });
    const pull = await approved(harness);
    await harness.pass(60 * minuteMs);
    expect([queue.entered, calls(harness, pull)]).toEqual([1, 0]);
  });

  it("is not put in again when it was thrown out: people are called once, and the flight plan says so", async () => {
    const { queue, behind } = withQueue();
    const harness = await buildHarness({ manner: "github", rules, parts: ({ forge }) => ({ forge: behind(forge) }) });
    const pull = await approved(harness);
    queue.isIn = false;
    await harness.pass(60 * minuteMs);
    expect([queue.entered, calls(harness, pull)]).toEqual([1, 1]);
    expect(managedComments(harness, pull)[0]?.body).toMatch(/Merge wanted \| given back by the forge/);
  });

  it("is put in again for another merge command, and for a new head", async () => {
    const { queue, behind } = withQueue();
    const harness = await buildHarness({ manner: "github", rules, parts: ({ forge }) => ({ forge: behind(forge) }) });
    const pull = await approved(harness);
    queue.isIn = false;
    await harness.pass(20 * minuteMs);
    await harness.as(harness.mia).comment(pull, "@drover merge");
    await harness.pass(20 * minuteMs);
    expect([queue.entered, calls(harness, pull)]).toEqual([2, 1]);
    queue.isIn = false;
    await harness.pass(20 * minuteMs);
    expect([queue.entered, calls(harness, pull)]).toEqual([2, 2]);
    await harness.push(pull, { "src/lexer.ts": "export const words = 10;\n" });
    await harness.pass(minuteMs);
    await harness.as(harness.rita).unreact(pull, "+1");
    await harness.as(harness.rita).react(pull, "+1");
    await harness.pass(20 * minuteMs);
    expect([queue.entered, calls(harness, pull)]).toEqual([3, 2]);
  });
});
