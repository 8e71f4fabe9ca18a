import { type RawBuilder, type Selectable, sql } from "kysely";
import { InstanceId, RepositoryId } from "#core/model/ids.ts";
import { instant } from "#core/model/instant.ts";
import type { Database } from "#database/database.ts";
import type { DeliveryTable } from "#database/tables.ts";
import type { Clock } from "#ports/clock.ts";
import type { DeliveryReference, Intake } from "#ports/intake.ts";
import type { Log } from "#ports/log.ts";
import { createGroupCommit, type GroupLimits } from "#store/group-commit.ts";

/** Deliveries that were accepted and that nobody has turned into pokes yet. */
export interface DeliveryLog extends Intake {
  /**
   * The oldest first, of these forges or of all. One that is being written meanwhile may turn up before others, but it
   * does turn up.
   */
  readDeliveries(request: {
    readonly limit: number;
    readonly instances?: readonly InstanceId[];
  }): Promise<readonly LoggedDelivery[]>;
  /**
   * Once their pokes are in the queue. By their own numbers: a lower one may be written after a higher one, and whatever
   * was not read must stay. Twice is once.
   */
  forgetDeliveries(numbers: readonly number[]): Promise<void>;
  /** How many there are, of all processes on this database. */
  countDeliveries(): Promise<number>;
  /** How many wait here to be written, those in the commit that is under way included. */
  countWaiting(): number;
}

export interface LoggedDelivery extends DeliveryReference {
  readonly number: number;
}

export interface DeliveryLogOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  /** Called when there is something new to read. Only a hint: what other processes have accepted is not told. */
  readonly onWritten?: () => void;
  readonly limits?: GroupLimits;
}

const deliveryLimits: GroupLimits = {
  /** Two seconds' worth at the rate that was measured: more would only wait in order to be turned away. */
  waitingMax: 10_000,
  /** Gitea hangs up after 5 s by default, GitHub after 10 s, and our answer has to be there before. */
  waitMsMax: 4000,
  /** Everything else on the embedded engine stands still for as long as one write takes. */
  groupMax: 512,
};

/**
 * With a commit for each delivery the embedded engine takes some hundreds in a second; with one for all that wait,
 * thousands. A lone delivery is written at once.
 */
export function createDeliveryLog(options: DeliveryLogOptions): DeliveryLog {
  const { database, clock, log, onWritten, limits = deliveryLimits } = options;
  const { db } = database;
  const group = createGroupCommit<DeliveryReference>({
    clock,
    limits,
    write: async (references) => {
      await insertAll(references).execute(db);
      onWritten?.();
    },
    onFailure: (error, count) => log.error({ why: wordsOf(error), count }, "deliveries were not written down"),
  });
  return {
    accept: async (reference) => await group.accept(checked(reference)),
    readDeliveries: async ({ limit, instances }) => {
      if (instances?.length === 0) return [];
      const all = db.selectFrom("delivery").selectAll().orderBy("number").limit(limit);
      const rows = await (instances === undefined ? all : all.where("instance", "in", instances)).execute();
      return rows.map(deliveryOf);
    },
    forgetDeliveries: async (numbers) => {
      if (numbers.length > 0) await deleteAll(numbers).execute(db);
    },
    countDeliveries: async () => {
      const counted = db.selectFrom("delivery").select(({ fn }) => fn.countAll<number>().as("count"));
      return (await counted.executeTakeFirstOrThrow()).count;
    },
    countWaiting: () => group.countWaiting(),
  };
}

/** One that the table cannot hold would take all the others of its commit with it. Nobody who reads webhooks makes one. */
function checked(reference: DeliveryReference): DeliveryReference {
  const { instance, pull, delivery, kind } = reference;
  const texts = [instance, pull.repository.id, pull.repository.name, delivery ?? "", kind];
  if (texts.some((text) => text.includes("\0"))) throw new Error("a delivery's reference has a zero in it");
  if (!Number.isInteger(pull.number) || pull.number < 0 || pull.number >= 2 ** 31) {
    throw new Error(`a delivery's reference has the number ${pull.number}`);
  }
  return reference;
}

/** All rows as one parameter: a statement that grows with their number took the engine longer to read than to do. */
function insertAll(references: readonly DeliveryReference[]): RawBuilder<unknown> {
  const rows = references.map(({ instance, pull, delivery, kind, receivedAt }) => ({
    instance,
    repository_id: pull.repository.id,
    repository_name: pull.repository.name,
    pull: pull.number,
    delivery,
    kind,
    received_at: receivedAt,
  }));
  return sql`
    insert into delivery (instance, repository_id, repository_name, pull, delivery, kind, received_at)
    select instance, repository_id, repository_name, pull, delivery, kind, received_at
    from json_to_recordset(${JSON.stringify(rows)}::json) as row (
      instance text, repository_id text, repository_name text, pull integer, delivery text, kind text, received_at bigint
    )`;
}

function deleteAll(numbers: readonly number[]): RawBuilder<unknown> {
  const chosen = sql`select value::bigint from json_array_elements_text(${JSON.stringify(numbers)}::json)`;
  return sql`delete from delivery where number in (${chosen})`;
}

function deliveryOf(row: Selectable<DeliveryTable>): LoggedDelivery {
  return {
    number: row.number,
    instance: InstanceId.parse(row.instance),
    pull: { repository: { id: RepositoryId.parse(row.repository_id), name: row.repository_name }, number: row.pull },
    delivery: row.delivery,
    kind: row.kind,
    receivedAt: instant(row.received_at),
  };
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
