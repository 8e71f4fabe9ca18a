import { type Insertable, type Kysely, type Selectable, sql } from "kysely";
import { z } from "zod";
import { errorText } from "#core/error-text.ts";
import { InstanceId, RepositoryId } from "#core/model/ids.ts";
import { type Instant, instant, minuteMs, secondMs } from "#core/model/instant.ts";
import { type Database } from "#database/database.ts";
import { type DeliveryGroupTable, type Tables } from "#database/tables.ts";
import { type Clock } from "#ports/clock.ts";
import { type Deliveries, type DeliveryGroup, type DeliveryReference, type Intake } from "#ports/intake.ts";
import { type Log } from "#ports/log.ts";
import { createGroupCommit, type GroupLimits } from "#store/group-commit.ts";
import { readRow } from "#store/stored-json.ts";

const StoredDelivery = z.object({
  repository: RepositoryId,
  name: z.string(),
  pull: z.number(),
  author: z.string().exactOptional(),
  delivery: z.string().nullable(),
  kind: z.string(),
  at: z.number(),
});
type StoredDelivery = z.infer<typeof StoredDelivery>;
const StoredDeliveries = z.array(StoredDelivery);

function groupRowsOf(references: readonly DeliveryReference[]): readonly Insertable<DeliveryGroupTable>[] {
  const stored = new Map<InstanceId, StoredDelivery[]>();
  for (const reference of references) {
    const those = stored.get(reference.instance);
    if (those === undefined) stored.set(reference.instance, [storedOf(reference)]);
    else those.push(storedOf(reference));
  }
  return [...stored].map(([instance, those]) => {
    return { instance, count: those.length, deliveries: JSON.stringify(those) };
  });
}

function storedOf({ pull, author, delivery, kind, receivedAt }: DeliveryReference): StoredDelivery {
  const { repository, number } = pull;
  const whose = author === undefined ? {} : { author };
  return { repository: repository.id, name: repository.name, pull: number, ...whose, delivery, kind, at: receivedAt };
}

function groupOf({ number, instance: name, deliveries }: Selectable<DeliveryGroupTable>): DeliveryGroup {
  const instance = InstanceId.parse(name);
  const stored = readRow(StoredDeliveries, deliveries, { table: "delivery_group", key: String(number) });
  return { number, instance, references: stored.map((one) => referenceOf(instance, one)) };
}

function referenceOf(
  instance: InstanceId,
  { repository, name, pull, author, delivery, kind, at }: StoredDelivery,
): DeliveryReference {
  return {
    instance,
    pull: { repository: { id: repository, name }, number: pull },
    ...(author === undefined ? {} : { author }),
    delivery,
    kind,
    receivedAt: instant(at),
  };
}

/** Spares a read: each group is also in the database. */
interface DeliveryGroupCache {
  add(groups: readonly DeliveryGroup[]): void;
  /** The oldest ones, and none again until the caller has failed with them. */
  take(request: { readonly limit: number; readonly instances: readonly InstanceId[] }): readonly DeliveryGroup[];
}

/** Four times what is read at once. The rest waits in the database. */
const keptMax = 512;

function createDeliveryGroupCache(): DeliveryGroupCache {
  let kept: readonly DeliveryGroup[] = [];
  return {
    add: (groups) => {
      kept = [...kept, ...groups].slice(-keptMax);
    },
    take: ({ limit, instances }) => {
      const taken = kept.filter(({ instance }) => instances.includes(instance)).slice(0, limit);
      const gone = new Set(taken);
      kept = kept.filter((group) => !gone.has(group));
      return taken;
    },
  };
}

export interface DeliveryInbox extends Intake, Deliveries {
  countDeliveries(): Promise<number>;
  countWaiting(): number;
}

export interface DeliveryInboxOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  /** Only a hint: it misses what other processes have accepted. */
  readonly onWritten?: () => void;
  readonly onFailed?: () => void;
  readonly limits?: GroupLimits;
}

