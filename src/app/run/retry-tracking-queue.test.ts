import { expect, it } from "vitest";
import { trackRetries } from "#app/run/retry-tracking-queue.ts";
import { instant } from "#core/model/instant.ts";
import { createMemoryQueue } from "#queues/memory-queue.ts";

const entry = { queue: "review", key: "k", at: null, whileRunning: "skip", priority: 3, payload: {} } as const;

function counted() {
  let tokens = 0;
  const time = { now: instant(1_000) };
  const random = { token: () => `t${tokens++}` };
  const { queue, retried } = trackRetries(createMemoryQueue({ clock: { now: () => time.now }, random }));
  const take = async () => {
    const claimed = await queue.claim({ queues: ["review"], leaseMs: 60_000 });
    if (claimed === null) throw new Error("nothing is due");
    return claimed;
  };
  return { queue, retried, take, time };
}

it("a tracking queue knows which jobs are to be tried again, and how often they were tried", async () => {
  const { queue, retried, take, time } = counted();
  await queue.put(entry);
  await queue.retry(await take(), instant(2_000));
  expect(retried()).toEqual([{ queue: "review", key: "k", attempt: 1, at: 2_000 }]);
  time.now = instant(2_000);
  const again = await take();
  expect(retried()).toEqual([]);
  await queue.retry(again, instant(3_000));
  expect(retried()).toMatchObject([{ attempt: 2 }]);
});

it("forgets what has ended or is not wanted any more", async () => {
  const { queue, retried, take } = counted();
  await queue.put(entry);
  await queue.finish(await take());
  expect(retried()).toEqual([]);
  await queue.put(entry);
  await queue.retry(await take(), instant(2_000));
  await queue.cancel(entry);
  expect(retried()).toEqual([]);
});
