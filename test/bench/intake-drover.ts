import * as z from "zod";
import { batchLogLines } from "#app/batch-log-lines.ts";
import { consoleLog } from "#app/console-log.ts";
import { createSystemClock } from "#app/system-clock.ts";
import { createSystemRandom } from "#app/system-random.ts";
import { InstanceId } from "#core/model/ids.ts";
import { type DatabaseLocation, openDatabase } from "#database/open-database.ts";
import { createGithubWebhook } from "#forges/github/github-webhook.ts";
import { defaultDurations } from "#ports/dependencies.ts";
import type { Deliveries } from "#ports/intake.ts";
import { createSqlQueue } from "#queues/sql-queue.ts";
import { type DeliveryDrainOptions, runDeliveryDrain } from "#reconcile/drain-deliveries.ts";
import { createWakeSignal } from "#reconcile/wake-signal.ts";
import { createHttpServer } from "#server/http-server.ts";
import { createDeliveryInbox, type DeliveryInbox } from "#store/delivery-inbox.ts";
import { answerParent } from "./answer-parent.ts";

/**
 * `drover serve` from the socket to the queue, put together as src/app/serve/serve.ts does: the same server, log, database
 * and pump with their own limits. Only nobody works on what is in the queue: workers would spend their time on pulls of a
 * forge that is not there.
 */
const Order = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("start"),
    port: z.number(),
    secret: z.string(),
    hasPump: z.boolean(),
    location: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("embedded"), folder: z.string() }),
      z.object({ kind: z.literal("postgres"), url: z.string() }),
    ]),
  }),
  z.object({ kind: z.literal("count") }),
]);

const instance = InstanceId.parse("github.com");
const clock = createSystemClock();
const random = createSystemRandom();
const log = consoleLog({ write: batchLogLines({ write: (text) => process.stdout.write(text), process }), clock });

interface Running {
  readonly deliveries: DeliveryInbox;
  /** Deliveries that the pump has read, turned into pokes and removed. */
  countPumped(): number;
  /** How often some were written in one commit. */
  countCommits(): number;
  /** Until the pump has nothing left to do: it must not take time from whoever is measured next. */
  rest(): Promise<void>;
  stop(): Promise<void>;
}

let running: Running | undefined;

answerParent(
  async (message) => {
    const order = Order.parse(message);
    if (order.kind === "start") {
      running = await start(order);
      return {};
    }
    if (running === undefined) throw new Error("it has not been started");
    await running.rest();
    const rows = (await running.deliveries.countDeliveries()) + running.countPumped();
    return { rows, commits: running.countCommits() };
  },
  async () => running?.stop(),
);

interface StartOptions {
  readonly port: number;
  readonly secret: string;
  readonly hasPump: boolean;
  readonly location: DatabaseLocation;
}

async function start({ port, secret, hasPump, location }: StartOptions): Promise<Running> {
  const database = await openDatabase(location, { log });
  const wake = createWakeSignal(clock);
  let commits = 0;
  const onWritten = (): void => {
    commits += 1;
    wake.notify();
  };
  const deliveries = createDeliveryInbox({ database, clock, log, onWritten });
  const queue = createSqlQueue({ database, instance, random, limits: {} });
  const sources = [createGithubWebhook({ instance, secrets: [secret] })];
  const server = createHttpServer({
    intake: deliveries,
    sources: () => sources,
    webhookManners: ["github", "gitea"],
    clock,
    log,
    random,
    isReady: () => ({ kind: "ready" }),
    metrics: async () => [],
  });
  await server.listen({ host: "127.0.0.1", port });
  const stopping = new AbortController();
  const counted = countForgotten(deliveries);
  const installations: DeliveryDrainOptions["installations"] = () => [
    { instance, queue, clock, durations: defaultDurations },
  ];
  const pumping = hasPump
    ? runDeliveryDrain({ deliveries: counted.deliveries, installations, clock, log, wake }, stopping.signal)
    : Promise.resolve();
  return {
    deliveries,
    countPumped: counted.count,
    countCommits: () => commits,
    rest: async () => {
      if (!hasPump) return;
      while ((await deliveries.countDeliveries()) > 0) await clock.sleep(restMs);
    },
    stop: async () => {
      await server.close({ deadlineMs: 0 });
      stopping.abort();
      await pumping;
      await database.close();
    },
  };
}

const restMs = 20;

function countForgotten(deliveries: Deliveries): { readonly deliveries: Deliveries; readonly count: () => number } {
  let count = 0;
  const sizes = new Map<number, number>();
  return {
    deliveries: {
      readDeliveries: async (request) => {
        const groups = await deliveries.readDeliveries(request);
        for (const { number, references } of groups) sizes.set(number, references.length);
        return groups;
      },
      forgetDeliveries: async (numbers) => {
        await deliveries.forgetDeliveries(numbers);
        for (const number of numbers) count += sizes.get(number) ?? 0;
        sizes.clear();
      },
    },
    count: () => count,
  };
}
