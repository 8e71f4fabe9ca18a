import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { InstanceId } from "#core/model/ids.ts";
import { after, dayMs, instant } from "#core/model/instant.ts";
import type { Database } from "#database/database.ts";
import { createSqlQueue } from "#queues/sql-queue.ts";
import { createSeededRandom } from "#testing/seeded-random.ts";
import { embedded, postgres } from "./sql-databases.ts";
import { anEntry, drain, mustTake, takeTick } from "./world.ts";

async function databaseMs({ db }: Database): Promise<number> {
  const { rows } = await sql<{ ms: number }>`select extract(epoch from clock_timestamp())::float8 * 1000 as ms`.execute(
    db,
  );
  return rows[0]?.ms ?? Number.NaN;
}

describe.each([embedded, postgres])("the durable queue by the clock of $name", ({ need, open }) => {
  beforeEach(need);
  let database: Database;
  beforeEach(async () => {
    [database] = await open();
  });
  afterEach(async () => {
    await database.db.deleteFrom("queue_place").execute();
  });

  function queueOf(instance: string, seed = 1) {
    return createSqlQueue({ database, instance: InstanceId.parse(instance), random: createSeededRandom(seed) });
  }

  it("has now for due and tomorrow for not", async () => {
    const queue = queueOf("here");
    const tomorrow = after(instant(await databaseMs(database)), dayMs);
    await queue.putAll([anEntry({ key: "tomorrow", at: tomorrow, priority: 1 }), anEntry()]);
    expect(await drain(queue)).toEqual(["one"]);
    expect(await queue.nextDue(["tick"])).toBe(Math.ceil(tomorrow));
    await queue.put(anEntry({ key: "tomorrow" }));
    expect(await drain(queue)).toEqual(["tomorrow"]);
  });

  it("counts a lease from the moment at which it is given", async () => {
    const queue = queueOf("here");
    await queue.put(anEntry());
    const before = await databaseMs(database);
    const { leaseUntil } = await mustTake(queue);
    expect(leaseUntil).toBeGreaterThan(before + 1000 - 1);
    expect(leaseUntil).toBeLessThanOrEqual((await databaseMs(database)) + 1000);
  });

  it("gives away what a dead worker had, without anybody's doing", async () => {
    const queue = queueOf("here");
    await queue.put(anEntry());
    await queue.claim({ queues: ["tick"], leaseMs: 1 });
    let again = await takeTick(queue);
    while (again === null) again = await takeTick(queue);
    expect(again).toMatchObject({ key: "one", attempt: 2 });
  });

  it("keeps installations apart: they see, take, cancel and count only their own", async () => {
    const [here, there] = [queueOf("here", 1), queueOf("there", 2)];
    await here.put(anEntry({ payload: "here" }));
    expect(await takeTick(there)).toBeNull();
    expect(await there.find(anEntry())).toBeUndefined();
    expect(await there.nextDue(["tick"])).toBeUndefined();
    await there.put(anEntry({ payload: "there" }));
    await there.cancel(anEntry());
    const claimed = await mustTake(here);
    expect(claimed.payload).toBe("here");
    await there.finish(claimed);
    expect(await there.extend(claimed, 1000)).toBe("lost");
    await here.quarantine(claimed, "it fails");
    expect(await there.listQuarantined()).toEqual([]);
    expect(await there.restore(anEntry())).toBe("not_there");
    expect(await here.listQuarantined()).toHaveLength(1);
  });
});