const deliveryLimits: GroupLimits = {
  /** Two seconds' worth at the measured rate: more would only wait for a refusal. */
  waitingMax: 10_000,
  /** Gitea hangs up after 5 s by default, GitHub after 10 s, and has to get our answer before. */
  waitMsMax: 4000,
  /** All other work on the embedded engine waits during one write. */
  groupMax: 512,
};

/** With one commit per delivery the embedded engine takes hundreds a second; with one for all that wait, thousands. */
export function createDeliveryInbox(options: DeliveryInboxOptions): DeliveryInbox {
  const { database, clock, log, onWritten, onFailed, limits = deliveryLimits } = options;
  const { db } = database;
  const fresh = createDeliveryGroupCache();
  const isTimeToRead = every(readMsMax, clock);
  const isTimeToMove = every(moveMsMax, clock);
  const group = createGroupCommit<DeliveryReference>({
    clock,
    limits,
    write: async (references) => {
      fresh.add(await insertGroups(db, references));
      onWritten?.();
    },
    onFailure: (error, count) => {
      log.error({ why: errorText(error), count }, "deliveries were not written down");
      onFailed?.();
    },
  });
  return {
    accept: async (reference) => await group.accept(checked(reference)),
    readDeliveries: async ({ limit, instances }) => {
      if (instances.length === 0) return [];
      const own = fresh.take({ limit, instances });
      const isDue = isTimeToRead();
      if (own.length > 0 && !isDue) return own;
      if (isTimeToMove()) await moveSingles.execute(db);
      const all = db.selectFrom("delivery_group").selectAll().orderBy("number").limit(limit);
      return (await all.where("instance", "in", instances).execute()).map(groupOf);
    },
    forgetDeliveries: async (numbers) => {
      if (numbers.length > 0) await db.deleteFrom("delivery_group").where("number", "in", numbers).execute();
    },
    countDeliveries: async () => {
      const { rows } = await counted.execute(db);
      return rows[0]?.count ?? 0;
    },
    countWaiting: () => group.countWaiting(),
  };
}

/** Deliveries of dead processes wait no longer than this. */
const readMsMax = 5 * secondMs;
/** Only a version that is being replaced writes them. */
const moveMsMax = minuteMs;

/** True at first, and then once per span. A clock that was set back begins a new one. */
function every(spanMs: number, clock: Clock): () => boolean {
  let last: Instant | undefined;
  return () => {
    const now = clock.now();
    const isDue = last === undefined || now < last || now - last >= spanMs;
    if (isDue) last = now;
    return isDue;
  };
}

async function insertGroups(
  db: Kysely<Tables>,
  references: readonly DeliveryReference[],
): Promise<readonly DeliveryGroup[]> {
  const written = await db
    .insertInto("delivery_group")
    .values(groupRowsOf(references))
    .returning(["number", "instance"])
    .execute();
  return written.map(({ number, instance: name }) => {
    const those = references.filter(({ instance }) => instance === name);
    return { number, instance: InstanceId.parse(name), references: those };
  });
}

/** A broken one would block its group. Our readers of webhooks never make one. */
function checked(reference: DeliveryReference): DeliveryReference {
  const { instance, pull, delivery, kind } = reference;
  const texts = [instance, pull.repository.id, pull.repository.name, delivery ?? "", kind];
  if (texts.some((text) => text.includes("\0"))) throw new Error("a delivery's reference has a zero in it");
  if (!Number.isInteger(pull.number) || pull.number < 0 || pull.number >= 2 ** 31) {
    throw new Error(`a delivery's reference has the number ${pull.number}`);
  }
  return reference;
}

/** An older version, which may still run, writes single rows. One statement, so that each is always in one table. */
const moveSingles = sql`
  with moved as (
    delete from delivery where number in (select number from delivery order by number limit ${sql.lit(deliveryLimits.groupMax)})
    returning *
  )
  insert into delivery_group (instance, count, deliveries)
  select instance, count(*), json_agg(json_build_object('repository', repository_id, 'name', repository_name, 'pull', pull,
    'delivery', delivery, 'kind', kind, 'at', received_at) order by number)
  from moved group by instance`;

const counted = sql<{ readonly count: number }>`
  select (select coalesce(sum(count), 0) from delivery_group) + (select count(*) from delivery) as count`;
