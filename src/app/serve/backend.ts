import { handleCostRequest } from "#app/cost/cost-api.ts";
import { createQueueAdmin, type QueueAdmin } from "#app/queue/queue-admin.ts";
import type { SecretRegistry } from "#app/secrets/secret-registry.ts";
import { findBlockSecret, secretVariable } from "#app/serve/block-secret-file.ts";
import type { DataFolder } from "#app/serve/data-folder.ts";
import { createDatabaseHealth, type DatabaseHealth } from "#app/serve/database-health.ts";
import { createInstallations, type Installations } from "#app/serve/installations.ts";
import type { ServeOptions } from "#app/serve/serve-options.ts";
import type { Database } from "#database/database.ts";
import { openDatabase } from "#database/open-database.ts";
import { createRealGit } from "#git/real-git.ts";
import type { Clock } from "#ports/clock.ts";
import type { Git } from "#ports/git.ts";
import type { Log } from "#ports/log.ts";
import { runDeliveryDrain } from "#reconcile/drain-deliveries.ts";
import { runRetentionSweep } from "#reconcile/retention-sweep.ts";
import { createWakeSignal } from "#reconcile/wake-signal.ts";
import type { ApiCall } from "#server/api-routes.ts";
import { createDeliveryInbox, type DeliveryInbox } from "#store/delivery-inbox.ts";
import { createSqlStore } from "#store/sql-store.ts";

/** A reload may bring any kind of forge. Each installation is held to what its own forge needs. */
const gitProtocols = ["https", "http", "file"] as const;

export interface Backend {
  readonly kind: Database["kind"];
  readonly health: DatabaseHealth;
  readonly deliveries: DeliveryInbox;
  readonly installations: Installations;
  readonly queue: QueueAdmin;
  readonly cost: ApiCall["serve"];
  readonly apply: Installations["apply"];
  close(withinMs: number): Promise<number>;
}

interface BackendOptions {
  readonly options: ServeOptions;
  readonly folder: DataFolder;
  readonly clock: Clock;
  readonly log: Log;
  readonly secrets: SecretRegistry;
}

export async function openBackend(context: BackendOptions): Promise<Backend> {
  const { options, folder, clock, log, secrets } = context;
  const { env, searchPath, databaseUrl = "" } = options;
  const [given, isShared] = [env[secretVariable], databaseUrl !== ""];
  const secret = await findBlockSecret({ folder: folder.root, given, isShared, onRead: secrets.register });
  const database = await openOwnDatabase(context);
  const git = await openGit(folder.git, { searchPath, env }).catch(async (error: unknown) => {
    await database.close();
    throw error;
  });
  const health = createDatabaseHealth(clock);
  const installations = createInstallations({ database, git, clock, log, secret, secrets, health });
  const wake = createWakeSignal(clock);
  const onWritten = (): void => {
    health.note("done");
    wake.notify();
  };
  const deliveries = createDeliveryInbox({ database, clock, log, onWritten, onFailed: () => health.note("failed") });
  const stopping = new AbortController();
  const pumping = runDeliveryDrain(
    {
      deliveries,
      installations: () => installations.list().map(({ dependencies }) => dependencies),
      clock,
      log,
      wake,
    },
    stopping.signal,
  );
  let { retention } = options.config;
  const store = createSqlStore({ database });
  const sweeping = runRetentionSweep({ store, clock, log, retention: () => retention }, stopping.signal);
  return {
    kind: database.kind,
    health,
    deliveries,
    installations,
    queue: createQueueAdmin(database),
    cost: (asked) => handleCostRequest(database, asked),
    apply: async (wanted) => {
      await installations.apply(wanted);
      ({ retention } = wanted.config);
      // Deliveries for a forge that was not there yet have waited for it.
      wake.notify();
    },
    close: async (withinMs) => {
      stopping.abort();
      try {
        // Together: the pump may wait for the same database and must not delay the running work.
        const [handedBack] = await Promise.all([installations.stop(withinMs), pumping, sweeping]);
        return handedBack;
      } finally {
        await database.close();
      }
    },
  };
}

async function openOwnDatabase({ options, folder, log }: BackendOptions): Promise<Database> {
  const { databaseUrl = "" } = options;
  return await openDatabase(
    databaseUrl === ""
      ? { kind: "embedded", folder: folder.database }
      : { kind: "postgres", url: databaseUrl, lockFolder: folder.database },
    {
      log,
      onLost: ({ message }) => {
        log.error({ why: message }, "the data folder belongs to another process: the server ends at once");
        options.endNow(message);
      },
    },
  );
}

/** Needs the lock of the data folder: it deletes what an earlier process left. */
async function openGit(folder: string, { searchPath, env }: Pick<ServeOptions, "searchPath" | "env">): Promise<Git> {
  const git = await createRealGit({ folder, searchPath, protocols: gitProtocols, env });
  await git.pruneWorktrees([]);
  return git;
}
