import { describe, expect, it } from "vitest";
import { minuteMs } from "#core/model/instant.ts";
import { pullKeyOf } from "#ports/pull-ref.ts";
import type { Queue } from "#ports/queue.ts";
import { poke, poll } from "#reconcile/poll.ts";
import { buildTown, type Town } from "#town/town.ts";

/** What the crank alone guards, where nobody who looks at the forge could tell. */

describe("the crank", () => {
  it("looks once more after a tick in which it was poked", async () => {
    const { dependencies, repository } = await buildTown();
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
    const town = await buildTown({ network: () => undefined });
    const pull = await town.open();
    const queue: Queue = { ...town.dependencies.queue, putAll: () => new Promise<never>(() => undefined) };
    void poll({ ...town.dependencies, queue }, town.repository);
    await town.pass(minuteMs);
    expect(await town.dependencies.store.findDigests([pullKeyOf(town.dependencies.instance, pull)])).toEqual(new Map());
  });

  it("merges the head that was approved or nothing, when somebody pushes in the last moment", async () => {
    const town: Town = await buildTown({
      rules: { merge: { when: "when_approved", requireCI: false } },
      // A forge that takes its time to see that a push can be merged would refuse by itself.
      quirks: { mergeabilityDelayMs: 0 },
      parts: ({ store }) => ({
        store: {
          ...store,
          changeObligation: async (request) => {
            const isMerging = request.key.includes("/merge") && request.change.state?.kind === "sending";
            if (isMerging) await town.push(pull, { "src/late.ts": "export const late = true;\n" });
            return await store.changeObligation(request);
          },
        },
      }),
    });
    const pull = await town.open();
    await town.pass(minuteMs);
    const approved = town.headOf(pull);
    await town.as(town.rita).review(pull, { event: "approve", body: "" });
    await town.pass(minuteMs);
    expect(town.headOf(pull)).not.toBe(approved);
    expect(town.look(pull).merged).toBeNull();
  });

  it("lands nothing that was put into the queue before somebody said to wait", async () => {
    const town = await buildTown({ rules: { merge: { when: "when_approved", requireCI: false, how: "queue" } } });
    const pull = await town.open();
    await town.as(town.mia).comment(pull, "@drover hold");
    await town.pass(minuteMs);
    await town.as(town.rita).review(pull, { event: "approve", body: "" });
    await town.pass(minuteMs);
    const { queue, instance } = town.dependencies;
    await queue.put({
      queue: "landing",
      key: `${instance}/${pull.repository.id}/main`,
      at: null,
      whileRunning: "keep",
      priority: 3,
      payload: { pull, head: town.headOf(pull), baseBranch: "main" },
    });
    await town.pass(5 * minuteMs);
    expect(town.look(pull).pull.state).toBe("open");
  });
});
