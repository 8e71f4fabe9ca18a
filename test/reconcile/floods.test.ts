import { describe, expect, it } from "vitest";
import type { Account } from "#core/model/account.ts";
import { minuteMs, secondMs } from "#core/model/instant.ts";
import { throttledForge } from "#forges/throttled-forge.ts";
import { buildHarness, type Harness } from "#harness/harness.ts";
import { reactionsOn } from "#harness/sights.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import { createMemoryQueue } from "#queues/memory-queue.ts";
import { createQueueSlots } from "#reconcile/queue-slots.ts";
import { createReconciler } from "#reconcile/reconciler.ts";
import { createWakeSignal } from "#reconcile/wake-signal.ts";
import { runWorkers } from "#reconcile/workers.ts";
import { rulesReviewer } from "#reviewers/rules/rules-reviewer.ts";
import { aReviewer } from "#testing/review-makers.ts";
import { createSeededRandom } from "#testing/seeded-random.ts";

const pullsOfFlood = 1000;
const floodMs = 2 * minuteMs;
/** What one look asks of the forge takes so long, and so does one review. */
const lookMs = 400;
const reviewMs = 15 * secondMs;
/** A thousand pulls are some work for a machine that is busy with other things. */
const neverMs = 10 * minuteMs;

describe("one author who opens a thousand pulls in two minutes", () => {
  it(
    "keeps no command of others waiting, and no review from going on",
    async () => {
      const flood = await openFlood();
      const { harness } = flood;
      const elsewhere = await flood.openElsewhere();
      const beside = await harness.open({ branch: "beside", by: harness.rita, files: { "beside.md": "beside\n" } });
      await harness.clock.advance(minuteMs);
      const waits: number[] = [];
      const reviewed: number[] = [];
      for (let quarter = 0; quarter < 4; quarter++) {
        await flood.openPulls(harness.ada, pullsOfFlood / 4);
        waits.push(await flood.msUntilAcknowledged(elsewhere, harness.mia));
        waits.push(await flood.msUntilAcknowledged(beside, harness.mia));
        reviewed.push(flood.reviewed());
      }
      await flood.stop();
      // A look that is running, the look at this pull, and two turns to write. Before turns were fair it took minutes.
      expect(waits.filter((ms) => ms > 4 * secondMs)).toEqual([]);
      // Reviews went on in every quarter of the flood. Before, none began in half an hour.
      expect(reviewed.filter((count, quarter) => count <= (reviewed[quarter - 1] ?? 2))).toEqual([]);
      const writes = flood.writeTimes();
      const gaps = writes.slice(1).map((time, index) => time - (writes[index] ?? time));
      expect(Math.min(...gaps)).toBeGreaterThanOrEqual(secondMs);
    },
    neverMs,
  );
});

async function openFlood() {
  let reviewed = 0;
  let opened = 0;
  const harness: Harness = await buildHarness({
    network: ({ pull }) => void crank().poke(pull, harness.look(pull).pull.author.id),
    parts: ({ clock, forge, store, instance, reviewers }) => ({
      queue: createMemoryQueue({
        clock,
        random: createSeededRandom(1),
        limits: { review: 4, talk: 4, session: 2 },
      }),
      forge: throttledForge({
        forge: {
          ...forge,
          fetchPull: async (pull) => {
            await clock.sleep(lookMs);
            return await forge.fetchPull(pull);
          },
        },
        store,
        clock,
        instance,
        writeGapMs: secondMs,
        onWaiting: (change) => slots().noteWaiting(change),
      }),
      reviewers: {
        ...reviewers,
        rules: aReviewer(async (job) => {
          await clock.sleep(reviewMs);
          reviewed++;
          return await rulesReviewer().review(job);
        }),
      },
    }),
  });
  const { dependencies, clock } = harness;
  const made = createReconciler(dependencies);
  const crank = () => made;
  const wake = createWakeSignal(clock);
  const madeSlots = createQueueSlots({ workers: 4, onOpened: () => wake.notify() });
  const slots = () => madeSlots;
  await dependencies.queue.onWake(() => wake.notify());
  const stop = new AbortController();
  const place = {
    reconciler: made,
    queue: dependencies.queue,
    clock: dependencies.clock,
    log: dependencies.log,
    wake,
    slots: slots(),
  };
  const working = runWorkers(place, stop.signal);
  return {
    harness,
    reviewed: () => reviewed,
    writeTimes: () => harness.sandbox.history.filter(({ by }) => by.id === harness.bot.id).map(({ at }) => at),
    openElsewhere: async (): Promise<PullRef> => {
      const { sandbox, mia, bot } = harness;
      const repository = await sandbox.createRepository({ name: "other/site", by: mia, files: { "a.md": "a\n" } });
      sandbox.setPermission({ repository, account: bot, permission: "admin" });
      const person = sandbox.as(mia);
      await person.push({ repository, branch: "work", changes: { "b.md": "b\n" }, message: "A change" });
      const title = "A change";
      return await person.openPull({ repository, branch: "work", base: "main", title, body: "", isDraft: false });
    },
    openPulls: async (by: Account, count: number) => {
      for (let nth = 0; nth < count; nth++, opened++) {
        await harness.open({ branch: `flood-${opened}`, by, files: { [`${opened}.md`]: `${opened}\n` } });
        await clock.advance(floodMs / pullsOfFlood);
      }
    },
    msUntilAcknowledged: async (pull: PullRef, by: Account): Promise<number> => {
      const began = clock.now();
      const comment = await harness.as(by).comment(pull, "@drover status");
      while (reactionsOn(harness, pull, comment).length === 0 && clock.now() - began < 10 * minuteMs) {
        await clock.advance(secondMs / 4);
      }
      return clock.now() - began;
    },
    stop: async () => {
      stop.abort();
      await clock.advance(10 * minuteMs);
      await working;
    },
  };
}
