import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { InstanceId, RepositoryId } from "#core/model/ids.ts";
import type { Database } from "#database/database.ts";
import { migrate } from "#database/migrate.ts";
import { openEmbedded } from "#database/open-embedded.ts";
import type { DeliveryReference } from "#ports/intake.ts";
import type { Log } from "#ports/log.ts";
import { createDeliveryInbox, type DeliveryInbox } from "#store/delivery-inbox.ts";
import { at } from "#testing/makers.ts";
import { createVirtualClock } from "#testing/virtual-clock.ts";

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

function aReference(over: Partial<DeliveryReference> = {}): DeliveryReference {
  return {
    instance: InstanceId.parse("github.com"),
    pull: { repository: { id: RepositoryId.parse("17"), name: "ada/engine" }, number: 3 },
    delivery: "d-1",
    kind: "pull_request.opened",
    receivedAt: at(0),
    ...over,
  };
}

function aPull(number: number): DeliveryReference["pull"] {
  return { ...aReference().pull, number };
}

interface Opened {
  readonly log: DeliveryInbox;
  readonly lines: readonly string[];
  readonly countHints: () => number;
}

function open(clock = createVirtualClock(at(0))): Opened {
  const lines: string[] = [];
  let hints = 0;
  const write: Log["error"] = (facts, message) => void lines.push(`${message}: ${String(facts["count"])}`);
  const log = createDeliveryInbox({
    database,
    clock,
    log: { info: write, warn: write, error: write },
    onWritten: () => {
      hints++;
    },
  });
  return { log, lines, countHints: () => hints };
}

const instances = ["github.com", 'gitea "é"'].map((name) => InstanceId.parse(name));

async function readAll(log: DeliveryInbox): Promise<readonly DeliveryReference[]> {
  return (await log.readDeliveries({ limit: 100, instances })).flatMap(({ references }) => references);
}

