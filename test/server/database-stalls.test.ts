import { EventEmitter, once } from "node:events";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { createSystemClock } from "#app/system-clock.ts";
import { InstanceId } from "#core/model/ids.ts";
import type { Database } from "#database/database.ts";
import { migrate } from "#database/migrate.ts";
import { openEmbedded } from "#database/open-embedded.ts";
import { createDeliveryInbox, type DeliveryInbox } from "#store/delivery-inbox.ts";
import { silentLog } from "#testing/makers.ts";
import { delivery, type ServerWorld, startServer } from "./server-world.ts";

let database: Database;

beforeAll(async () => {
  database = await openEmbedded();
  await migrate(database.db);
});

beforeEach(async () => {
  await database.db.deleteFrom("delivery_group").execute();
});

afterAll(async () => {
  await database.close();
});

/** The same database, whose answers are held back while the gate is shut. What was asked has been done all the same. */
interface Gated {
  readonly database: Database;
  readonly shut: () => void;
  readonly open: () => void;
}

function gated(): Gated {
  const gate = new EventEmitter();
  let isShut = false;
  const db = database.db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      if (isShut) await once(gate, "open");
      return result;
    },
  });
  return {
    database: { ...database, db },
    shut: () => {
      isShut = true;
    },
    open: () => {
      isShut = false;
      gate.emit("open");
    },
  };
}

/** On a busy machine the short time that a delivery may wait here is soon over. */
const patience = { timeout: 30_000 };

function logOn({ database: behind }: Gated): DeliveryInbox {
  const limits = { waitingMax: 50, waitMsMax: 1000, groupMax: 20 };
  return createDeliveryInbox({ database: behind, clock: createSystemClock(), log: silentLog, limits });
}

async function send(world: ServerWorld, numbers: readonly number[]): Promise<readonly (readonly [number, number])[]> {
  return await Promise.all(
    numbers.map(async (number) => {
      const { status } = await world.ask(delivery(number));
      return [number, status] as const;
    }),
  );
}

function range(first: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => first + index);
}

describe("while the database does not answer", () => {
  it("deliveries are told to come back, and afterwards they are taken again", async () => {
    const gate = gated();
    const intake = logOn(gate);
    const world = await startServer({ intake });
    gate.shut();
    // More than may wait: some are turned away at once, the others after their time.
    const stalled = await send(world, range(1, 100));
    expect(stalled.filter(([, status]) => status !== 503)).toEqual([]);
    gate.open();
    await vi.waitFor(async () => expect(await send(world, [101])).toEqual([[101, 202]]), patience);
  });

  it("nothing is lost that was answered with 202, whenever it stalled", async () => {
    const gate = gated();
    const intake = logOn(gate);
    const world = await startServer({ intake });
    const taken = new Set<number>();
    for (let round = 0; round < 6; round++) {
      const sending = send(world, range(1 + round * 30, 30));
      if (round % 2 === 0) gate.shut();
      const answers = await sending;
      gate.open();
      for (const [number, status] of answers) if (status === 202) taken.add(number);
    }
    const groups = await intake.readDeliveries({ limit: 1000, instances: [InstanceId.parse("github.example")] });
    const kept = new Set(groups.flatMap(({ references }) => references).map(({ pull }) => pull.number));
    expect(taken.size).toBeGreaterThan(0);
    expect([...taken].filter((number) => !kept.has(number))).toEqual([]);
  });
});
