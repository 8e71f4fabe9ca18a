import { describe, expect, it } from "vitest";
import { minuteMs } from "#core/model/instant.ts";
import { buildHarness, type Harness } from "#harness/harness.ts";
import { pullKeyOf } from "#ports/pull-ref.ts";
import type { Queue } from "#ports/queue.ts";
import { poke, poll } from "#reconcile/poll.ts";

/** What the crank alone guards, where nobody who looks at the forge could tell. */

describe("the crank", () => {
  it("looks once more after a tick in which it was poked", async () => {
    const { dependencies, repository } = await buildHarness();
    const pull = { repository, number: 1 };
    await poke(dependencies, { pull, author: null });
    const running = await dependencies.queue.claim({ queues: ["tick"], leaseMs: minuteMs });
    await poke(dependencies, { pull, author: null });
    if (running !== null) await dependencies.queue.finish(running);
    expect(await dependencies.queue.claim({ queues: ["tick"], leaseMs: minuteMs })).toMatchObject({
      key: running?.key,
    });
  });

  it("does not take a pull for poked when it died poking it", async () => {
    const harness = await buildHarness({ network: () => undefined });
    const pull = await harness.open();
    const queue: Queue = { ...harness.dependencies.queue, putAll: () => new Promise<never>(() => undefined) };
    void poll({ ...harness.dependencies, queue }, harness.repository);
    await harness.pass(minuteMs);
    expect(await harness.dependencies.store.findDigests([pullKeyOf(harness.dependencies.instance, pull)])).toEqual(
      new Map(),
    );
  });

  it("merges the head that was approved or nothing, when somebody pushes in the last moment", async () => {
    const harness: Harness = await buildHarness({
      rules: { merge: { when: "when_approved", requireCI: false } },
      // A forge that takes its time to see that a push can be merged would refuse by itself.
      quirks: { mergeabilityDelayMs: 0 },
      parts: ({ store }) => ({
        store: {
          ...store,
          changeObligation: async (request) => {
            const isMerging = request.key.includes("/merge") && request.change.state?.kind === "sending";
            if (isMerging) await harness.push(pull, { "src/late.ts": "export const late = true;\n" });
            return await store.changeObligation(request);
          },
        },
      }),
    });
    const pull = await harness.open();
    await harness.pass(minuteMs);
    const approved = harness.headOf(pull);
    await harness.as(harness.rita).review(pull, { event: "approve", body: "" });
    await harness.pass(minuteMs);
    expect(harness.headOf(pull)).not.toBe(approved);
    expect(harness.look(pull).merged).toBeNull();
  });

  it("lands nothing that was put into the queue before somebody said to wait", async () => {
    const harness = await buildHarness({ rules: { merge: { when: "when_approved", requireCI: false, how: "queue" } } });
    const pull = await harness.open();
    await harness.as(harness.mia).comment(pull, "@drover hold");
    await harness.pass(minuteMs);
    await harness.as(harness.rita).review(pull, { event: "approve", body: "" });
    await harness.pass(minuteMs);
    const { queue, instance } = harness.dependencies;
    await queue.put({
      queue: "landing",
      key: `${instance}/${pull.repository.id}/main`,
      at: null,
      whileRunning: "keep",
      priority: 3,
      payload: { pull, head: harness.headOf(pull), baseBranch: "main" },
    });
    await harness.pass(5 * minuteMs);
    expect(harness.look(pull).pull.state).toBe("open");
  });
});