describe("the delivery log", () => {
  it("gives back what it has accepted, the oldest first", async () => {
    const { log } = open();
    const first = aReference({ delivery: null, kind: "pull_request", receivedAt: at(1) });
    const second = aReference({ instance: InstanceId.parse('gitea "é"'), pull: aPull(2 ** 31 - 1), delivery: "d'2" });
    expect(await log.accept(first)).toBe("accepted");
    expect(await log.accept(second)).toBe("accepted");
    const [older, newer, ...more] = await log.readDeliveries({ limit: 10, instances });
    expect(more).toEqual([]);
    expect(older).toEqual({ number: expect.any(Number), instance: first.instance, references: [first] });
    expect(newer).toEqual({ number: expect.any(Number), instance: second.instance, references: [second] });
    expect(newer?.number).toBeGreaterThan(older?.number ?? Number.NaN);
  });

  it("writes many that come at once in a few commits, in their order, and reads as many groups", async () => {
    const { log, countHints } = open();
    const numbers = Array.from({ length: 700 }, (_, index) => index + 1);
    const answers = await Promise.all(numbers.map((number) => log.accept(aReference({ pull: aPull(number) }))));
    expect(new Set(answers)).toEqual(new Set(["accepted"]));
    expect(countHints()).toBe(2);
    expect((await readAll(log)).map(({ pull }) => pull.number)).toEqual(numbers);
    expect(await log.readDeliveries({ limit: 100, instances })).toHaveLength(2);
    expect(await log.countDeliveries()).toBe(700);
  });

  it("gives what it has just written without reading it, and again when it was not forgotten", async () => {
    const { log } = open();
    await readAll(log);
    await log.accept(aReference());
    const rows = await database.db.deleteFrom("delivery_group").returningAll().execute();
    expect(await readAll(log)).toEqual([aReference()]);
    expect(await readAll(log)).toEqual([]);
    for (const { number: _, deliveries, ...kept } of rows) {
      const row = { ...kept, deliveries: JSON.stringify(deliveries) };
      await database.db.insertInto("delivery_group").values(row).execute();
    }
    expect(await readAll(log)).toEqual([aReference()]);
  });

  it("does not let what others wrote wait for ever behind its own", async () => {
    const clock = createVirtualClock(at(0));
    const { log } = open(clock);
    await readAll(log);
    const { log: gone } = open();
    await gone.accept(aReference({ delivery: "left behind" }));
    await log.accept(aReference({ delivery: "first" }));
    expect((await readAll(log)).map(({ delivery }) => delivery)).toEqual(["first"]);
    await clock.advance(10_000);
    await log.accept(aReference({ delivery: "second" }));
    expect((await readAll(log)).map(({ delivery }) => delivery)).toEqual(["left behind", "first", "second"]);
  });

  it("gives each forge's groups to whoever asks for that forge", async () => {
    const { log } = open();
    await readAll(log);
    await Promise.all(instances.map((instance) => log.accept(aReference({ instance }))));
    for (const instance of instances.toReversed()) {
      const groups = await log.readDeliveries({ limit: 10, instances: [instance] });
      expect(groups.flatMap(({ references }) => references)).toEqual([aReference({ instance })]);
    }
  });

  it("keeps those of two forges apart, also when they come at once", async () => {
    const { log } = open();
    await Promise.all(instances.map((instance) => log.accept(aReference({ instance }))));
    for (const instance of instances) {
      const groups = await log.readDeliveries({ limit: 10, instances: [instance] });
      expect(groups.map(({ references }) => references)).toEqual([[aReference({ instance })]]);
    }
    expect(await log.readDeliveries({ limit: 10, instances: [] })).toEqual([]);
  });

  it("keeps the same delivery twice: a poke too many does no harm", async () => {
    const { log } = open();
    await Promise.all([log.accept(aReference()), log.accept(aReference())]);
    expect(await log.countDeliveries()).toBe(2);
  });

  it("forgets exactly those groups that it is told to, also when it is told again", async () => {
    const { log } = open();
    for (const number of [1, 2, 3, 4]) await log.accept(aReference({ pull: aPull(number) }));
    const read = await log.readDeliveries({ limit: 3, instances });
    const done = read.filter(({ references }) => references[0]?.pull.number !== 2).map(({ number }) => number);
    await log.forgetDeliveries(done);
    await log.forgetDeliveries(done);
    await log.forgetDeliveries([]);
    expect((await readAll(open().log)).map(({ pull }) => pull.number)).toEqual([2, 4]);
  });

  it("takes over what a version before it has left, one by one, and only once", async () => {
    const { log } = open();
    const left = [1, 2, 3].map((number) => ({
      instance: "github.com",
      repository_id: "17",
      repository_name: "ada/engine",
      pull: number,
      delivery: number === 2 ? null : "d-1",
      kind: "pull_request.opened",
      received_at: at(0),
    }));
    await database.db.insertInto("delivery").values(left).execute();
    expect(await log.countDeliveries()).toBe(3);
    const expected = [1, 2, 3].map((number) =>
      aReference({ pull: aPull(number), delivery: number === 2 ? null : "d-1" }),
    );
    expect(await readAll(log)).toEqual(expected);
    expect(await readAll(log)).toEqual(expected);
    expect(await log.countDeliveries()).toBe(3);
  });
});

describe("trouble", () => {
  it("with the table turns away whoever was in that commit, says so, and is over when it is over", async () => {
    const { log, lines } = open();
    await database.db.schema.alterTable("delivery_group").renameTo("away").execute();
    const answers = await Promise.all([log.accept(aReference()), log.accept(aReference())]);
    expect(answers).toEqual(["busy", "busy"]);
    expect(lines).toEqual(["deliveries were not written down: 2"]);
    await database.db.schema.alterTable("away").renameTo("delivery_group").execute();
    expect(await log.accept(aReference())).toBe("accepted");
  });

  it.each([
    ["a zero in its text", aReference({ kind: "a\0" })],
    ["a number that is none", aReference({ pull: aPull(1.5) })],
    ["a number too large", aReference({ pull: aPull(2 ** 31) })],
  ])("with a reference does not reach the others of its commit: %s", async (_what, odd) => {
    const { log } = open();
    const [refused, good] = await Promise.allSettled([log.accept(odd), log.accept(aReference())]);
    expect(refused.status).toBe("rejected");
    expect(good).toEqual({ status: "fulfilled", value: "accepted" });
  });
});
